; Capture names are explained in grammars/README.md.

(comments) @comment

(use_no_statement) @import
(package_statement) @imports.after

(function_definition name: (_) @name body: (block) @body) @definition.function
(binary_expression . variable: (variable_declaration variable_name: (_) @name)) @definition.variable

(block) @local

; Other statements at the top level
(source_file (_) @definition.statement @name)
