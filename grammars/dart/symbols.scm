; Capture names are explained in grammars/README.md.

[(comment) (documentation_comment)] @comment
(annotation) @attribute
; At the top level, modifiers are siblings of their function or variable.
(program
  [
    (const_builtin) (final_builtin) (inferred_type) (type_identifier) (type_arguments) (nullable_type) (function_type) (record_type)
    "late" "external" "."
  ] @attribute)

(import_or_export) @import
(library_name (dotted_identifier_list) @package) @imports.after
(library_name) @imports.after

(class_definition name: (_) @name body: (_) @body) @definition.class
(class_definition (mixin_application_class . (identifier) @name)) @definition.class
(mixin_declaration (mixin) . (identifier) @name (class_body) @body) @definition.mixin
(extension_declaration name: (_) @name body: (_) @body) @definition.extension
(extension_declaration !name class: (type_identifier) @name body: (_) @body) @definition.impl
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(enum_constant name: (_) @name) @definition.enum-member

; A constructor has the last part of its name: `fromJson`, or the class's.
(declaration (constructor_signature (identifier) @name . (formal_parameter_list))) @definition.constructor
(declaration (constant_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.constructor
(declaration (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.constructor
(declaration (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.constructor
(method_signature (constructor_signature (identifier) @name . (formal_parameter_list))) @definition.constructor
(method_signature (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.constructor

; A function's body follows its signature.
(function_body (block) @body) @tail
(function_body) @tail
(method_signature (function_signature name: (_) @name)) @definition.method
(declaration (function_signature name: (_) @name)) @definition.method
(method_signature (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)) @definition.method
(declaration (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)) @definition.method
(method_signature [(getter_signature name: (_) @name) (setter_signature name: (_) @name)]) @definition.accessor
(declaration [(getter_signature name: (_) @name) (setter_signature name: (_) @name)]) @definition.accessor

(program (function_signature name: (_) @name) @definition.function)
(program [(getter_signature name: (_) @name) (setter_signature name: (_) @name)] @definition.accessor)
(local_function_declaration (lambda_expression
  parameters: (function_signature name: (_) @name)
  body: (function_body (block) @body))) @definition.function
(local_function_declaration (lambda_expression parameters: (function_signature name: (_) @name))) @definition.function

; Several variables of one declaration are all of it.
(declaration (initialized_identifier_list (initialized_identifier
  . (identifier) @name . (function_expression body: (function_expression_body (block) @body))))) @definition.method
(declaration (initialized_identifier_list
  . (initialized_identifier . (identifier) @name . [(list_literal) (set_or_map_literal)] @body .) .)) @definition.property
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @definition.property
(declaration (static_final_declaration_list
  . (static_final_declaration . (identifier) @name . [(list_literal) (set_or_map_literal)] @body .) .)) @definition.constant
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @definition.constant
(program (initialized_identifier_list
  . (initialized_identifier . (identifier) @name . (function_expression body: (function_expression_body (block) @body))) .)
  @definition.function)
(program (initialized_identifier_list
  . (initialized_identifier . (identifier) @name . [(list_literal) (set_or_map_literal)] @body .) .) @definition.variable)
(program (initialized_identifier_list (initialized_identifier . (identifier) @name)) @definition.variable)
(program (static_final_declaration_list
  . (static_final_declaration . (identifier) @name . (function_expression body: (function_expression_body (block) @body))) .)
  @definition.function)
(program (static_final_declaration_list
  . (static_final_declaration . (identifier) @name . [(list_literal) (set_or_map_literal)] @body .) .) @definition.constant)
(program (static_final_declaration_list (static_final_declaration . (identifier) @name)) @definition.constant)

(type_alias "typedef" . (type_identifier) @name . (type_parameters)? . "=") @definition.type
(type_alias (type_identifier) @name . (type_parameters)? . (formal_parameter_list)) @definition.type

; test('title', () { … })
((expression_statement
  (identifier) @_test
  (selector (argument_part (arguments
    . (argument (string_literal) @name)
    (argument (function_expression body: (function_expression_body (block) @body))))))) @definition.test
  (#any-of? @_test "group" "test" "testWidgets" "blocTest"))

(block) @local

; Other statements at the top level
(program (_) @definition.statement @name)
