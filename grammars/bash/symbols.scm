; Capture names are explained in grammars/README.md.

(comment) @comment

((program (command name: (command_name) @_source) @import) (#any-of? @_source "source" "."))
((program . (comment)* . (command name: (command_name) @_set) @imports.after) (#eq? @_set "set"))

(function_definition name: (_) @name body: [(compound_statement) (subshell)] @body) @definition.function
(function_definition name: (_) @name) @definition.function

(declaration_command . [(word) (variable_name)]* . (variable_assignment) @wrapped .) @wrapper
(variable_assignment name: (variable_name) @name value: (array) @body) @definition.variable
(variable_assignment name: (variable_name) @name) @definition.variable

[(compound_statement) (subshell) (if_statement) (case_statement) (do_group) (command) (command_substitution)] @local

; Other statements at the top level
(program (_) @definition.statement @name)
