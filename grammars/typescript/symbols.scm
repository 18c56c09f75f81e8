; Only in TypeScript and TSX; the rest is in ecmascript/symbols.scm.

(ambient_declaration (_) @wrapped) @wrapper
(expression_statement (internal_module) @wrapped) @wrapper

(internal_module name: (_) @name body: (_) @body) @definition.namespace
(module name: (_) @name body: (_) @body) @definition.namespace
(ambient_declaration "global" @name (statement_block) @body) @definition.namespace

((function_signature name: (_) @name) @definition.function (#set! declaration "true"))
(abstract_class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(type_alias_declaration name: (_) @name value: (object_type) @body) @definition.type
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(enum_body name: (_) @name @definition.enum-member)
(enum_assignment name: (_) @name) @definition.enum-member

((abstract_method_signature name: (_) @name) @definition.method (#set! declaration "true"))
(class_body (method_signature name: (_) @name) @definition.method (#set! declaration "true"))
(interface_body (method_signature name: (_) @name) @definition.method)
(interface_body (property_signature name: (_) @name) @definition.property)
(type_alias_declaration value: (object_type (method_signature name: (_) @name) @definition.method))
(type_alias_declaration value: (object_type (property_signature name: (_) @name) @definition.property))

(public_field_definition name: (_) @name
  value: [
    (arrow_function body: (statement_block) @body)
    (function_expression body: (_) @body)
  ]) @definition.method
(public_field_definition name: (_) @name value: (arrow_function)) @definition.method
(public_field_definition name: (_) @name value: [(object) (array)] @body) @definition.property
(public_field_definition name: (_) @name) @definition.property

; constructor(private x: T): the property is the class's.
(required_parameter [(accessibility_modifier) "readonly"] pattern: (identifier) @name) @definition.property
(optional_parameter [(accessibility_modifier) "readonly"] pattern: (identifier) @name) @definition.property

; const x = { … } as const, { … } satisfies T
(variable_declarator name: (identifier) @name
  value: [
    (as_expression . [(object) (array)] @body)
    (satisfies_expression . [(object) (array)] @body)
    (as_expression . (satisfies_expression . [(object) (array)] @body))
    (satisfies_expression . (as_expression . [(object) (array)] @body))
  ]) @definition.variable
