/** What a link in an answer opens: a web page, or a file of the workspace with a 1-based line. */
export type LinkTarget =
  | { readonly type: "web"; readonly url: string }
  | { readonly type: "file"; readonly path: string; readonly line: number | null };

const lineSuffix = /(?:#L|:)(\d{1,7})(?:(?:-L?|:)\d+)?$/;

/** Parses a Markdown link's address. Null for all but http, https and workspace paths: never `command:` or `javascript:`. */
export function linkTarget(href: string): LinkTarget | null {
  const text = href.trim();
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? { type: "web", url: new URL(text).href } : null;
  if (text === "" || text.startsWith("#") || text.startsWith("//")) return null;
  const match = lineSuffix.exec(text);
  const path = decode(match ? text.slice(0, match.index) : text);
  if (path === null || path === "" || /^[a-z][a-z0-9+.-]*:/i.test(path) || hasControlCharacter(path)) return null;
  const line = match?.[1] === undefined ? null : Number(match[1]);
  return { type: "file", path: path.replace(/^\.\//, ""), line: line === 0 ? null : line };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < " ");
}
