; Capture names are explained in grammars/README.md.

(comment) @comment

(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import
(module . (comment)* . (expression_statement (string)) @imports.after)

(decorated_definition definition: (_) @wrapped) @wrapper

(class_definition name: (_) @name body: (_) @body.indent) @definition.class
(function_definition name: (_) @name body: (_) @body.indent @local) @definition.function

; A docstring stays the first thing of its body.
(class_definition body: (block . (comment)* . (expression_statement . (string) .) @body.head))
(function_definition body: (block . (comment)* . (expression_statement . (string) .) @body.head))

(expression_statement . (assignment left: (identifier) @name right: [(dictionary) (list) (set)] @body)) @definition.variable
(expression_statement . (assignment left: (identifier) @name)) @definition.variable
(type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)])) @definition.type

; Other statements at the top level and in classes
(module (_) @definition.statement @name)
(class_definition body: (block (_) @definition.statement @name))
