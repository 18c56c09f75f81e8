; Capture names are explained in grammars/README.md.

(comment) @comment

(binding attrpath: (_) @name expression: [
  (attrset_expression)
  (rec_attrset_expression)
] @body) @definition.property
(binding attrpath: (_) @name expression: (apply_expression argument: [
  (attrset_expression)
  (rec_attrset_expression)
] @body)) @definition.property
(binding attrpath: (_) @name expression: (function_expression)) @definition.function
(binding attrpath: (_) @name) @definition.property
