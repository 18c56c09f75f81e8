; Capture names are explained in grammars/README.md.

; `//!` and `/*! */` belong to the file or the module they stand in, not to what follows.
(line_comment !inner) @comment
(block_comment !inner) @comment
(source_file [(line_comment inner: (_)) (block_comment inner: (_)) (inner_attribute_item)] @imports.after)
(attribute_item) @attribute

(use_declaration) @import
(extern_crate_declaration) @import

(mod_item name: (_) @name body: (_) @body) @definition.module
(mod_item name: (_) @name) @definition.module

(struct_item name: (_) @name body: (field_declaration_list) @body) @definition.struct
(struct_item name: (_) @name) @definition.struct
(union_item name: (_) @name body: (_) @body) @definition.union
(field_declaration name: (_) @name) @definition.property
(enum_item name: (_) @name body: (_) @body) @definition.enum
(enum_variant name: (_) @name body: (field_declaration_list) @body) @definition.enum-member
(enum_variant name: (_) @name) @definition.enum-member
(trait_item name: (_) @name body: (_) @body) @definition.trait

; An impl has the name of its type, without what the type is referred to by and without its arguments.
(impl_item
  type: [
    (type_identifier) @name
    (scoped_type_identifier name: (_) @name)
    (generic_type type: (type_identifier) @name)
    (generic_type type: (scoped_type_identifier name: (_) @name))
    (reference_type type: (type_identifier) @name)
    (reference_type type: (scoped_type_identifier name: (_) @name))
    (reference_type type: (generic_type type: (type_identifier) @name))
    (reference_type type: (generic_type type: (scoped_type_identifier name: (_) @name)))
    (dynamic_type trait: (type_identifier) @name)
    [(primitive_type) (array_type) (tuple_type) (unit_type) (pointer_type) (function_type) (bounded_type) (never_type) (macro_invocation)] @name
  ]
  body: (_) @body) @definition.impl

(function_item name: (_) @name body: (_) @body) @definition.function
(function_signature_item name: (_) @name) @definition.function
(let_declaration pattern: (identifier) @name value: (closure_expression body: (block) @body)) @definition.function
(let_declaration pattern: (identifier) @name value: (closure_expression)) @definition.function

(const_item name: (_) @name value: (array_expression) @body) @definition.constant
(const_item name: (_) @name value: (reference_expression value: (array_expression) @body)) @definition.constant
(const_item name: (_) @name) @definition.constant
(static_item name: (_) @name value: (array_expression) @body) @definition.variable
(static_item name: (_) @name value: (reference_expression value: (array_expression) @body)) @definition.variable
(static_item name: (_) @name) @definition.variable
(type_item name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type
(macro_definition name: (_) @name) @definition.macro

(block) @local

; Other statements at the top level, in modules and impls
(source_file (_) @definition.statement @name)
(declaration_list (_) @definition.statement @name)
