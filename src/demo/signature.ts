/** What a declaration says about its arguments. */
export interface Signature {
  readonly parameters: readonly Parameter[];
  /** The annotated result type, null where there is none. */
  readonly returns: string | null;
}

/** One parameter; a destructured one has a name for each variable. */
export interface Parameter {
  readonly names: readonly string[];
  /** The annotated type, null where there is none. */
  readonly type: string | null;
  readonly optional: boolean;
}

/** Reads the head of a function: everything up to its body. `self` and `cls` are left out; null when there is no parameter list. */
export function readSignature(head: string, name: string): Signature | null {
  const after = Math.max(0, head.search(new RegExp(`(?<![\\w$])${name.replace(/[$]/g, "\\$&")}(?![\\w$])`)) + name.length);
  const bare = /^\s*=\s*(?:async\s+)?([A-Za-z_$][\w$]*)\s*=>/.exec(head.slice(after));
  if (bare) return { parameters: [{ names: [bare[1] ?? ""], type: null, optional: false }], returns: null };
  const open = head.indexOf("(", after);
  const close = open < 0 ? -1 : closingBracket(head, open);
  if (close < 0) return null;
  const parameters = splitTopLevel(head.slice(open + 1, close), ",")
    .map(readParameter)
    .filter(({ names }) => names.length > 0 && names[0] !== "self" && names[0] !== "cls");
  return { parameters, returns: resultType(head.slice(close + 1)) };
}

const BRACKETS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** The position of the bracket that closes the one at `open`, or -1. */
function closingBracket(text: string, open: number): number {
  const expected: string[] = [];
  for (let at = open; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === '"' || char === "'" || char === "`") at = closingQuote(text, at);
    else if (BRACKETS[char] !== undefined) expected.push(BRACKETS[char]);
    else if (char === expected.at(-1) && !(char === ">" && text[at - 1] === "=")) {
      expected.pop();
      if (expected.length === 0) return at;
    }
  }
  return -1;
}

function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === text[open]) return at;
  }
  return text.length;
}

function splitTopLevel(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === '"' || char === "'" || char === "`") at = closingQuote(text, at);
    else if (BRACKETS[char] !== undefined) {
      const close = closingBracket(text, at);
      if (close > 0) at = close;
    } else if (char === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== "");
}

function readParameter(text: string): Parameter {
  const unmodified = text.replace(/^(?:@\w+(?:\([^)]*\))?\s*|(?:public|private|protected|readonly|override)\s+)+/, "");
  const plain = unmodified.replace(/^(?:\.\.\.|\*{1,2})/, "");
  if (plain.startsWith("{") || plain.startsWith("[")) {
    const close = closingBracket(plain, 0);
    const inner = splitTopLevel(plain.slice(1, close < 0 ? plain.length : close), ",");
    const names = inner.flatMap((part) => /^(?:\.\.\.)?(?:[\w$]+\s*:\s*)?([A-Za-z_$][\w$]*)/.exec(part)?.[1] ?? []);
    return { names, type: null, optional: true };
  }
  const [, name, mark, rest] = /^([A-Za-z_$][\w$]*)\s*(\??)\s*(.*)$/s.exec(plain) ?? [];
  if (name === undefined) return { names: [], type: null, optional: false };
  const [type = "", fallback] = splitTopLevel(rest?.replace(/=>/g, "⇒") ?? "", "=");
  const annotated = type.startsWith(":") ? type.slice(1).trim().replaceAll("⇒", "=>") : null;
  const defaulted = fallback !== undefined || (rest ?? "").startsWith("=");
  return { names: [name], type: annotated, optional: mark === "?" || defaulted || plain !== unmodified };
}

function resultType(tail: string): string | null {
  const type = /^\s*(?::|->)\s*([\s\S]*?)\s*(?:=>\s*[{(]?|\{|:)?\s*$/.exec(tail)?.[1] ?? "";
  return type === "" || type.includes("\n") ? null : type;
}
