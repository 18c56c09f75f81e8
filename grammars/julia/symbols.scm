; Capture names are explained in grammars/README.md.

[(line_comment) (block_comment)] @comment
; Docstrings
(source_file (string_literal) @comment)
(module_definition (string_literal) @comment)
(struct_definition (string_literal) @comment)

[(using_statement) (import_statement)] @import

(module_definition name: (_) @name @body.open "end" @body.close) @definition.module

(struct_definition
  (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . (identifier) @name)
    (binary_expression . (parametrized_type_expression . (identifier) @name))
  ]) @body.open
  "end" @body.close) @definition.struct
(struct_definition (identifier) @name @definition.property)
(struct_definition (typed_expression . (identifier) @name) @definition.property)
(struct_definition (assignment . (typed_expression . (identifier) @name)) @definition.property)
(struct_definition (assignment . (identifier) @name) @definition.property)
(abstract_definition (type_head [(identifier) @name (_ . (identifier) @name)])) @definition.type
(primitive_definition (type_head [(identifier) @name (_ . (identifier) @name)])) @definition.type

(function_definition
  (signature [
    (identifier) @name
    (call_expression . (_) @name)
    (typed_expression . (call_expression . (_) @name))
    (where_expression . (call_expression . (_) @name))
    (where_expression . (typed_expression . (call_expression . (_) @name)))
  ]) @body.open
  "end" @body.close) @definition.function
(macro_definition (signature (call_expression . (_) @name)) @body.open "end" @body.close) @definition.macro

; area(s) = s.size
(source_file (assignment . [
  (call_expression . (_) @name)
  (typed_expression . (call_expression . (_) @name))
  (where_expression . (call_expression . (_) @name))
]) @definition.function)
(module_definition (assignment . [
  (call_expression . (_) @name)
  (typed_expression . (call_expression . (_) @name))
  (where_expression . (call_expression . (_) @name))
]) @definition.function)

(const_statement (assignment . [(identifier) @name (typed_expression . (identifier) @name)])) @definition.constant
(source_file (assignment . [(identifier) @name (typed_expression . (identifier) @name)]) @definition.variable)
(module_definition (assignment . [(identifier) @name (typed_expression . (identifier) @name)]) @definition.variable)

; @inline function … end, Base.@kwdef struct … end
(macrocall_expression (macro_argument_list [(function_definition) (struct_definition)] @wrapped .)) @wrapper

((macrocall_expression
  (macro_identifier) @_test
  (macro_argument_list . (string_literal) @name (compound_statement "begin" @body.open "end" @body.close))) @definition.test
  (#eq? @_test "@testset"))

; Other statements at the top level
(source_file (_) @definition.statement @name)
