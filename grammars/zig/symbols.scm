; Capture names are explained in grammars/README.md.

(comment) @comment

((variable_declaration (builtin_function (builtin_identifier) @_import)) @import
  (#eq? @_import "@import"))

(function_declaration name: (_) @name body: (block) @body) @definition.function
(function_declaration name: (_) @name) @definition.function
(variable_declaration . (identifier) @name (struct_declaration) @body) @definition.struct
(variable_declaration . (identifier) @name (union_declaration) @body) @definition.union
(variable_declaration . (identifier) @name (enum_declaration) @body) @definition.enum
(variable_declaration . (identifier) @name (error_set_declaration)) @definition.enum
(variable_declaration . (identifier) @name) @definition.variable
(enum_declaration (container_field name: (_) @name) @definition.enum-member)
(container_field name: (_) @name) @definition.property
(test_declaration [(string) (identifier)] @name (block) @body) @definition.test

(block) @local
