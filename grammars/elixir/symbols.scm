; Capture names are explained in grammars/README.md.

(comment) @comment

; @doc and @spec belong to the function below.
((unary_operator operator: "@" operand: (call target: (identifier) @_name)) @attribute
  (#any-of? @_name "doc" "typedoc" "spec" "impl" "deprecated"))
((unary_operator operator: "@" operand: (call target: (identifier) @name)) @definition.constant
  (#not-any-of? @name "moduledoc" "doc" "typedoc" "spec" "impl" "deprecated" "type" "typep" "opaque" "callback" "macrocallback" "behaviour"))
((unary_operator operator: "@" operand: (call target: (identifier) @_type
    (arguments (binary_operator left: [(identifier) @name (call target: (identifier) @name)]))))
  @definition.type
  (#any-of? @_type "type" "typep" "opaque"))
((unary_operator operator: "@" operand: (call target: (identifier) @_callback
    (arguments (binary_operator left: (call target: (identifier) @name)))))
  @definition.declaration
  (#any-of? @_callback "callback" "macrocallback"))

((call target: (identifier) @_import) @import
  (#any-of? @_import "use" "alias" "import" "require"))

((call target: (identifier) @_module (arguments (alias) @name)
  (do_block . "do" @body.open "end" @body.close .)) @definition.module
  (#any-of? @_module "defmodule" "defprotocol"))
((call target: (identifier) @_impl
  (arguments . (alias) @name (keywords (pair value: (alias) @owner)))
  (do_block . "do" @body.open "end" @body.close .)) @definition.impl
  (#eq? @_impl "defimpl"))
((call target: (identifier) @name) @definition.struct
  (#any-of? @name "defstruct" "defexception"))

((call target: (identifier) @_def
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ] .)
  (do_block . "do" @body.open "end" @body.close .)) @definition.function
  (#any-of? @_def "def" "defp" "defguard" "defguardp" "defdelegate" "defn" "defnp"))
((call target: (identifier) @_def
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])) @definition.function
  (#any-of? @_def "def" "defp" "defguard" "defguardp" "defdelegate" "defn" "defnp"))
((call target: (identifier) @_macro
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])
  (do_block . "do" @body.open "end" @body.close .)) @definition.macro
  (#any-of? @_macro "defmacro" "defmacrop"))

((call target: (identifier) @_test (arguments . (string) @name)
  (do_block . "do" @body.open "end" @body.close .)) @definition.test
  (#any-of? @_test "describe" "test"))

; Other statements at the top level
(source (_) @definition.statement @name)
