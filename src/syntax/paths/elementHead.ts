import { firstPart } from "../../base/text/clip.ts";
import { lineEnd, skipSpace } from "../../base/text/scan.ts";
import type { Element } from "./element.ts";
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

/** More of a head is not compared. In UTF-16 units. */
const MAX_HEAD = 1_000;

const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]" };

/** The head of an element: up to its body or value, without attributes. */
export function elementHead(element: Element, text: string): ElementHead {
  const { body, bodyStyle, end, level } = element;
  const start = afterAttributes(element, text);
  const firstLine = {
    text: text.slice(start, Math.min(end, lineEnd(text, start))),
    next: "line-end",
  } as const;
  if (level > 0) return firstLine;
  if (!body) return withoutBody(text.slice(start, Math.min(end, start + MAX_HEAD)));
  const head = text.slice(start, Math.min(body.start, end, start + MAX_HEAD));
  // An entry of a list begins with its first member.
  if (head.trim() === "" || /^-\s/.test(head)) return firstLine;
  if (bodyStyle === "indent")
    return { text: head.replace(/(?:\s*#[^\n]*)+\s*$/, "").trimEnd(), next: "any" };
  if (bodyStyle === "between" || bodyStyle === "rest")
    return { text: head, next: /[)>\]]\s*$/.test(head) ? "any" : "line-end" };
  const open = text[body.start];
  return { text: head, next: open === "{" || open === "[" || open === "(" ? open : "any" };
}

/** A declaration, or what has a value. */
function withoutBody(text: string): ElementHead {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign in CLOSERS) depth++;
    else if (sign === ")" || sign === "]") depth--;
    else if (
      depth === 0 &&
      (sign === "{" || (sign === "=" && !/[=!<>]/.test(text.charAt(at - 1))))
    ) {
      return { text: text.slice(0, at).replace(/:\s*$/, ""), next: sign === "{" ? "{" : "value" };
    }
  }
  return { text: text.replace(/[;,]\s*$/, ""), next: "end" };
}

/**
 * Where an element begins after `@a(…)`, `[A]`, `#[a]`; its start when its name is among them.
 */
function afterAttributes({ start, nameStart }: Element, text: string): number {
  const opener = /(?:@[\w.:]+|#(?=!?\[)|(?=\[))!?/y;
  let at = start;
  for (;;) {
    opener.lastIndex = at;
    if (!opener.test(text)) break;
    const next = afterBrackets(text, opener.lastIndex);
    if (next <= at) break;
    at = skipSpace(text, next, text.length);
    if (at > nameStart) return start;
  }
  return at;
}

/** The end of the bracket pair at `offset`; `offset` for none. */
function afterBrackets(text: string, offset: number): number {
  const stack: string[] = [];
  for (let at = offset; at < Math.min(text.length, offset + MAX_HEAD); at++) {
    const sign = text.charAt(at);
    const closer = CLOSERS[sign];
    if (closer) stack.push(closer);
    else if (sign === stack.at(-1)) stack.pop();
    if (stack.length === 0) return at === offset && !closer ? offset : at + 1;
  }
  return offset;
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
export function clippedHead({ text }: ElementHead): string {
  const line = normalizePath(text);
  return line.length > MAX_SIGNATURE ? `${firstPart(line, MAX_SIGNATURE)}…` : line;
}

/** More lines of a body are not examined: attributes and comments are seldom longer. */
const MAX_LINES = 40;

/**
 * True when `body` declares an element with exactly this head, whatever its spaces, line breaks and
 * trailing commas.
 */
export function fitsHead(head: ElementHead, body: readonly string[]): boolean {
  const lines = body.slice(body.findIndex((line) => line.trim() !== ""));
  const indent = indentLength(lines[0] ?? "");
  const pattern = headPattern(head.text);
  return lines.slice(0, MAX_LINES).some((line, index) => {
    // Deeper lines are members.
    if (line.trim() === "" || indentLength(line) > indent) return false;
    const text = lines.slice(index).join("\n").trimStart();
    const found = pattern.exec(text);
    return found !== null && FOLLOWS[head.next].test(text.slice(found[0].length));
  });
}

function indentLength(line: string): number {
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
