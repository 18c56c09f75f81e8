; Capture names are explained in grammars/README.md.

(comment) @comment

(property (key) @name) @definition.property
