; Shared by C and C++. Capture names are explained in grammars/README.md.

(comment) @comment

; Includes inside `#if` are not the file's, but those inside an include guard are.
(translation_unit (preproc_include) @import)
(translation_unit
  (preproc_ifdef
    name: (_) @_guard @pattern.also . (comment)* . (preproc_def name: (_) @_defined) @pattern.also
    (preproc_include) @import @pattern.root)
  (#eq? @_guard @_defined))
(ERROR (preproc_include) @import)
(translation_unit
  (preproc_ifdef name: (_) @_guard . (comment)* . (preproc_def name: (_) @_defined) @imports.after)
  (#eq? @_guard @_defined))
(translation_unit
  (preproc_call directive: (_) @_pragma argument: (_) @_once) @imports.after
  (#eq? @_pragma "#pragma") (#match? @_once "^once"))

(preproc_def name: (_) @name) @definition.macro
(preproc_function_def name: (_) @name) @definition.macro

(struct_specifier name: (_) @name body: (_) @body) @definition.struct
(union_specifier name: (_) @name body: (_) @body) @definition.union
(enum_specifier name: (_) @name body: (_) @body) @definition.enum
(enumerator name: (_) @name) @definition.enum-member

; A declared name, which its declarators and its declaration wrap.
(function_declarator declarator: [(identifier) (field_identifier)] @name @definition.declaration
  (#not-any-of? @name "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P"))
(declaration declarator: (identifier) @name @definition.variable)
(init_declarator declarator: (identifier) @name @definition.variable)
(pointer_declarator declarator: (identifier) @name @definition.variable)
(array_declarator declarator: (identifier) @name @definition.variable)
; In `int a : 1, b : 1;` a name is only a part of what it stands for.
(field_declaration declarator: (field_identifier) @name @definition.property . ["," ";"])
(field_declaration type: (_) . (type_qualifier)* . declarator: (field_identifier) @name @definition.property . (bitfield_clause) . ";")
(pointer_declarator declarator: (field_identifier) @name @definition.property)
(array_declarator declarator: (field_identifier) @name @definition.property)

; A typedef is not an element beside a struct of the same name.
(type_definition
  type: [
    (struct_specifier name: (_) @_tag body: (_))
    (union_specifier name: (_) @_tag body: (_))
    (enum_specifier name: (_) @_tag body: (_))
  ]
  declarator: (type_identifier) @name @definition.type
  (#not-eq? @name @_tag))
(type_definition
  type: [
    (struct_specifier !name)
    (struct_specifier !body)
    (union_specifier !name)
    (union_specifier !body)
    (enum_specifier !name)
    (enum_specifier !body)
    (primitive_type)
    (sized_type_specifier)
    (type_identifier)
  ]
  declarator: (type_identifier) @name @definition.type)
(pointer_declarator declarator: (type_identifier) @name @definition.type)
(array_declarator declarator: (type_identifier) @name @definition.type)
(function_declarator declarator: (type_identifier) @name @definition.type)

; From the name to the declarator
(pointer_declarator declarator: (_) @wrapped) @wrapper
(array_declarator declarator: (_) @wrapped) @wrapper
(parenthesized_declarator (_) @wrapped) @wrapper
(function_declarator declarator: (_) @wrapped) @wrapper
(init_declarator declarator: (_) @wrapped value: (initializer_list) @body) @wrapper
(init_declarator declarator: (_) @wrapped) @wrapper

; From the declarator to the definition, or the declaration if it declares nothing else
(function_definition declarator: (_) @wrapped body: (compound_statement) @body) @wrapper @definition.function
(function_definition declarator: (_) @wrapped) @wrapper @definition.function
(declaration type: (_) . (type_qualifier)* . declarator: (_) @wrapped . ";") @wrapper
(field_declaration type: (_) . (type_qualifier)* . declarator: (_) @wrapped . ";") @wrapper
(field_declaration type: (_) . (type_qualifier)* . declarator: (_) @wrapped . (bitfield_clause) . ";") @wrapper
(declaration type: [(struct_specifier) (union_specifier) (enum_specifier)] @wrapped) @wrapper
(field_declaration type: [(struct_specifier name: (_)) (union_specifier name: (_)) (enum_specifier name: (_))] @wrapped) @wrapper
(type_definition type: (struct_specifier body: (_) @body) declarator: (_) @wrapped) @wrapper @definition.struct
(type_definition type: (union_specifier body: (_) @body) declarator: (_) @wrapped) @wrapper @definition.union
(type_definition type: (enum_specifier body: (_) @body) declarator: (_) @wrapped) @wrapper @definition.enum
(type_definition declarator: (_) @wrapped) @wrapper
(type_definition type: [(struct_specifier name: (_)) (union_specifier name: (_)) (enum_specifier name: (_))] @wrapped) @wrapper
(linkage_specification body: [(function_definition) (declaration)] @wrapped) @wrapper

; TEST(Suite, Name) { … }
(function_definition
  declarator: (function_declarator
    declarator: (identifier) @_test
    parameters: (parameter_list . (parameter_declaration type: (_) @owner) . (parameter_declaration type: (_) @name)))
  body: (_) @body
  (#any-of? @_test "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P")) @definition.test

(compound_statement) @local
(parameter_list) @local

; Other statements at the top level and in include guards, which are not elements themselves
(translation_unit (_) @definition.statement @name)
(translation_unit
  (preproc_ifdef name: (_) @_guard . (comment)* . (preproc_def name: (_) @_defined)) @definition.none
  (#eq? @_guard @_defined) (#set! name "guard"))
(translation_unit
  (preproc_ifdef
    name: (_) @_guard @pattern.also . (comment)* . (preproc_def name: (_) @_defined) @pattern.also
    (_) @definition.statement @name @pattern.root)
  (#eq? @_guard @_defined))
(linkage_specification body: (declaration_list (_) @definition.statement @name))
