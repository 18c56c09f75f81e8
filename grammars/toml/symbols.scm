; Capture names are explained in grammars/README.md. A table has the name that stands between its brackets, dots and quotes included.

(comment) @comment

(table "[" . (_) @name . "]" @body.rest) @definition.table
(table_array_element "[[" . (_) @name . "]]" @body.rest) @definition.table

; An inline table must stay on one line and takes no members.
(pair . (_) @name (array) @body .) @definition.property
(pair . (_) @name) @definition.property
