; Shared by JavaScript, TypeScript and TSX. Capture names are explained in grammars/README.md.

(comment) @comment
(decorator) @attribute

; Imports
(import_statement) @import
(lexical_declaration
  (variable_declarator value: (call_expression function: (identifier) @_require))
  (#eq? @_require "require")) @import
(program . (hash_bang_line)? . (comment)* . (expression_statement (string)) @imports.after)

; Wrappers that belong to their element
(export_statement declaration: (_) @wrapped) @wrapper
(lexical_declaration . (variable_declarator) @wrapped . (comment)* .) @wrapper
(variable_declaration . (variable_declarator) @wrapped . (comment)* .) @wrapper

; Functions and classes
(function_declaration name: (_) @name body: (_) @body) @definition.function
(generator_function_declaration name: (_) @name body: (_) @body) @definition.function
(class_declaration name: (_) @name body: (_) @body) @definition.class

; Class members and methods of objects
(method_definition name: (_) @name body: (_) @body (#eq? @name "constructor")) @definition.constructor
(method_definition ["get" "set"] name: (_) @name body: (_) @body) @definition.accessor
(method_definition name: (_) @name body: (_) @body) @definition.method
(class_static_block "static" @name body: (_) @body) @definition.constructor

; Functions, classes and objects held in variables
(variable_declarator name: (identifier) @name
  value: [
    (arrow_function body: (statement_block) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function
(variable_declarator name: (identifier) @name value: (arrow_function)) @definition.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class
(variable_declarator name: (identifier) @name value: [(object) (array)] @body) @definition.variable
(variable_declarator name: (identifier) @name) @definition.variable
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern value: (identifier) @name)
  ])) @definition.variable
(variable_declarator name: (array_pattern (identifier) @name)) @definition.variable

; Members of objects
(pair key: (_) @name
  value: [
    (arrow_function body: (statement_block) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.method
(pair key: (_) @name value: (arrow_function)) @definition.method
(pair key: (_) @name value: (object) @body) @definition.object

; exports.x = …, Shape.prototype.area = …
(program (expression_statement
  (assignment_expression
    left: (member_expression) @name
    right: [
      (arrow_function body: (statement_block) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ])) @definition.function)
(program (expression_statement
  (assignment_expression left: (member_expression) @name right: (class body: (_) @body))) @definition.class)
(program (expression_statement
  (assignment_expression left: (member_expression) @name right: [(object) (array)] @body)) @definition.variable)
(program (expression_statement
  (assignment_expression left: (member_expression) @name)) @definition.variable)

; export default …
(export_statement "default" @name
  value: [
    (arrow_function body: (statement_block) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function
(export_statement "default" @name value: (class body: (_) @body)) @definition.class
(export_statement "default" @name value: [(object) (array)] @body) @definition.variable
(export_statement "default" @name value: (_)) @definition.variable

; Test blocks by title
((expression_statement
  (call_expression
    function: [
      (identifier) @_test
      (member_expression object: (identifier) @_test)
      (member_expression object: (member_expression object: (identifier) @_test))
      (call_expression function: (member_expression object: (identifier) @_test))
    ]
    arguments: (arguments . [(string) (template_string)] @name
      [
        (arrow_function body: (statement_block) @body)
        (function_expression body: (_) @body)
      ]))) @definition.test
  (#any-of? @_test "describe" "it" "test" "suite" "context" "specify" "bench" "fdescribe" "xdescribe" "fit" "xit"))
((expression_statement
  (call_expression
    function: [
      (identifier) @_test
      (member_expression object: (identifier) @_test)
      (member_expression object: (member_expression object: (identifier) @_test))
      (call_expression function: (member_expression object: (identifier) @_test))
    ]
    arguments: (arguments . [(string) (template_string)] @name))) @definition.test
  (#any-of? @_test "describe" "it" "test" "suite" "context" "specify" "bench" "fdescribe" "xdescribe" "fit" "xit"))

(statement_block) @local

; Other statements at the top level
(program (_) @definition.statement @name)
