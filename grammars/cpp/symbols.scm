; Only in C++; the rest is in c/symbols.scm.

(namespace_definition name: (_) @name body: (_) @body) @definition.namespace
(class_specifier name: (_) @name body: (_) @body) @definition.class
; The first member goes after `public:`.
(field_declaration_list . (access_specifier) @body.head . ":" @body.head.end)
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.type

(function_declarator declarator: [(destructor_name) (operator_name) (template_function)] @name @definition.declaration)
; What looks like a pure function is a field with the value 0.
(function_definition declarator: (field_identifier) @name (pure_virtual_clause)) @definition.property
(_ declarator: (operator_cast) @name @definition.declaration)
(reference_declarator (identifier) @name @definition.variable)
(reference_declarator (field_identifier) @name @definition.property)
(field_declaration type: (_) . (type_qualifier)* . declarator: (field_identifier) @name @definition.property . default_value: (_) . ";")
(field_declaration
  type: (_) . (type_qualifier)* . declarator: (field_identifier) @name @definition.property . (bitfield_clause) . default_value: (_) . ";")
(init_declarator declarator: (identifier) @name @definition.function value: (lambda_expression body: (_) @body))

; Members defined outside of their class
(_ declarator: (qualified_identifier
  scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
  name: [(identifier) (destructor_name) (operator_name) (operator_cast) (template_function)] @name) @definition.declaration)
(_ declarator: (qualified_identifier
  scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
  name: (qualified_identifier
    scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
    name: [(identifier) (destructor_name) (operator_name) (operator_cast) (template_function)] @name)) @definition.declaration)
(_ declarator: (qualified_identifier
  scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
  name: (qualified_identifier
    scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
    name: (qualified_identifier
      scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
      name: [(identifier) (destructor_name) (operator_name) (operator_cast) (template_function)] @name))) @definition.declaration)
(_ declarator: (qualified_identifier
  scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
  name: (qualified_identifier
    scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
    name: (qualified_identifier
      scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
      name: (qualified_identifier
        scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
        name: [(identifier) (destructor_name) (operator_name) (operator_cast) (template_function)] @name)))) @definition.declaration)

(template_declaration (_) @wrapped) @wrapper
(friend_declaration (_) @wrapped) @wrapper
(reference_declarator (_) @wrapped) @wrapper
(declaration !type declarator: (_) @wrapped) @wrapper
(declaration type: (class_specifier) @wrapped) @wrapper
(field_declaration type: (class_specifier name: (_)) @wrapped) @wrapper
(field_declaration type: (_) . (type_qualifier)* . declarator: (_) @wrapped . default_value: (_) . ";") @wrapper
(field_declaration type: (_) . (type_qualifier)* . declarator: (_) @wrapped . (bitfield_clause) . default_value: (_) . ";") @wrapper
(field_declaration type: (_) . (type_qualifier)* . declarator: (_) @wrapped . default_value: (initializer_list) @body . ";") @wrapper

(template_parameter_list) @local

; Other statements in namespaces
(namespace_definition body: (declaration_list (_) @definition.statement @name))
