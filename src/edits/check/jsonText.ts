const SPACE = /(?:[\s\uFEFF]+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*/y;
const STRING = /"(?:[^"\\\n\r]|\\(?!u(?![\da-fA-F]{4}))[\s\S])*"|'(?:[^'\\\n\r]|\\[\s\S])*'/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has them in no string.
const STRICT_STRING = /^"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrtu])*"$/;
/** A number, a word, or a name without quotes. */
const WORD = /[-+]?[\w$.\u0080-\uffff][-+\w$.\u0080-\uffff]*/y;
const STRICT_WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;
const LOOSE_WORD = /^(?:true|false|null|[-+]?(?:Infinity|NaN|0[xX][\da-fA-F]+|\.?\d[\d.eE+-]*))$/;

/**
 * What a text is as JSON: as `JSON.parse` reads it, or with comments, last commas, single quotes or
 * bare names. `at` is the offset of what makes it less, in UTF-16 units.
 */
export interface JsonKind {
  readonly kind: "strict" | "loose" | "none";
  readonly at: number;
}

/** Reads an object or array of JSON, JSON with comments or JSON5. Never throws. */
export function jsonKind(text: string): JsonKind {
  return new JsonReader(text).read();
}

class JsonReader {
  private readonly text: string;
  private at = 0;
  private looseAt: number | null = null;
  private readonly open: ("{" | "[")[] = [];

  constructor(text: string) {
    this.text = text;
  }

  read(): JsonKind {
    this.space();
    if (!this.begins()) return this.none();
    let isFirst = true;
    while (this.open.length > 0) {
      this.space();
      const isObject = this.open.at(-1) === "{";
      if (this.takes(isObject ? "}" : "]")) {
        if (!isFirst) this.loosen(this.at - 1);
      } else {
        if (isObject && !this.name()) return this.none();
        this.space();
        isFirst = this.begins();
        if (isFirst) continue;
        if (!this.value()) return this.none();
      }
      isFirst = false;
      if (!this.endsElements()) return this.none();
    }
    this.space();
    if (this.at < this.text.length) return this.none();
    return this.looseAt === null
      ? { kind: "strict", at: this.at }
      : { kind: "loose", at: this.looseAt };
  }

  /** After an element: takes the ends of what it is the last of, and the comma after it. */
  private endsElements(): boolean {
    if (this.open.length === 0) return true;
    this.space();
    while (this.open.length > 0 && !this.takes(",")) {
      if (!this.takes(this.open.at(-1) === "{" ? "}" : "]")) return false;
      this.space();
    }
    return true;
  }

  /** Takes the beginning of an object or array. */
  private begins(): boolean {
    const sign = this.text[this.at];
    if (sign !== "{" && sign !== "[") return false;
    this.open.push(sign);
    this.at++;
    return true;
  }

  /** Takes an end, which closes what is open, or a comma. */
  private takes(sign: "}" | "]" | ","): boolean {
    if (this.text[this.at] !== sign) return false;
    if (sign !== ",") this.open.pop();
    this.at++;
    return true;
  }

  private name(): boolean {
    const start = this.at;
    if (!this.string()) {
      if (this.take(WORD) === "") return false;
      this.loosen(start);
    }
    this.space();
    if (this.text[this.at] !== ":") return false;
    this.at++;
    return true;
  }

  private value(): boolean {
    if (this.string()) return true;
    const start = this.at;
    const word = this.take(WORD);
    if (!STRICT_WORD.test(word)) this.loosen(start);
    if (LOOSE_WORD.test(word)) return true;
    this.at = start;
    return false;
  }

  private string(): boolean {
    const start = this.at;
    const found = this.take(STRING);
    if (found !== "" && !STRICT_STRING.test(found)) this.loosen(start);
    return found !== "";
  }

  private space(): void {
    const start = this.at;
    if (/[^ \t\n\r\uFEFF]/.test(this.take(SPACE))) this.loosen(start);
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ""] = pattern.exec(this.text) ?? [];
    this.at += found.length;
    return found;
  }

  private loosen(at: number): void {
    this.looseAt ??= at;
  }

  private none(): JsonKind {
    return { kind: "none", at: this.at };
  }
}
