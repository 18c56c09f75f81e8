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
