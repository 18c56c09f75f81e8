/** Typed text that opens a list, from `start` to the caret. */
export interface Trigger {
  readonly trigger: "@" | "/";
  /** The typed character. `#` opens the same list as `@`. */
  readonly sign: "@" | "#" | "/";
  readonly query: string;
  readonly start: number;
}

/**
 * Finds the trigger at the end of the text before the caret, or null. `/` counts only at the start
 * of a message.
 */
export function findTrigger(before: string): Trigger | null {
  const command = /^\/([^\s/]{0,64})$/.exec(before);
  if (command) return { trigger: "/", sign: "/", query: command[1] ?? "", start: 0 };
  const mention = /(?:^|[\s([{,;])([@#])([^\s@#]{0,200})$/.exec(before);
  if (!mention) return null;
  const query = mention[2] ?? "";
  return {
    trigger: "@",
    sign: mention[1] === "#" ? "#" : "@",
    query,
    start: before.length - query.length - 1,
  };
}

/**
 * The paths after `@` and `#` in a pasted text. If the text itself looks like a single path, only
 * that.
 */
export function mentionedPaths(text: string): readonly string[] {
  if (/^[^\s@#]*[\\/.][^\s@#]*$/.test(text.trim())) return [text.trim()];
  const found = [...text.matchAll(/(?:^|[\s([{,;])[@#]([^\s@#]*[^\s@#.,;:!?)\]}])/g)];
  return [...new Set(found.map((match) => match[1] ?? ""))]
    .filter((path) => path !== "")
    .slice(0, 20);
}

/** The contents of a drag by type, with lowercase type names. */
export interface DragData {
  readonly types: readonly string[];
  getData(type: string): string;
}

const URI_LISTS = ["application/vnd.code.uri-list", "text/uri-list"];

/** Whether a drag contains files, folders or editors. */
export function holdsFiles({ types }: Pick<DragData, "types">): boolean {
  return types.some((type) => [...URI_LISTS, "resourceurls", "files"].includes(type.toLowerCase()));
}

/** The distinct URIs in a drag from the editor. */
export function draggedUris(data: DragData): readonly string[] {
  const lists = URI_LISTS.flatMap((type) => data.getData(type).split(/\r?\n/));
  const uris = [...lists, ...jsonStrings(data.getData("resourceurls"))].map((uri) => uri.trim());
  return [
    ...new Set(uris.filter((uri) => uri !== "" && !uri.startsWith("#") && uri.length <= 8_000)),
  ].slice(0, 200);
}

function jsonStrings(json: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(json || "[]");
    return Array.isArray(parsed)
      ? parsed.filter((each): each is string => typeof each === "string")
      : [];
  } catch {
    return [];
  }
}
