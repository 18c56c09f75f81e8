import { err, ok, type Result } from "../../base/result.ts";

/** Whether a pattern can go on with a character, given by its code point. */
type Matches = (code: number) => boolean;

/** A place between two characters that a pattern asks for. */
export type Boundary = "start" | "end" | "word-edge" | "inside-word";

/** One step of a pattern's program; `next` are indexes of steps. */
export type Step =
  | { readonly type: "character"; readonly matches: Matches; next: number }
  | { readonly type: "place"; readonly place: Boundary; next: number }
  | { readonly type: "split"; readonly next: number[] }
  | { readonly type: "match" };

/** Why a pattern is not searched for. */
export type PatternProblem =
  | { readonly code: "invalid-pattern"; readonly detail: string }
  | { readonly code: "complex-pattern" };

/** The most steps of a program. */
const MAX_STEPS = 4_000;
const MAX_DEPTH = 200;

class PatternError extends Error {
  readonly problem: PatternProblem;

  constructor(problem: PatternProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

/**
 * Compiles a regular expression as ripgrep knows them: without backreferences and look-around. The
 * first step is the last one in the list.
 */
export function compilePattern(
  pattern: string,
  caseSensitive: boolean,
): Result<readonly Step[], PatternProblem> {
  try {
    return ok(new PatternCompiler([...pattern], caseSensitive).compile());
  } catch (error) {
    if (error instanceof PatternError) return err(error.problem);
    throw error;
  }
}

/** A part of a pattern: adds its steps, which lead to `next`, and returns the first. */
type Part = (next: number) => number;

const CLASSES: Readonly<Record<string, Matches>> = {
  d: byPattern(/\p{Nd}/u),
  w: isWordCharacter,
  s: byPattern(/\s/u),
};
const CONTROLS: Readonly<Record<string, number>> = {
  n: 10,
  r: 13,
  t: 9,
  f: 12,
  v: 11,
  a: 7,
  "0": 0,
};
const PLACES: Readonly<Record<string, Boundary>> = {
  b: "word-edge",
  B: "inside-word",
  A: "start",
  z: "end",
};

/** Whether a character belongs to words. */
export function isWordCharacter(code: number): boolean {
  if (code < 128)
    return (
      (code > 47 && code < 58) ||
      (code > 64 && code < 91) ||
      code === 95 ||
      (code > 96 && code < 123)
    );
  return /[\p{L}\p{M}\p{Nd}\p{Pc}]/u.test(String.fromCodePoint(code));
}

class PatternCompiler {
  private readonly text: readonly string[];
  private readonly steps: Step[] = [];
  private at = 0;
  private depth = 0;
  private ignoresCase: boolean;

  constructor(text: readonly string[], caseSensitive: boolean) {
    this.text = text;
    this.ignoresCase = !caseSensitive;
  }

  compile(): readonly Step[] {
    const whole = this.alternatives();
    if (this.at < this.text.length) throw invalidPattern("an unopened group is closed");
    const first = whole(this.add({ type: "match" }));
    this.add({ type: "split", next: [first] });
    return this.steps;
  }

  private add(step: Step): number {
    if (this.steps.length >= MAX_STEPS) throw new PatternError({ code: "complex-pattern" });
    this.steps.push(step);
    return this.steps.length - 1;
  }

  private alternatives(): Part {
    if (++this.depth > MAX_DEPTH) throw new PatternError({ code: "complex-pattern" });
    const { ignoresCase } = this;
    const options = [this.sequence()];
    while (this.take("|")) options.push(this.sequence());
    this.depth -= 1;
    this.ignoresCase = ignoresCase;
    const [only] = options;
    if (only && options.length === 1) return only;
    return (next) => this.add({ type: "split", next: options.map((option) => option(next)) });
  }

  private sequence(): Part {
    const parts: Part[] = [];
    while (this.at < this.text.length && this.peek() !== "|" && this.peek() !== ")")
      parts.push(this.repeated());
    return (next) => parts.reduceRight((after, part) => part(after), next);
  }

  private repeated(): Part {
    let part = this.atom();
    for (let count = this.count(); count; count = this.count()) part = this.repeat(part, count);
    return part;
  }

  /** A repetition; whether it is lazy does not matter for whether there is a match. */
  private count(): readonly [least: number, most: number] | null {
    const [, text = "", least = "", comma, most = ""] =
      /^(\{(\d+)(,?)(\d*)\})/.exec(this.text.slice(this.at, this.at + 20).join("")) ?? [];
    const simple = {
      "*": [0, Number.POSITIVE_INFINITY],
      "+": [1, Number.POSITIVE_INFINITY],
      "?": [0, 1],
    } as const;
    const sign = this.peek();
    const found =
      sign === "*" || sign === "+" || sign === "?"
        ? simple[sign]
        : text === ""
          ? null
          : ([
              Number(least),
              comma === "" ? Number(least) : most === "" ? Number.POSITIVE_INFINITY : Number(most),
            ] as const);
    if (!found) return null;
    if (found[0] > found[1])
      throw invalidPattern("the minimum of a repetition exceeds its maximum");
    this.at += text === "" ? 1 : text.length;
    this.take("?");
    return found;
  }

  private repeat(part: Part, [least, most]: readonly [number, number]): Part {
    return (next) => {
      let after = next;
      if (most === Number.POSITIVE_INFINITY) {
        const again: number[] = [];
        const loop = this.add({ type: "split", next: again });
        again.push(part(loop), next);
        after = loop;
      } else {
        for (let count = least; count < most; count++)
          after = this.add({ type: "split", next: [part(after), next] });
      }
      for (let count = 0; count < least; count++) after = part(after);
      return after;
    };
  }

  private atom(): Part {
    const character = this.text[this.at++] ?? "";
    if (character === "(") return this.group();
    if (character === "[") return this.character(this.set());
    if (character === ".") return this.character((code) => code !== 10);
    if (character === "^") return this.place("start");
    if (character === "$") return this.place("end");
    if (character === "*" || character === "+" || character === "?")
      throw invalidPattern("a repetition has nothing to repeat");
    if (character !== "\\") return this.character(sameCharacter(character));
    const place = PLACES[this.peek()];
    if (place) {
      this.at += 1;
      return this.place(place);
    }
    return this.character(this.escape());
  }

  private group(): Part {
    if (this.take("?")) {
      if (/^(?:<?[=!])/.test(this.text.slice(this.at, this.at + 2).join("")))
        throw invalidPattern("look-around is not supported");
      const head = /^(?:P?<(\w+)>|([imsuU-]*)([:)]))/.exec(
        this.text.slice(this.at, this.at + 100).join(""),
      );
      if (!head) throw invalidPattern("a group begins with unknown signs");
      this.at += head[0].length;
      const [on = "", off = ""] = (head[2] ?? "").split("-");
      if (/[smxU]/.test(on + off)) throw invalidPattern("flags other than i are not supported");
      const before = this.ignoresCase;
      if (on.includes("i")) this.ignoresCase = true;
      if (off.includes("i")) this.ignoresCase = false;
      // Without a colon, the flags hold up to the end of the group around it.
      if (head[3] === ")") return (next) => next;
      const flagged = this.closed();
      this.ignoresCase = before;
      return flagged;
    }
    return this.closed();
  }

  private closed(): Part {
    const inner = this.alternatives();
    if (!this.take(")")) throw invalidPattern("a group is not closed");
    return inner;
  }

  /** What comes after a backslash, as one character. */
  private escape(): Matches {
    const character = this.text[this.at++];
    if (character === undefined) throw invalidPattern("it ends with a backslash");
    const known = CLASSES[character.toLowerCase()];
    if (known) return character === character.toLowerCase() ? known : not(known);
    if (/[1-9k]/.test(character)) throw invalidPattern("backreferences are not supported");
    if (character === "x" || character === "u")
      return sameCharacter(String.fromCodePoint(this.hexadecimal(character)));
    if (character === "p" || character === "P") return this.property(character === "P");
    const control = CONTROLS[character];
    if (control !== undefined) return (code) => code === control;
    if (/[A-Za-z]/.test(character)) throw invalidPattern(`\\${character} is not known`);
    return sameCharacter(character);
  }

  private hexadecimal(kind: string): number {
    const [found, braced, plain] =
      /^(?:\{([\da-f]{1,6})\}|([\da-f]{2}(?:[\da-f]{2})?))/i.exec(
        this.text.slice(this.at, this.at + 8).join(""),
      ) ?? [];
    const digits = braced ?? plain?.slice(0, kind === "x" ? 2 : 4);
    const code = Number.parseInt(digits ?? "", 16);
    if (found === undefined || !(code <= 0x10ffff))
      throw invalidPattern(`\\${kind} is not followed by a hexadecimal number`);
    this.at += braced === undefined ? (digits ?? "").length : found.length;
    return code;
  }

  private property(negated: boolean): Matches {
    const [whole = "", name = "", letter = ""] =
      /^(?:\{([\w=]{1,40})\}|([A-Z]))/.exec(this.text.slice(this.at, this.at + 44).join("")) ?? [];
    this.at += whole.length;
    try {
      return byPattern(new RegExp(`\\${negated ? "P" : "p"}{${name || letter}}`, "u"));
    } catch {
      throw invalidPattern(`there is no Unicode property ${name || letter}`);
    }
  }

  private set(): Matches {
    const negated = this.take("^");
    const members: Matches[] = [];
    for (let first = true; first || this.peek() !== "]"; first = false) {
      if (this.at >= this.text.length) throw invalidPattern("a set of characters is not closed");
      members.push(this.member());
    }
    this.at += 1;
    const { ignoresCase } = this;
    const any: Matches = (code) => members.some((member) => member(code));
    const folded: Matches = (code) => any(code) || foldings(code).some(any);
    const matches = ignoresCase ? folded : any;
    return negated ? not(matches) : matches;
  }

  private member(): Matches {
    const character = this.text[this.at++] ?? "";
    if (character === "[" && this.peek() === ":")
      throw invalidPattern("named sets of characters are not supported");
    if (character === "\\") {
      const kind = this.peek();
      const matches = this.escape();
      if (/[dwspDWSP]/.test(kind) || !this.startsRange()) return matches;
      throw invalidPattern("a range begins with an escaped character");
    }
    if (!this.startsRange()) return (code) => code === character.codePointAt(0);
    this.at += 1;
    const last = this.text[this.at++] ?? "";
    const [from, to] = [character.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0];
    if (last === "\\" || last === "[")
      throw invalidPattern("a range ends with an escaped character");
    if (from > to) throw invalidPattern("a range of characters is in the wrong order");
    return (code) => from <= code && code <= to;
  }

  private startsRange(): boolean {
    return this.peek() === "-" && this.text[this.at + 1] !== "]" && this.at + 1 < this.text.length;
  }

  private character(matches: Matches): Part {
    const { ignoresCase } = this;
    const folded: Matches = (code) => matches(code) || foldings(code).some(matches);
    return (next) => this.add({ type: "character", matches: ignoresCase ? folded : matches, next });
  }

  private place(place: Boundary): Part {
    return (next) => this.add({ type: "place", place, next });
  }

  private peek(): string {
    return this.text[this.at] ?? "";
  }

  private take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.at += 1;
    return true;
  }
}

function invalidPattern(detail: string): PatternError {
  return new PatternError({ code: "invalid-pattern", detail });
}

function sameCharacter(character: string): Matches {
  const wanted = character.codePointAt(0);
  return (code) => code === wanted;
}

function not(matches: Matches): Matches {
  return (code) => !matches(code);
}

function byPattern(pattern: RegExp): Matches {
  return (code) => pattern.test(String.fromCodePoint(code));
}

/** A character in lower and upper case, where that is one character. */
function foldings(code: number): readonly number[] {
  const character = String.fromCodePoint(code);
  return [character.toLowerCase(), character.toUpperCase()].flatMap((other) => {
    const folded = other.codePointAt(0) ?? code;
    return folded !== code && String.fromCodePoint(folded) === other ? [folded] : [];
  });
}
