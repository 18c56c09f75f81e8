; Capture names are explained in grammars/README.md.

(comment) @comment

; resource "aws_instance" "web" { … } is resource.aws_instance.web, as in expressions.
(block . (identifier) @name . (block_start) @body.open (block_end) @body.close) @definition.block
(block . (identifier) @qualifier . [(string_lit (template_literal) @name) (identifier) @name]
  . (block_start) @body.open (block_end) @body.close) @definition.block
(block . (identifier) @qualifier . (string_lit (template_literal) @qualifier)
  . (string_lit (template_literal) @name)
  . (block_start) @body.open (block_end) @body.close) @definition.block

(attribute . (identifier) @name (expression (collection_value [(object) (tuple)] @body))) @definition.property
(attribute . (identifier) @name) @definition.property
