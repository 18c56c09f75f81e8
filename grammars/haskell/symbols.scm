; Capture names are explained in grammars/README.md.

(comment) @comment
(haddock) @comment

(import) @import
(header) @imports.after
(header module: (_) @package)

(data_type name: (_) @name) @definition.type
(newtype name: (_) @name) @definition.type
(type_synomym name: (_) @name) @definition.type
(class name: (_) @name) @definition.interface
(instance name: (_) @owner patterns: (_) @name) @definition.impl
(data_constructor (record name: (_) @name)) @definition.enum-member
(data_constructor (prefix name: (_) @name)) @definition.enum-member
(field name: (_) @name) @definition.property
; A signature belongs to the function below.
(declarations (signature) @attribute)
(class_declarations (signature name: (_) @name) @definition.method)
(function name: (_) @name) @definition.function
(bind name: (_) @name) @definition.function

(local_binds) @local
(match) @local
