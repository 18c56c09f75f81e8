; Elements with an id; head, body, title, scripts and styles also without one. Capture names are explained in grammars/README.md.

(comment) @comment

((element
  (start_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)])) @body.open
  (end_tag) @body.close) @definition.element
  (#match? @_id "^[iI][dD]$"))
((element
  (_ (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)])))
  @definition.element
  (#match? @_id "^[iI][dD]$"))
((script_element
  (start_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)])) @body.open
  (end_tag) @body.close) @definition.element
  (#match? @_id "^[iI][dD]$"))
((style_element
  (start_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)])) @body.open
  (end_tag) @body.close) @definition.element
  (#match? @_id "^[iI][dD]$"))

((element (start_tag (tag_name) @name) @body.open (end_tag) @body.close) @definition.element
  (#match? @name "^(head|body|title|HEAD|BODY|TITLE)$")
  (#not-match? @body.open "\\s[iI][dD]\\s*="))
((script_element (start_tag (tag_name) @name) @body.open (end_tag) @body.close) @definition.element
  (#not-match? @body.open "\\s[iI][dD]\\s*="))
((style_element (start_tag (tag_name) @name) @body.open (end_tag) @body.close) @definition.element
  (#not-match? @body.open "\\s[iI][dD]\\s*="))

; Other elements in a partial page, in a page and in its body
(document (_) @definition.statement @name)
((element (start_tag (tag_name) @_body) @pattern.also (element) @definition.statement @name @pattern.root)
  (#match? @_body "^(body|BODY)$"))
((element (start_tag (tag_name) @_page) @pattern.also (element) @definition.statement @name @pattern.root)
  (#match? @_page "^(html|HTML)$"))
