; Capture names are explained in grammars/README.md.

(comment) @comment

(import_statement) @import
(charset_statement) @imports.after

(rule_set (block) @body @name.end) @definition.rule
(keyframes_statement (keyframe_block_list) @body @name.end) @definition.rule
(keyframe_block (block) @body @name.end) @definition.rule
(media_statement (block) @body @name.end) @definition.rule
(supports_statement (block) @body @name.end) @definition.rule
(at_rule (block) @body @name.end) @definition.rule

(declaration (property_name) @name (#match? @name "^--")) @definition.property
