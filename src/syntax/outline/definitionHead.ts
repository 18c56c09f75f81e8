import { lineEnd, skipSpace } from "../../base/text/scan.ts";
import type { Definition } from "../paths/definition.ts";
import type { ElementHead } from "../paths/elementHead.ts";

/** More of a head is not compared. In UTF-16 units. */
const MAX_HEAD = 1_000;

const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]" };

/** The head of a definition: up to its body or value, without attributes. */
export function definitionHead(definition: Definition, text: string): ElementHead {
  const { body, bodyStyle, end, level } = definition;
  const start = afterAttributes(definition, text);
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
 * Where a definition begins after `@a(…)`, `[A]`, `#[a]`; its start when its name is among them.
 */
function afterAttributes({ start, nameStart }: Definition, text: string): number {
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
