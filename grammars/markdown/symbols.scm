; A heading's section runs to the next heading of its level or above; headings in quotes and lists are none.

(section (atx_heading (atx_h1_marker) heading_content: (_) @name) @section (#set! level "1"))
(section (atx_heading (atx_h2_marker) heading_content: (_) @name) @section (#set! level "2"))
(section (atx_heading (atx_h3_marker) heading_content: (_) @name) @section (#set! level "3"))
(section (atx_heading (atx_h4_marker) heading_content: (_) @name) @section (#set! level "4"))
(section (atx_heading (atx_h5_marker) heading_content: (_) @name) @section (#set! level "5"))
(section (atx_heading (atx_h6_marker) heading_content: (_) @name) @section (#set! level "6"))
(section (setext_heading heading_content: (_) @name (setext_h1_underline)) @section (#set! level "1"))
(section (setext_heading heading_content: (_) @name (setext_h2_underline)) @section (#set! level "2"))

; A heading without a text has no path, but it ends the section above.
(section (atx_heading !heading_content (atx_h1_marker) @name) @section (#set! level "1"))
(section (atx_heading !heading_content (atx_h2_marker) @name) @section (#set! level "2"))
(section (atx_heading !heading_content (atx_h3_marker) @name) @section (#set! level "3"))
(section (atx_heading !heading_content (atx_h4_marker) @name) @section (#set! level "4"))
(section (atx_heading !heading_content (atx_h5_marker) @name) @section (#set! level "5"))
(section (atx_heading !heading_content (atx_h6_marker) @name) @section (#set! level "6"))

[(block_quote) (list)] @local

; Front matter, and what stands above the first heading
(document [(minus_metadata) (plus_metadata)] @definition.statement (#set! name "front matter"))
(section
  .
  [
    (paragraph) (html_block) (list) (block_quote) (pipe_table) (fenced_code_block) (indented_code_block) (thematic_break)
    (link_reference_definition)
  ]
  (_) @definition.statement @name)
(section
  .
  [
    (paragraph) (html_block) (list) (block_quote) (pipe_table) (fenced_code_block) (indented_code_block) (thematic_break)
    (link_reference_definition)
  ] @definition.statement @name)
