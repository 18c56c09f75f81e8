/** The opening line of a fenced block. */
export interface FenceOpener {
  readonly character: "`" | "~";
  readonly length: number;
  /** Spaces before the fence. At most as many are stripped from each body line. */
  readonly indent: number;
  /** Emphasis marks around the line, such as `**`, or "". */
  readonly emphasis: string;
  /** The rest of the line, trimmed. Of an edit block, the bare address. */
  readonly info: string;
}

/**
 * Matches the address of an edit block, whose path and checks may contain backticks. A check may
 * start with a fence. Does not match inline code.
 */
const ADDRESS_WITH_BACKTICKS = /^[^\s`:]*:(?:ast-path:|\d+:\d+)(?!.*(?<!`|\s")```)/;

/** A line that starts an item of a list. */
export const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/** Parses an opening fence from a line without its line break. Null for any other line. */
export function parseFenceOpener(line: string): FenceOpener | null {
  const match = /^( {0,3})(\*{1,3}|_{1,3}|)(`{3,}|~{3,})/.exec(line);
  if (!match) return null;
  const [opening, spaces = "", emphasis = "", marks = ""] = match;
  const written = line.slice(opening.length).trim();
  const info = plainAddress(
    emphasis !== "" && written.endsWith(emphasis)
      ? written.slice(0, -emphasis.length).trim()
      : written,
  );
  const character = marks.startsWith("`") ? "`" : "~";
  if (emphasis !== "" && !isAddress(info)) return null;
  if (character === "`" && info.includes("`") && !ADDRESS_WITH_BACKTICKS.test(info)) return null;
  return { character, length: marks.length, indent: spaces.length, emphasis, info };
}

/**
 * The info string with its address unquoted. Models wrap it in backticks, or write it as attributes
 * with `=` and quotes.
 */
function plainAddress(info: string): string {
  return info
    .replace(
      /^([^\s`:]*(?:\s*:|\s|$|(?=`))\s*)`((?:ast-path[:=][^`]|\d+:\d+)[^`]*)`(?=\s|$)/,
      "$1$2",
    )
    .replace(
      /^([^\s`:=]*(?::|\s+:?|(?=ast-path=)))ast-path=(?:"([^"]+)"|'([^']+)'|)(?=\S|\s|$)/,
      (_, lang: string, a?: string, b?: string) => {
        return `${lang}ast-path:${a ?? b ?? ""}`;
      },
    );
}

/**
 * Parses an opening fence in a list item. It follows the item's marker. In an open list (`inList`),
 * it may also be indented by four or more spaces if it has an address.
 */
export function parseListedOpener(line: string, inList: boolean): FenceOpener | null {
  const match = /^(?: *(?:[-*+]|\d{1,9}[.)]) +| {4,})(?=```|~~~)/.exec(line);
  if (!match) return null;
  const fence = parseFenceOpener(line.slice(match[0].length));
  return fence && (LIST_ITEM.test(line) || (inList && isAddress(fence.info)))
    ? { ...fence, indent: match[0].length }
    : null;
}

/** Whether an info string starts like the address of an edit block. */
export function isAddress(info: string): boolean {
  return /^[^\s`:]*(?::|\s+:?(?=\d)|\s*(?=ast-path:))\s*(?:ast-path:\S|\d+:\d+(?![\d.]))/.test(
    info,
  );
}

/** A bare fence without its emphasis marks. Other lines are unchanged. */
export function withoutEmphasis(line: string, marks: string): string {
  const rest = line.trim();
  const start = rest.startsWith(marks) ? marks.length : 0;
  const bare = rest.slice(
    start,
    rest.endsWith(marks) && rest.length > start ? -marks.length : undefined,
  );
  return /^ {0,3}\S/.test(line) && /^(?:`{3,}|~{3,})$/.test(bare) ? bare : line;
}
