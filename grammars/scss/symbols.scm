; Capture names are explained in grammars/README.md.

(comment) @comment
(single_line_comment) @comment

[
  (import_statement)
  (use_statement)
  (forward_statement)
] @import
(charset_statement) @imports.after

; A block takes members only after a `;` or a block: after a declaration without its `;` they would become part of it.
([
  (rule_set (block) @body @name.end)
  (media_statement (block) @body @name.end)
  (supports_statement (block) @body @name.end)
  (keyframe_block (block) @body @name.end)
  (at_rule (block) @body @name.end)
  (placeholder (block) @body @name.end)
] @definition.rule
  (#match? @body "[{;}]\\s*((/\\*[^*]*\\*+([^/*][^*]*\\*+)*/|//[^\\n]*\\n)\\s*)*\\}$"))
[
  (rule_set (block) @name.end)
  (media_statement (block) @name.end)
  (supports_statement (block) @name.end)
  (keyframe_block (block) @name.end)
  (at_rule (block) @name.end)
  (placeholder (block) @name.end)
] @definition.rule
(keyframes_statement (keyframe_block_list) @body @name.end) @definition.rule

(mixin_statement (name) @name (block) @body) @definition.mixin
(function_statement (name) @name (block) @body) @definition.function
((declaration (property_name) @name) @definition.property (#match? @name "^--"))
(declaration (variable_name) @name) @definition.variable
