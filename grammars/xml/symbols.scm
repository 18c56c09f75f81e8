; Capture names are explained in grammars/README.md.

(Comment) @comment

; An element is named by its tag.
(element (STag . (Name) @name) @body.open (ETag) @body.close) @definition.element
(element (EmptyElemTag . (Name) @name)) @definition.element
