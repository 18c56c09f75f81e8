/** The target of a link in an answer: a web page, or a workspace file with a 1-based line. */
export type LinkTarget =
  | { readonly type: "web"; readonly url: string }
  | { readonly type: "file"; readonly path: string; readonly line: number | null };

const lineSuffix = /(?:#L|:)(\d{1,7})(?:(?:-L?|:)\d+)?$/;

/**
 * Parses a Markdown link's URL. Null for everything except http, https and workspace paths, so
 * never `command:` or `javascript:`.
 */
export function linkTarget(href: string): LinkTarget | null {
  const text = href.trim();
  if (/^https?:\/\//i.test(text))
    return URL.canParse(text) ? { type: "web", url: new URL(text).href } : null;
  if (text === "" || text.startsWith("#") || text.startsWith("//")) return null;
  const match = lineSuffix.exec(text);
  const path = decode(match ? text.slice(0, match.index) : text);
  if (
    path === null ||
    path === "" ||
    /^[a-z][a-z0-9+.-]*:/i.test(path) ||
    hasControlCharacter(path)
  )
    return null;
  const line = match?.[1] === undefined ? null : Number(match[1]);
  return { type: "file", path: path.replace(/^\.\//, ""), line: line === 0 ? null : line };
}

/** The possible target of inline code: a workspace file or a symbol. */
export type CodeTarget =
  | { readonly type: "file"; readonly path: string; readonly line: number | null }
  | { readonly type: "symbol"; readonly name: string };

const fileName =
  /^(?:[\w@.+-]+\/)*[\w@.+-]+\.(?:[cm]?[jt]sx?|json[c5]?|py|rb|go|rs|java|kt|swift|cs|c|cc|cpp|h|hpp|php|vue|svelte|html?|s?css|less|md|txt|ya?ml|toml|xml|sql|sh|ps1|csv|lock)(?::\d{1,7}(?::\d+)?|#L\d{1,7})?$/;
/**
 * Qualified names such as `Shape.area`, `Shape#area` or `shapes::area`, optionally with call
 * parentheses.
 */
const symbolName =
  /^((?:[\p{L}_$][\p{L}\p{N}_$]*(?:\.|#|::))*#?([\p{L}_$][\p{L}\p{N}_$]{2,}))[!?]?(?:\([^()]*\))?$/u;
const noSymbols = new Set(
  "true false null undefined none self this void any string number boolean int float bool str const let var class function def return import export from type interface async await new try catch if else for while npm git node".split(
    " ",
  ),
);

/** The target of inline code. Null for all other code. */
export function codeTarget(code: string): CodeTarget | null {
  if (code.length > 200) return null;
  if (fileName.test(code)) {
    const target = linkTarget(code);
    return target?.type === "file" ? target : null;
  }
  const [, name = "", last = ""] = symbolName.exec(code) ?? [];
  return name === "" || noSymbols.has(last.toLowerCase())
    ? null
    : { type: "symbol", name: name.replace(/^#/, "") };
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

/** A piece of plain text; `url` where it is a web address. */
export interface AddressPiece {
  readonly text: string;
  readonly url: string | null;
}

const ADDRESS = /https?:\/\/[^\s"'<>`]+/gi;

/** Splits plain text at its web addresses. Punctuation after an address belongs to the sentence. */
export function splitAddresses(text: string): AddressPiece[] {
  const pieces: AddressPiece[] = [];
  let end = 0;
  const add = (piece: string, url: string | null) => {
    if (piece !== "") pieces.push({ text: piece, url });
  };
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(found);
    const target = linkTarget(address);
    if (target?.type !== "web") continue;
    add(text.slice(end, index), null);
    add(address, target.url);
    end = index + address.length;
  }
  add(text.slice(end), null);
  return pieces;
}

/** A closing bracket stays where the address has its opening one. */
function withoutPunctuation(address: string): string {
  const trimmed = address.replace(/[.,;:!?*]+$/, "");
  const isOpen = (open: string, close: string) =>
    trimmed.split(open).length >= trimmed.split(close).length;
  const closes =
    (trimmed.endsWith(")") && !isOpen("(", ")")) || (trimmed.endsWith("]") && !isOpen("[", "]"));
  return closes ? withoutPunctuation(trimmed.slice(0, -1)) : trimmed;
}
