/** The values of a message's placeholders, by name. */
export type MessageFacts = Readonly<Record<string, string | number>>;

/** Translates a message and fills its `{name}` placeholders. The English text is the key, as in `vscode.l10n.t`. Models read English. */
export type Localize = (message: string, facts?: MessageFacts) => string;

/** Fills the placeholders and translates nothing: for models, the command line and tests. */
export const english: Localize = (message, facts = {}) =>
  message.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(facts[name] ?? placeholder));
