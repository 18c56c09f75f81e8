; Capture names are explained in grammars/README.md.

[(line_comment) (block_comment)] @comment

(import_declaration) @import
(package_declaration [(scoped_identifier) (identifier)] @package) @imports.after

(class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(record_declaration name: (_) @name body: (_) @body) @definition.record
(annotation_type_declaration name: (_) @name body: (_) @body) @definition.interface

(enum_constant name: (_) @name body: (_) @body) @definition.enum-member
(enum_constant name: (_) @name) @definition.enum-member

(constructor_declaration name: (_) @name body: (_) @body) @definition.constructor
(compact_constructor_declaration name: (_) @name body: (_) @body) @definition.constructor
(static_initializer "static" @name (block) @body) @definition.constructor
(method_declaration name: (_) @name body: (_) @body) @definition.method
(method_declaration name: (_) @name) @definition.method
(annotation_type_element_declaration name: (_) @name) @definition.method

; A declaration of one field is the field.
(field_declaration type: (_) . (variable_declarator) @wrapped .) @wrapper
(constant_declaration type: (_) . (variable_declarator) @wrapped .) @wrapper
(field_declaration declarator: (variable_declarator name: (_) @name) @definition.property)
(constant_declaration declarator: (variable_declarator name: (_) @name) @definition.constant)

(record_declaration parameters: (formal_parameters (formal_parameter name: (_) @name) @definition.property))

; Other statements at the top level
(program (_) @definition.statement @name)
