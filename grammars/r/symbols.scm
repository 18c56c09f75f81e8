; Capture names are explained in grammars/README.md.

(comment) @comment

((program (call function: (identifier) @_import) @import)
  (#any-of? @_import "library" "require"))

(binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]
  rhs: (function_definition body: (braced_expression) @body)) @definition.function
(binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]
  rhs: (function_definition)) @definition.function
(binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]) @definition.variable

((call function: (identifier) @_test
  arguments: (arguments . argument: (argument value: (string) @name) argument: (argument value: (braced_expression) @body)))
  @definition.test
  (#any-of? @_test "test_that" "describe" "it"))

(braced_expression) @local

; Other statements at the top level
(program (_) @definition.statement @name)
