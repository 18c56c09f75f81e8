const SPACE = /(?:[\s\uFEFF]+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*/y;
const STRING = /"(?:[^"\\\n\r]|\\(?!u(?![\da-fA-F]{4}))[\s\S])*"|'(?:[^'\\\n\r]|\\[\s\S])*'/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has them in no string.
const STRICT_STRING = /^"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrtu])*"$/;
/** A number, a word, or a name without quotes. */
const WORD = /[-+]?[\w$.\u0080-\uffff][-+\w$.\u0080-\uffff]*/y;
const STRICT_WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;
const LOOSE_WORD = /^(?:true|false|null|[-+]?(?:Infinity|NaN|0[xX][\da-fA-F]+|\.?\d[\d.eE+-]*))$/;

/** What a text is as JSON, and the UTF-16 offset of what makes it less than strict. */
export interface JsonKind {
  readonly kind: "strict" | "loose" | "none";
  readonly at: number;
}

/** What may follow: an item is a name or an element, the first one or one after a comma. */
type Expected = "value" | "first" | "next" | ":" | "end";

/** Reads an object or array of JSON, JSON with comments or JSON5. Never throws. */
export function jsonKind(text: string): JsonKind {
  const open: string[] = [];
  let at = 0;
  let looseAt: number | null = null;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [found = ""] = pattern.exec(text) ?? [];
    at += found.length;
    return found;
  };
  const loosenIf = (isLoose: boolean, from: number) => {
    if (isLoose) looseAt ??= from;
  };
  /** Takes a sign, a name or a value; gives what may follow, null where none is there. */
  const takeNext = (expected: Expected): Expected | null => {
    const start = at;
    const sign = text[at] ?? "";
    const isItem = expected === "first" || expected === "next";
    const isName = isItem && open.at(-1) === "{";
    const isValue = expected === "value" || (isItem && !isName);
    if (isValue && /[{[]/.test(sign)) {
      at++;
      open.push(sign);
      return "first";
    }
    if (open.length === 0) return null;
    if (sign === (open.at(-1) === "{" ? "}" : "]") && (isItem || expected === "end")) {
      at++;
      loosenIf(expected === "next", start);
      open.pop();
      return "end";
    }
    if (expected === "end" || expected === ":") {
      if (sign !== (expected === "end" ? "," : ":")) return null;
      at++;
      return expected === "end" ? "next" : "value";
    }
    const string = take(STRING);
    const word = string === "" ? take(WORD) : "";
    loosenIf(
      string === "" ? isName || !STRICT_WORD.test(word) : !STRICT_STRING.test(string),
      start,
    );
    if (string !== "" || (isName ? word !== "" : LOOSE_WORD.test(word)))
      return isName ? ":" : "end";
    at = start;
    return null;
  };
  for (let expected: Expected | null = "value"; expected !== null; expected = takeNext(expected)) {
    const start = at;
    loosenIf(/[^ \t\n\r\uFEFF]/.test(take(SPACE)), start);
    if (at === text.length && open.length === 0 && expected === "end")
      return looseAt === null ? { kind: "strict", at } : { kind: "loose", at: looseAt };
  }
  return { kind: "none", at };
}
