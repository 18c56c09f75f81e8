; Capture names are explained in grammars/README.md.

(comment) @comment
(heredoc_body) @tail

((program (call !receiver method: (identifier) @_require) @import)
  (#any-of? @_require "require" "require_relative" "load" "autoload"))

(module name: (_) @name @body.open "end" @body.close) @definition.module
(class name: (_) @name @body.open superclass: (_)? @body.open "end" @body.close) @definition.class
(singleton_class value: (_) @name @body.open "end" @body.close) @definition.object

(method name: (_) @name @body.open parameters: (_)? @body.open "end" @body.close (#eq? @name "initialize")) @definition.constructor
(method name: (_) @name @body.open parameters: (_)? @body.open "end" @body.close) @definition.method
(method name: (_) @name) @definition.method
(singleton_method object: (_) @qualifier name: (_) @name @body.open parameters: (_)? @body.open "end" @body.close) @definition.method
(singleton_method object: (_) @qualifier name: (_) @name) @definition.method

; private def x … end
(call arguments: (argument_list . [(method) (singleton_method)] @wrapped .) !block) @wrapper

; Point = Struct.new(:x) do … end, MAP = { … }.freeze
(assignment left: (constant) @name
  right: (call block: [
    (do_block "do" @body.open parameters: (_)? @body.open "end" @body.close)
    (block "{" @body.open parameters: (_)? @body.open "}" @body.close)
  ])) @definition.class
(assignment left: (constant) @name right: [(hash) (array)] @body) @definition.constant
(assignment left: (constant) @name right: (call receiver: [(hash) (array)] @body)) @definition.constant
(assignment left: (constant) @name) @definition.constant

; attr_reader :x, :y (they share the line); has_many :things, through: :others
((call !receiver method: (identifier) @_attr arguments: (argument_list (simple_symbol) @name)) @definition.property
  (#match? @_attr "^[cm]?attr_(reader|writer|accessor)$")
  (#set! prefix ":"))
((call !receiver method: (identifier) @_macro arguments: (argument_list . (simple_symbol) @name)) @definition.property
  (#any-of? @_macro "has_many" "has_one" "belongs_to" "has_and_belongs_to_many" "scope")
  (#set! prefix ":"))

; Test blocks by title, tasks by name
((call method: (identifier) @_test
  arguments: (argument_list . [
    (string) @name
    (constant) @name
    (scope_resolution) @name
    (simple_symbol) @name
    (pair key: (_) @name)
  ])
  block: [
    (do_block "do" @body.open parameters: (_)? @body.open "end" @body.close)
    (block "{" @body.open parameters: (_)? @body.open "}" @body.close)
  ]) @definition.test
  (#any-of? @_test
    "describe" "context" "it" "specify" "feature" "scenario" "test" "should" "shared_examples" "shared_context" "let" "let!"
    "namespace" "task")
  (#set! prefix ":"))

; Other statements at the top level and in classes and modules
(program (heredoc_body) @definition.none (#set! name "heredoc"))
(program (_) @definition.statement @name)
(module body: (body_statement (_) @definition.statement @name))
(class body: (body_statement (_) @definition.statement @name))
