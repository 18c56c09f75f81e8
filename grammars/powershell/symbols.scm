; Capture names are explained in grammars/README.md.

(comment) @comment

((pipeline (pipeline_chain (command command_name: (_) @_using))) @import
  (#any-of? @_using "using" "Import-Module"))

(function_statement (function_name) @name "{" @body.open "}" @body.close) @definition.function
(class_statement . (simple_name) @name "{" @body.open "}" @body.close) @definition.class
(class_property_definition (variable) @name) @definition.property
(class_method_definition (simple_name) @name "{" @body.open "}" @body.close) @definition.method
(enum_statement . (simple_name) @name "{" @body.open "}" @body.close) @definition.enum
(enum_member (simple_name) @name) @definition.enum-member
((program (statement_list (pipeline (assignment_expression (left_assignment_expression) @name)) @definition.variable)))

(script_block) @local

; Other statements at the top level
(program (statement_list (_) @definition.statement @name))
