; Capture names are explained in grammars/README.md.

(comment) @comment

(source (extends_statement) @imports.after)

(class_definition name: (_) @name body: (_) @body.indent) @definition.class
(function_definition name: (_) @name body: (_) @body.indent) @definition.function
(constructor_definition "_init" @name body: (_) @body.indent) @definition.constructor
(signal_statement (name) @name) @definition.event
(enum_definition name: (_) @name body: (_) @body) @definition.enum
(enumerator left: (_) @name) @definition.enum-member
(const_statement name: (_) @name) @definition.constant
(variable_statement name: (_) @name) @definition.variable
(class_name_statement (name)) @definition.none @name

(function_definition body: (_) @local)
