; Capture names are explained in grammars/README.md.

(comment) @comment

(variable_declaration
  (assignment_statement (expression_list value: (function_call name: (identifier) @_require)))
  (#eq? @_require "require")) @import
((function_call name: (identifier) @_require) @import (#eq? @_require "require"))

; local x = … is one with its assignment.
(variable_declaration (assignment_statement) @wrapped) @wrapper

(function_declaration name: (identifier) @name (parameters) @body.open "end" @body.close) @definition.function
(function_declaration
  name: [
    (dot_index_expression table: (identifier) @owner field: (_) @name)
    (method_index_expression table: (identifier) @owner method: (_) @name)
    (dot_index_expression table: (dot_index_expression table: (_) @owner field: (_) @owner) field: (_) @name)
    (method_index_expression table: (dot_index_expression table: (_) @owner field: (_) @owner) method: (_) @name)
  ]
  (parameters) @body.open "end" @body.close) @definition.method

; x = function() … end, M.x = function() … end, M.x = { … }, M.x = 1
(assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition (parameters) @body.open "end" @body.close) .)) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @owner field: (_) @name) .)
  (expression_list . value: (function_definition (parameters) @body.open "end" @body.close) .)) @definition.method
(assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (table_constructor) @body .)) @definition.variable
(assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @owner field: (_) @name) .)
  (expression_list . value: (table_constructor) @body .)) @definition.property
(assignment_statement (variable_list name: (identifier) @name)) @definition.variable
(assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @owner field: (_) @name) .)) @definition.property
(variable_declaration (variable_list name: (identifier) @name)) @definition.variable

; Members of tables
(field name: (_) @name value: (function_definition (parameters) @body.open "end" @body.close)) @definition.method
(field name: (_) @name value: (table_constructor) @body) @definition.object

; describe("title", function() … end)
((function_call
  name: (identifier) @_test
  arguments: (arguments . (string) @name (function_definition (parameters) @body.open "end" @body.close))) @definition.test
  (#any-of? @_test "describe" "it" "test" "context" "insulate" "pending"))

(block) @local

; Other statements at the top level
(chunk (_) @definition.statement @name)
