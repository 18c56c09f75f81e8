; Only in JavaScript; the rest is in ecmascript/symbols.scm.

(field_definition property: (_) @name
  value: [
    (arrow_function body: (statement_block) @body)
    (function_expression body: (_) @body)
  ]) @definition.method
(field_definition property: (_) @name value: (arrow_function)) @definition.method
(field_definition property: (_) @name value: [(object) (array)] @body) @definition.property
(field_definition property: (_) @name) @definition.property
