; Capture names are explained in grammars/README.md.

[(comment) (block_comment)] @comment
["end"] @marker

(import_declaration) @import
(package_clause name: (_) @package !body) @imports.after
(package_clause name: (_) @name body: (_) @body) @definition.namespace
(package_object name: (_) @name body: (template_body "{") @body) @definition.module
(package_object name: (_) @name body: (template_body . ":" @body.open) @body.indent) @definition.module

(class_definition name: (_) @name body: (template_body . "{") @body) @definition.class
(class_definition name: (_) @name body: (template_body . ":" @body.open) @body.indent) @definition.class
(class_definition name: (_) @name) @definition.class
(object_definition name: (_) @name body: (template_body . "{") @body) @definition.class
(object_definition name: (_) @name body: (template_body . ":" @body.open) @body.indent) @definition.class
(object_definition name: (_) @name) @definition.class
(trait_definition name: (_) @name body: (template_body . "{") @body) @definition.trait
(trait_definition name: (_) @name body: (template_body . ":" @body.open) @body.indent) @definition.trait
(trait_definition name: (_) @name) @definition.trait
(template_body (self_type) @body.head)

(enum_definition name: (_) @name body: (enum_body . "{") @body) @definition.enum
(enum_definition name: (_) @name body: (enum_body . ":" @body.open) @body.indent) @definition.enum
; A case of one name is that.
(enum_case_definitions "case" . [(simple_enum_case) (full_enum_case)] @wrapped .) @wrapper
(simple_enum_case name: (_) @name) @definition.enum-member
(full_enum_case name: (_) @name) @definition.enum-member

; `class A(val x: Int)`: the property is A's, and so is every parameter of a case class.
((class_definition
  name: (_) . (type_parameters)? . (annotation)* . (access_modifier)? . (class_parameters) @definition.constructor @body)
  (#set! name "this"))
((enum_definition name: (_) . (type_parameters)? . (class_parameters) @definition.constructor @body) (#set! name "this"))
(class_parameter ["val" "var"] name: (_) @name) @definition.property
(class_definition "case" name: (_) . (type_parameters)? . (class_parameters (class_parameter name: (_) @name) @definition.property))

(function_definition name: (_) @name body: (block) @body (#eq? @name "this")) @definition.constructor
(function_definition name: (_) @name body: (indented_block) @body.indent (#eq? @name "this")) @definition.constructor
(function_definition name: (_) @name (#eq? @name "this")) @definition.constructor
(function_definition name: (_) @name body: (block) @body) @definition.function
(function_definition name: (_) @name body: (indented_block) @body.indent) @definition.function
(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function

; An extension's methods are members of the type it extends.
(extension_definition
  parameters: (parameters . (parameter type: [(type_identifier) @name (generic_type type: (type_identifier) @name)])) body: "{" @body.open
  "}" @body.close) @definition.impl
(extension_definition
  parameters: (parameters . (parameter type: [(type_identifier) @name (generic_type type: (type_identifier) @name)])) @body.open
  !body) @definition.impl
(extension_definition
  parameters: (parameters . (parameter type: [(type_identifier) @name (generic_type type: (type_identifier) @name)])) @body.open)
  @definition.impl @body.indent

; A given without a name has its type's.
(given_definition name: (_) @name body: (with_template_body) @body.indent) @definition.class
(given_definition !name return_type: (_) @name body: (with_template_body) @body.indent) @definition.class
(given_definition name: (_) @name) @definition.variable
(given_definition !name . (modifiers)? . "given" . return_type: (_) @name) @definition.variable

; Functions and objects held in variables
(val_definition pattern: (identifier) @name value: (lambda_expression (block) @body)) @definition.function
(val_definition pattern: (identifier) @name value: (lambda_expression (indented_block) @body.indent)) @definition.function
(val_definition pattern: (identifier) @name value: (lambda_expression)) @definition.function
(val_definition pattern: (identifier) @name value: (case_block) @body) @definition.function
(val_definition pattern: (identifier) @name value: (instance_expression (template_body . "{") @body)) @definition.variable
(val_definition pattern: (identifier) @name
  value: (instance_expression (template_body . ":" @body.open) @body.indent)) @definition.variable
(val_definition pattern: [
  (identifier) @name
  (identifiers (identifier) @name)
  (tuple_pattern (identifier) @name)
  (case_class_pattern pattern: (identifier) @name)
]) @definition.variable
(val_declaration name: (_) @name) @definition.variable
(var_definition pattern: [
  (identifier) @name
  (identifiers (identifier) @name)
  (tuple_pattern (identifier) @name)
]) @definition.variable
(var_declaration name: (_) @name) @definition.variable
(type_definition name: (_) @name) @definition.type

; test("title") { … }, test("title"): …, test("title") - { … }
((call_expression
  function: (call_expression function: (identifier) @_test arguments: (arguments . (string) @name))
  arguments: (block) @body) @definition.test
  (#any-of? @_test "test" "describe" "it" "property" "feature" "scenario" "ignore"))
((call_expression
  function: (call_expression function: (identifier) @_test arguments: (arguments . (string) @name))
  arguments: (colon_argument (indented_block) @body.indent)) @definition.test
  (#any-of? @_test "test" "describe" "it" "property" "feature" "scenario" "ignore"))
((infix_expression
  left: (call_expression function: (identifier) @_test arguments: (arguments . (string) @name))
  operator: (_) @_dash
  right: (block) @body) @definition.test
  (#eq? @_test "test") (#eq? @_dash "-"))
; "title" should { … }, it should "title" in { … }
((infix_expression
  left: [(string) @name (infix_expression right: (string) @name)]
  operator: (_) @_in
  right: (block) @body) @definition.test
  (#any-of? @_in "in" "should" "must" "can" "when" "which"))

[(block) (indented_block) (case_block) (indented_cases)] @local

; Other statements at the top level
(compilation_unit (_) @definition.statement @name)
