; Capture names are explained in grammars/README.md.

[(comment) (multiline_comment)] @comment

(import_declaration) @import

(class_declaration declaration_kind: ["class" "actor"] name: (_) @name body: (_) @body) @definition.class
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @definition.struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @definition.enum
(protocol_declaration name: (_) @name body: (_) @body) @definition.interface
(enum_entry name: (simple_identifier) @name) @definition.enum-member

; An extension's members are the extended type's.
(class_declaration declaration_kind: "extension"
  name: (user_type . (type_identifier) @name . (type_arguments)? .) body: (_) @body) @definition.impl
(class_declaration declaration_kind: "extension"
  name: (user_type . (type_identifier) @owner . (type_identifier) @name . (type_arguments)? .) body: (_) @body) @definition.impl
(class_declaration declaration_kind: "extension"
  name: (user_type . (type_identifier) @owner . (type_identifier) @owner . (type_identifier) @name . (type_arguments)? .)
  body: (_) @body) @definition.impl
(class_declaration declaration_kind: "extension"
  name: [(array_type) (dictionary_type) (optional_type)] @name body: (_) @body) @definition.impl

; A wildcard makes these queries twenty times faster to compile.
(_ "init" @name (function_body) @body) @definition.constructor
(protocol_function_declaration name: "init" @name) @definition.constructor
(deinit_declaration "deinit" @name body: (_) @body) @definition.method
(_ "func" . (simple_identifier) @name (function_body) @body) @definition.function
(_ "func"
  . [
    (custom_operator)
    "+" "-" "*" "/" "%" "==" "!=" "===" "!==" "<" ">" "<=" ">=" "&" "|" "^" "~" "<<" ">>" "+=" "-=" "*=" "/=" "%=" "..." "..<" "++" "--"
  ] @name
  (function_body) @body) @definition.function
(protocol_function_declaration
  "func"
  . [
    (simple_identifier) (custom_operator)
    "+" "-" "*" "/" "%" "==" "!=" "===" "!==" "<" ">" "<=" ">=" "&" "|" "^" "~" "<<" ">>" "+=" "-=" "*=" "/=" "%=" "..." "..<" "++" "--"
  ] @name) @definition.method
(subscript_declaration "subscript" @name (computed_property) @body) @definition.method

(computed_getter (getter_specifier "get" @name) "{" @body.open "}" @body.close) @definition.accessor
(computed_setter (setter_specifier "set" @name) "{" @body.open "}" @body.close) @definition.accessor

(property_declaration name: (pattern bound_identifier: (_) @name)
  value: (lambda_literal "in" @body.open "}" @body.close)) @definition.function
(property_declaration name: (pattern bound_identifier: (_) @name) value: (lambda_literal) @body) @definition.function
(property_declaration name: (pattern bound_identifier: (_) @name) computed_value: (_) @body) @definition.variable
(property_declaration name: (pattern bound_identifier: (_) @name) value: [(array_literal) (dictionary_literal)] @body)
  @definition.variable
(property_declaration name: (pattern bound_identifier: (_) @name)) @definition.variable
(property_declaration name: (pattern (pattern (simple_identifier) @name))) @definition.variable
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @definition.property

(typealias_declaration "typealias" . name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (_) @name) @definition.type
(operator_declaration (custom_operator) @name) @definition.operator
(precedence_group_declaration (simple_identifier) @name) @definition.operator

; describe("title") { … }
((call_expression
  (simple_identifier) @_test
  (call_suffix (value_arguments . (value_argument value: (line_string_literal) @name)) (lambda_literal) @body)) @definition.test
  (#any-of? @_test "describe" "context" "it" "test" "fdescribe" "xdescribe" "fit" "xit"))

(statements) @local

; Other statements at the top level
(source_file (_) @definition.statement @name)
