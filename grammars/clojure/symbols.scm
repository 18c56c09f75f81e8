; Capture names are explained in grammars/README.md.

(comment) @comment

((source (list_lit . (sym_lit name: (_) @_ns) . (sym_lit) @package) @imports.after)
  (#eq? @_ns "ns"))

((list_lit . (sym_lit name: (_) @_def) . (sym_lit name: (_) @name)) @definition.function
  (#any-of? @_def "defn" "defn-" "defmulti"))
((list_lit . (sym_lit name: (_) @_def) . (sym_lit name: (_) @name)) @definition.variable
  (#any-of? @_def "def" "defonce"))
((list_lit . (sym_lit name: (_) @_def) . (sym_lit name: (_) @name)) @definition.macro
  (#eq? @_def "defmacro"))
((list_lit . (sym_lit name: (_) @_def) . (sym_lit name: (_) @name)) @definition.interface
  (#any-of? @_def "defprotocol" "definterface"))
((list_lit . (sym_lit name: (_) @_def) . (sym_lit name: (_) @name)) @definition.record
  (#any-of? @_def "defrecord" "deftype"))
((list_lit . (sym_lit name: (_) @_def) . (sym_lit name: (_) @owner) . (_) @name) @definition.method
  (#eq? @_def "defmethod"))
((list_lit . (sym_lit name: (_) @_def) . (sym_lit name: (_) @name)) @definition.test
  (#eq? @_def "deftest"))
((list_lit . (sym_lit name: (_) @_def) (list_lit . (sym_lit name: (_) @name)) @definition.method)
  (#any-of? @_def "defprotocol" "definterface" "defrecord" "deftype" "extend-type" "extend-protocol" "reify"))

; Other statements at the top level
(source (_) @definition.statement @name)
