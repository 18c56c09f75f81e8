; What Vue has beside HTML. Capture names are explained in grammars/README.md.

((template_element (start_tag (tag_name) @name) @body.open (end_tag) @body.close) @definition.element
  (#not-match? @body.open "\\s[iI][dD]\\s*="))
