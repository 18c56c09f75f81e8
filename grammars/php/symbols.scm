; Capture names are explained in grammars/README.md.

(comment) @comment

(namespace_use_declaration) @import
(program (expression_statement
  [(require_once_expression) (require_expression) (include_expression) (include_once_expression)]) @import)
(program . (text)? . (php_tag) @imports.after)
(program (declare_statement) @imports.after)
(namespace_definition name: (_) @package !body) @imports.after
(namespace_definition name: (_) @name body: (_) @body) @definition.namespace

(class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(trait_declaration name: (_) @name body: (_) @body) @definition.trait
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(enum_case name: (_) @name) @definition.enum-member

(method_declaration name: (_) @name body: (_) @body (#eq? @name "__construct")) @definition.constructor
(method_declaration name: (_) @name body: (_) @body) @definition.method
(method_declaration name: (_) @name) @definition.method
(function_definition name: (_) @name body: (_) @body) @definition.function

; A declaration of one constant or property is that.
(const_declaration "const" . type: (_)? . (const_element) @wrapped . ";") @wrapper
(const_element . (name) @name (array_creation_expression) @body) @definition.constant
(const_element . (name) @name) @definition.constant
(property_declaration
  [
    (attribute_list) (visibility_modifier) (static_modifier) (var_modifier) (readonly_modifier) (final_modifier) (abstract_modifier)
    (primitive_type) (optional_type) (named_type) (union_type) (intersection_type) (disjunctive_normal_form_type)
  ]
  . (property_element) @wrapped .) @wrapper
(property_declaration (property_element) @wrapped . (property_hook_list) @body) @wrapper
(property_hook (name) @name body: (compound_statement) @body) @definition.accessor
(property_hook (name) @name) @definition.accessor
(property_element name: (_) @name default_value: (array_creation_expression) @body) @definition.property
(property_element name: (_) @name) @definition.property
(property_promotion_parameter name: (_) @name) @definition.property

; Functions and arrays held in variables
(program (expression_statement (assignment_expression
  left: (variable_name) @name
  right: [(anonymous_function body: (_) @body) (array_creation_expression) @body])) @definition.variable)
(program (expression_statement (assignment_expression left: (variable_name) @name)) @definition.variable)

; Members of arrays, and the keys of an array that a file returns
(array_element_initializer . (string) @name . (anonymous_function body: (_) @body)) @definition.method
(array_element_initializer . (string) @name . (arrow_function)) @definition.method
(program (return_statement (array_creation_expression
  (array_element_initializer . (string) @name . (array_creation_expression) @body) @definition.property)))
(program (return_statement (array_creation_expression (array_element_initializer . (string) @name . (_)) @definition.property)))
(array_element_initializer . (string) @name . (array_creation_expression) @body) @definition.object

; test('title', function () { … })
((expression_statement (function_call_expression
  function: (name) @_test
  arguments: (arguments . (argument (string) @name) (argument (anonymous_function body: (_) @body) .)))) @definition.test
  (#any-of? @_test "describe" "it" "test"))
((expression_statement (function_call_expression
  function: (name) @_test
  arguments: (arguments . (argument (string) @name) (argument (arrow_function)) .))) @definition.test
  (#any-of? @_test "describe" "it" "test"))

(compound_statement) @local

; Other statements at the top level
(program (_) @definition.statement @name)
(namespace_definition body: (compound_statement (_) @definition.statement @name))
(program (php_tag) @definition.none (#set! name "tag"))
