; Capture names are explained in grammars/README.md.

(comment) @comment

(pair key: (string) @name value: [(object) (array)] @body) @definition.property
(pair key: (string) @name) @definition.property

; An object in a list has no name; it counts for the keys it holds.
((array (object) @definition.object @body) (#set! name "item"))
((array (array) @definition.object @body) (#set! name "item"))
