; Capture names are explained in grammars/README.md.

(comment) @comment
(module_comment) @comment
(statement_comment) @comment
(attribute) @attribute

(import) @import

(function name: (_) @name body: (_)) @definition.function
(function name: (_) @name) @definition.function
(constant name: (_) @name) @definition.constant
(type_definition (type_name name: (_) @name)) @definition.type
(type_alias (type_name name: (_) @name)) @definition.type
(data_constructor name: (_) @name) @definition.enum-member
(data_constructor_argument label: (_) @name) @definition.property
