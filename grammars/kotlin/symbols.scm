; Capture names are explained in grammars/README.md.

[(line_comment) (block_comment)] @comment

; `@A("x")` on the line above a declaration is read as an expression in parentheses when a comment follows the declaration.
(source_file (annotated_expression (annotation) (parenthesized_expression)) @attribute)
(source_file (annotated_expression (annotation) (annotated_expression (annotation) (parenthesized_expression))) @attribute)
(source_file (annotated_expression (annotation)
  (annotated_expression (annotation) (annotated_expression (annotation) (parenthesized_expression)))) @attribute)

(import) @import
(file_annotation) @imports.after
(package_header (qualified_identifier) @package) @imports.after

(class_declaration "interface" name: (_) @name (class_body) @body) @definition.interface
(class_declaration "interface" name: (_) @name) @definition.interface
(class_declaration name: (_) @name (enum_class_body) @body) @definition.enum
(class_declaration name: (_) @name (class_body) @body) @definition.class
(class_declaration name: (_) @name) @definition.class
(object_declaration name: (_) @name (class_body) @body) @definition.class
(object_declaration name: (_) @name) @definition.class
(companion_object name: (_) @name (class_body) @body) @definition.class
(companion_object name: (_) @name) @definition.class
((companion_object !name (class_body) @body) @definition.class (#set! name "Companion"))
((companion_object !name) @definition.class (#set! name "Companion"))

(enum_entry (identifier) @name (class_body) @body) @definition.enum-member
(enum_entry (identifier) @name) @definition.enum-member

; `class A(val x: Int)`: the property is A's.
((primary_constructor (class_parameters) @body) @definition.constructor (#set! name "constructor"))
(class_parameter ["val" "var"] . (identifier) @name) @definition.property
(secondary_constructor "constructor" @name (block) @body) @definition.constructor
(secondary_constructor "constructor" @name) @definition.constructor
(anonymous_initializer "init" @name (block) @body) @definition.constructor

; An extension is a member of the type it extends.
(function_declaration
  [
    (user_type (identifier) @owner . (type_arguments)? .)
    (nullable_type (user_type (identifier) @owner . (type_arguments)? .))
  ]
  . "."
  . name: (_) @name (function_body (block) @body)) @definition.function
(function_declaration
  [
    (user_type (identifier) @owner . (type_arguments)? .)
    (nullable_type (user_type (identifier) @owner . (type_arguments)? .))
  ]
  . "."
  . name: (_) @name) @definition.function
(function_declaration name: (_) @name (function_body (block) @body)) @definition.function
(function_declaration name: (_) @name) @definition.function

; Functions and objects held in variables
(property_declaration (variable_declaration . (identifier) @name)
  (lambda_literal (lambda_parameters) . "->" @body.open "}" @body.close)) @definition.function
(property_declaration (variable_declaration . (identifier) @name) (lambda_literal) @body) @definition.function
(property_declaration (variable_declaration . (identifier) @name)
  (anonymous_function (function_body (block) @body))) @definition.function
(property_declaration (variable_declaration . (identifier) @name) (object_literal (class_body) @body)) @definition.variable

(property_declaration
  [
    (user_type (identifier) @owner . (type_arguments)? .)
    (nullable_type (user_type (identifier) @owner . (type_arguments)? .))
  ]
  . "."
  . (variable_declaration . (identifier) @name)) @definition.variable
(property_declaration (modifiers (property_modifier)) (variable_declaration . (identifier) @name)) @definition.constant
(property_declaration (variable_declaration . (annotation)* . (identifier) @name)) @definition.variable
(property_declaration (multi_variable_declaration (variable_declaration . (identifier) @name))) @definition.variable
(getter "get" @name (function_body (block) @body)) @definition.accessor
(getter "get" @name) @definition.accessor
(setter "set" @name (function_body (block) @body)) @definition.accessor
(setter "set" @name) @definition.accessor

(type_alias type: (_) @name) @definition.type

; test("title") { … }
((call_expression
  (call_expression (identifier) @_test (value_arguments . (value_argument (string_literal) @name) .))
  (annotated_lambda (lambda_literal) @body)) @definition.test
  (#any-of? @_test "describe" "context" "it" "test" "should" "given" "feature" "scenario"))

[(block) (lambda_literal)] @local

; Other statements at the top level
(source_file (_) @definition.statement @name)
