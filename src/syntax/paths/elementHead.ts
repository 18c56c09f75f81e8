import { normalizePath } from "./elementName.ts";

/** How an element begins: what tells it from others of its name. */
export interface ElementHead {
  /** The declaration up to its body or value, without attributes. */
  readonly text: string;
  /**
   * What follows: the bracket that opens the body, the end of the declaration or of the line, a
   * value, or anything.
   */
  readonly next: "{" | "[" | "(" | "end" | "line-end" | "value" | "any";
}

const FOLLOWS: Readonly<Record<ElementHead["next"], RegExp>> = {
  "{": /^\s*\{/,
  "[": /^\s*\[/,
  "(": /^\s*\(/,
  end: /^\s*[;,]?\s*$/,
  "line-end": /^[ \t]*(?:$|[\r\n;]|--|#|\/\/)/,
  value: /^\s*:?=/,
  any: /^/,
};

/** A signature is clipped to so many UTF-16 units. */
const MAX_SIGNATURE = 100;

/** A head on one line, to tell elements of one name apart. */
export function signatureOf({ text }: ElementHead): string {
  const line = normalizePath(text);
  return line.length > MAX_SIGNATURE ? `${line.slice(0, MAX_SIGNATURE)}…` : line;
}

/** More lines of a body are not examined: attributes and comments are seldom longer. */
const MAX_LINES = 40;

/**
 * True when `body` declares an element with exactly this head, whatever its spaces, line breaks and
 * trailing commas.
 */
export function fitsHead(head: ElementHead, body: readonly string[]): boolean {
  const lines = body.slice(body.findIndex((line) => line.trim() !== ""));
  const indent = indentOf(lines[0] ?? "");
  const pattern = headPattern(head.text);
  return lines.slice(0, MAX_LINES).some((line, index) => {
    // Deeper lines are members.
    if (line.trim() === "" || indentOf(line) > indent) return false;
    const text = lines.slice(index).join("\n").trimStart();
    const found = pattern.exec(text);
    return found !== null && FOLLOWS[head.next].test(text.slice(found[0].length));
  });
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function headPattern(head: string): RegExp {
  const tokens = head.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
  let source = "^";
  tokens.forEach((token, index) => {
    const next = tokens[index + 1] ?? "";
    const closes = /^[)\]>]$/;
    if (token === "," && closes.test(next)) return;
    const isWord = /^[\p{L}\p{N}_$]/u.test(token);
    if (index > 0)
      source +=
        isWord && /[\p{L}\p{N}_$]$/u.test(tokens[index - 1] ?? "")
          ? "\\s+"
          : closes.test(token)
            ? "\\s*,?\\s*"
            : "\\s*";
    source += token.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  });
  // A word must end where the head does.
  return new RegExp(
    /[\p{L}\p{N}_$]$/u.test(head.trimEnd()) ? `${source}(?![\\p{L}\\p{N}_$])` : source,
    "u",
  );
}
