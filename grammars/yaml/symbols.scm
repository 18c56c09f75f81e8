; Capture names are explained in grammars/README.md.

(comment) @comment

(block_mapping_pair key: (_) @name
  value: (block_node [(block_mapping) (block_sequence)] @body.indent)) @definition.property
(block_mapping_pair key: (_) @name
  value: (flow_node [(flow_mapping) (flow_sequence)] @body)) @definition.property
(block_mapping_pair key: (_) @name) @definition.property

(flow_pair key: (_) @name value: (flow_node [(flow_mapping) (flow_sequence)] @body)) @definition.property
(flow_pair key: (_) @name) @definition.property

; An item of a list has no name; it counts for the keys it holds. Its first key stays after the dash.
((block_sequence_item
  (block_node [
    (block_mapping . (_) @body.head)
    (block_sequence . (_) @body.head)
  ] @body.indent)) @definition.object
  (#set! name "item"))
((block_sequence_item (flow_node [(flow_mapping) (flow_sequence)] @body)) @definition.object
  (#set! name "item"))
((flow_sequence (flow_node [(flow_mapping) (flow_sequence)] @body) @definition.object)
  (#set! name "item"))
