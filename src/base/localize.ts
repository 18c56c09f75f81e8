/** Placeholder values of a message, by name. */
export type MessageFacts = Readonly<Record<string, string | number>>;

/**
 * Translates a message and fills its `{name}` placeholders. As in `vscode.l10n.t`, the English text
 * is the key. Messages to models stay English.
 */
export type Localize = (message: string, facts?: MessageFacts) => string;

/** Fills the placeholders without translating. For models, the command line and tests. */
export const english: Localize = (message, facts = {}) =>
  message.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(facts[name] ?? placeholder));
