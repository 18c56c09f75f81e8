/** A reusable prompt from a file of the workspace, sent by typing its name. */
export interface PromptFile {
  /** Without the slash. */
  readonly name: string;
  /** From the front matter, or "". */
  readonly description: string;
  readonly body: string;
}

/** Names that can be typed as one word. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63}$/u;
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/m;

/** Parses the prompt file at `path`. Null if its name cannot be typed or it has no text. */
export function parsePromptFile(path: string, text: string): PromptFile | null {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/(\.prompt)?\.md$/, "");
  const front = text.startsWith("---") ? FRONT_MATTER.exec(text) : null;
  const body = (front ? text.slice(front[0].length) : text).trim();
  if (!NAME.test(name) || body === "") return null;
  const [, value = ""] = /^description:(.*)$/m.exec(front?.[1] ?? "") ?? [];
  const [, quote = "", quoted] = /^(["'])(.*)\1$/.exec(value.trim()) ?? [];
  const description = quoted ?? value.trim();
  return {
    name,
    description: quote === "'" ? description.replaceAll("''", "'") : description,
    body,
  };
}

/**
 * Placeholders for the words typed after the prompt's name: `$ARGUMENTS`, `${input}`,
 * `${input:name}` or `${input:name:placeholder}`.
 */
const PLACES = /\$ARGUMENTS\b|\$\{input(?::[^{}]*)?\}/g;

/** Fills the placeholders of a prompt with `words`, or appends them if it has no placeholder. */
export function expandPrompt(body: string, words: string): string {
  const filled = body.replace(PLACES, () => words).trim();
  return words === "" || new RegExp(PLACES).test(body) ? filled : `${filled}\n\n${words}`;
}
