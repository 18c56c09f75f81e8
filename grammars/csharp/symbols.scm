; Capture names are explained in grammars/README.md.

(comment) @comment

; A using inside `#if` or a namespace is not the file's.
(compilation_unit [(using_directive) (extern_alias_directive)] @import)
(ERROR (using_directive) @import)
(file_scoped_namespace_declaration name: (_) @package)

(namespace_declaration name: (_) @name body: (_) @body) @definition.namespace
(class_declaration name: (_) @name body: (_) @body) @definition.class
(class_declaration name: (_) @name) @definition.class
(struct_declaration name: (_) @name body: (_) @body) @definition.struct
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(record_declaration name: (_) @name body: (_) @body) @definition.record
(record_declaration name: (_) @name) @definition.record
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(enum_member_declaration name: (_) @name) @definition.enum-member
(delegate_declaration name: (_) @name) @definition.type

(constructor_declaration name: (_) @name body: (block) @body) @definition.constructor
(constructor_declaration name: (_) @name) @definition.constructor
((destructor_declaration name: (_) @name body: (block) @body) @definition.method (#set! before "~"))
((destructor_declaration name: (_) @name) @definition.method (#set! before "~"))
(method_declaration (explicit_interface_specifier . (_) @qualifier) name: (_) @name body: (block) @body) @definition.method
(method_declaration (explicit_interface_specifier . (_) @qualifier) name: (_) @name) @definition.method
(method_declaration name: (_) @name body: (block) @body) @definition.method
(method_declaration name: (_) @name) @definition.method
((operator_declaration operator: _ @name body: (block) @body) @definition.method (#set! before "operator "))
((operator_declaration operator: _ @name) @definition.method (#set! before "operator "))
((conversion_operator_declaration type: (_) @name body: (block) @body) @definition.method (#set! before "operator "))
((conversion_operator_declaration type: (_) @name) @definition.method (#set! before "operator "))
(local_function_statement name: (_) @name body: (block) @body) @definition.function
(local_function_statement name: (_) @name) @definition.function
(global_statement (_) @wrapped) @wrapper

; record Point(int X): the property is the record's.
(record_declaration (parameter_list (parameter name: (_) @name) @definition.property))
(property_declaration (explicit_interface_specifier . (_) @qualifier) name: (_) @name accessors: (_) @body) @definition.property
(property_declaration (explicit_interface_specifier . (_) @qualifier) name: (_) @name) @definition.property
(property_declaration name: (_) @name accessors: (_) @body) @definition.property
(property_declaration name: (_) @name) @definition.property
(indexer_declaration "this" @name accessors: (_) @body) @definition.property
(indexer_declaration "this" @name) @definition.property
(event_declaration (explicit_interface_specifier . (_) @qualifier) name: (_) @name accessors: (_) @body) @definition.property
(event_declaration name: (_) @name accessors: (_) @body) @definition.property

(accessor_declaration name: _ @name body: (block) @body) @definition.accessor
(accessor_declaration name: _ @name body: (_)) @definition.accessor

; A declaration of one field is the field.
(variable_declaration type: (_) . (variable_declarator) @wrapped .) @wrapper
(field_declaration (variable_declaration type: (_) . (variable_declarator) .) @wrapped) @wrapper
(event_field_declaration (variable_declaration type: (_) . (variable_declarator) .) @wrapped) @wrapper
(local_declaration_statement (variable_declaration type: (_) . (variable_declarator) .) @wrapped) @wrapper
(variable_declarator name: (_) @name (lambda_expression body: (block) @body)) @definition.function
(variable_declarator name: (_) @name (initializer_expression) @body) @definition.variable
(variable_declarator name: (_) @name) @definition.variable

(block) @local

; Other statements at the top level and in namespaces
(compilation_unit (_) @definition.statement @name)
(namespace_declaration body: (declaration_list (_) @definition.statement @name))
