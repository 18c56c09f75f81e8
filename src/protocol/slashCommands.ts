/**
 * Graft's own commands of the composer, in the order of its list. A `prompt` sends words of its own
 * to the model, the `host` and the `panel` act. Where one of them lacks a command, the compiler
 * says so.
 */
const SLASH_COMMANDS = [
  { name: "edit", by: "host" },
  { name: "explain", by: "prompt" },
  { name: "fix", by: "prompt" },
  { name: "test", by: "prompt" },
  { name: "commit", by: "prompt" },
  { name: "btw", by: "host" },
  { name: "compact", by: "host" },
  { name: "new", by: "panel" },
] as const;

type Listed = (typeof SLASH_COMMANDS)[number];

export type SlashCommand = Listed["name"];
export type PromptCommand = Extract<Listed, { by: "prompt" }>["name"];
export type HostCommand = Extract<Listed, { by: "host" }>["name"];
export type PanelCommand = Extract<Listed, { by: "panel" }>["name"];

/** The names of all commands, in the order of the list. */
export const SLASH_COMMAND_NAMES: readonly SlashCommand[] = SLASH_COMMANDS.map(({ name }) => name);

/** A message that begins with a `/`; `words` is what follows the name. */
export function readSlash(text: string): { readonly name: string; readonly words: string } | null {
  const [, name, words = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  return name === undefined ? null : { name, words: words.trim() };
}

/** The command of Graft that a message begins with; null for none. */
export function readSlashCommand(text: string) {
  const read = readSlash(text);
  const listed = SLASH_COMMANDS.find(({ name }) => name === read?.name);
  return read && listed ? { ...listed, words: read.words } : null;
}
