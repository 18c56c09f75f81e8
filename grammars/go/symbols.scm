; Capture names are explained in grammars/README.md.

(comment) @comment

(import_declaration) @import
(package_clause (package_identifier) @package) @imports.after

; Without parentheses the declaration and its only member are one.
((type_declaration . [(type_spec) (type_alias)] @wrapped .) @wrapper (#not-match? @wrapper "^type\\s*\\("))
((const_declaration . (const_spec) @wrapped .) @wrapper (#not-match? @wrapper "^const\\s*\\("))
(var_declaration (var_spec) @wrapped) @wrapper

(function_declaration name: (_) @name body: (_) @body) @definition.function
(function_declaration name: (_) @name) @definition.function

(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (pointer_type (type_identifier) @owner)
    (generic_type type: (type_identifier) @owner)
    (pointer_type (generic_type type: (type_identifier) @owner))
    (parenthesized_type (type_identifier) @owner)
  ]))
  name: (_) @name body: (_) @body) @definition.method

(type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (_) @name type: (interface_type) @body) @definition.interface
(type_spec name: (_) @name) @definition.type
(type_alias name: (_) @name) @definition.type

(type_spec type: (struct_type (field_declaration_list (field_declaration name: (_) @name) @definition.property)))
(type_spec type: (struct_type (field_declaration_list (field_declaration !name type: [
  (type_identifier) @name
  (qualified_type name: (_) @name)
  (generic_type type: (type_identifier) @name)
  (generic_type type: (qualified_type name: (_) @name))
]) @definition.property)))
(type_spec type: (interface_type (type_elem . [(type_identifier) @name (qualified_type name: (_) @name)] .) @definition.property))
(type_spec type: (interface_type (method_elem name: (_) @name) @definition.method))

(const_spec (identifier) @name) @definition.constant
(var_spec name: (identifier) @name value: (expression_list . (func_literal body: (_) @body) .)) @definition.function
(var_spec name: (identifier) @name value: (expression_list . (composite_literal body: (_) @body) .)) @definition.variable
(var_spec name: (identifier) @name) @definition.variable
(short_var_declaration
  left: (expression_list . (identifier) @name .)
  right: (expression_list . (func_literal body: (_) @body) .)) @definition.function

; t.Run("title", func(t *testing.T) { … })
((expression_statement
  (call_expression
    function: (selector_expression field: (field_identifier) @_run)
    arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal)] @name (func_literal body: (_) @body))))
  @definition.test
  (#eq? @_run "Run"))

(block) @local

; Other statements at the top level
(source_file (_) @definition.statement @name)
