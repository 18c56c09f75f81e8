; What Objective-C has beside C. Capture names are explained in grammars/README.md.

(translation_unit (module_import) @import)

((class_interface
  . (identifier) @name @body.open
  [(identifier) (parameterized_arguments) (instance_variables)]* @body.open
  "@end" @body.close
  !category) @definition.class
  (#set! declaration))
((class_interface
  . (identifier) @qualifier
  category: (_) @name ")" @body.open
  (parameterized_arguments)? @body.open
  "@end" @body.close) @definition.extension
  (#set! declaration))
(class_implementation
  . (identifier) @name @body.open
  [(identifier) (instance_variables)]* @body.open
  "@end" @body.close
  !category) @definition.class
(class_implementation . (identifier) @qualifier category: (_) @name ")" @body.open "@end" @body.close) @definition.extension
(protocol_declaration
  . (identifier) @name @body.open
  (protocol_reference_list)? @body.open
  "@end" @body.close) @definition.interface

(method_declaration . (method_type) . (identifier) @name) @definition.declaration
(method_definition . (method_type) . (identifier) @name (compound_statement) @body) @definition.method

(property_declaration (struct_declaration (struct_declarator (identifier) @name))) @definition.property
(property_declaration (struct_declaration (struct_declarator (pointer_declarator) @wrapped))) @wrapper @definition.property
(instance_variable (struct_declaration (struct_declarator (identifier) @name))) @definition.property
(instance_variable (struct_declaration (struct_declarator (pointer_declarator) @wrapped))) @wrapper @definition.property
