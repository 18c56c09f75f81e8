; Capture names are explained in grammars/README.md.

(comment) @comment

(section (section_name (text) @name) @body.rest) @definition.table
(setting (setting_name) @name) @definition.property
