import { tagOverlap } from "../tagOverlap.ts";

/** A pair of tags around thinking. */
export interface ThinkTag {
  readonly open: string;
  readonly close: string;
}

/**
 * What is known of a piece of text: all of it is text, or `reasoning` ended in it, whose beginning
 * nobody marked, and `rest` follows.
 */
export type LoneEnd =
  | { readonly text: string }
  | { readonly reasoning: string; readonly rest: string };

/**
 * Finds the closing tag of thinking whose opening tag was never sent, as of templates that begin the
 * answer with it. A tag in a code block, in code of a line or in quotes is text, and so is the end of
 * a pair, and what lies far into a line. Gives the same for any chunking.
 */
export class LoneThinkEnd {
  private readonly tags: readonly ThinkTag[];
  /** Text whose meaning depends on what follows. */
  private held = "";
  /** The line so far, without what is held. */
  private line = "";
  /** The fence of the code block that the text is in, and those nested in it. */
  private fences: string[] = [];
  /** How many opening tags of each pair wait for their end. */
  private readonly opened = new Map<string, number>();

  constructor(tags: readonly ThinkTag[]) {
    this.tags = tags;
  }

  /**
   * Takes text. Where the thinking of the answer is already known (`isStrict`), only a tag that ends
   * its line counts.
   */
  push(piece: string, isStrict: boolean): LoneEnd {
    return this.read(this.held + piece, isStrict, false);
  }

  /** Ends the text. */
  flush(isStrict: boolean): LoneEnd {
    return this.read(this.held, isStrict, true);
  }

  private read(all: string, isStrict: boolean, isEnd: boolean): LoneEnd {
    this.held = "";
    let at = 0;
    while (at < all.length) {
      const next = nextSign(all, at);
      this.line += all.slice(at, next);
      at = next;
      if (at === all.length) break;
      if (all[at] === "\n") {
        this.endLine();
        at += 1;
        continue;
      }
      const tag = this.tagAt(all, at, isEnd);
      if (tag === "open-ended") {
        this.held = all.slice(at);
        return { text: all.slice(0, at) };
      }
      if (tag === null) {
        this.line += all[at] ?? "";
        at += 1;
        continue;
      }
      const found = all.slice(at, at + tag.length);
      const meaning = this.meaning(found, all.slice(at + found.length), isStrict, isEnd);
      if (meaning === "open-ended") {
        this.held = all.slice(at);
        return { text: all.slice(0, at) };
      }
      if (meaning === "end") {
        const reasoning = all.slice(0, at);
        this.line = "";
        this.fences = [];
        this.opened.clear();
        return { reasoning, rest: all.slice(at + found.length) };
      }
      this.line += found;
      at += found.length;
    }
    return { text: all };
  }

  /** The tag that begins here; "open-ended" where only what follows can tell. */
  private tagAt(all: string, at: number, isEnd: boolean): string | "open-ended" | null {
    const rest = all.slice(at, at + LONGEST);
    const names = this.tags.flatMap(({ open, close }) => [open, close]);
    const whole = names.find((name) => rest.startsWith(name));
    if (whole !== undefined) return whole;
    const begins = !isEnd && names.some((name) => tagOverlap(rest, name) === rest.length);
    return begins ? "open-ended" : null;
  }

  private meaning(
    found: string,
    after: string,
    isStrict: boolean,
    isEnd: boolean,
  ): "text" | "end" | "open-ended" {
    if (this.fences.length > 0 || this.line.length > MOST_READ) return "text";
    if (FENCE.test(this.line) || /^(?: {4}|\t)/.test(this.line)) return "text";
    const read = after.slice(0, MOST_READ);
    const [rest = ""] = read.split("\n", 1);
    const isWholeLine = isEnd || rest.length < read.length || read.length === MOST_READ;
    const run = openRun(this.line);
    if (run !== "") {
      if (hasRun(rest, run)) return "text";
      if (!isWholeLine) return "open-ended";
    }
    if (/["'“‘«]$/.test(this.line)) {
      if (/^["'”’»]/.test(rest)) return "text";
      if (rest === "" && !isWholeLine) return "open-ended";
    }
    const pair = this.tags.find(({ open, close }) => open === found || close === found);
    const waiting = this.opened.get(pair?.open ?? "") ?? 0;
    if (pair?.open === found) {
      this.opened.set(found, waiting + 1);
      return "text";
    }
    if (waiting > 0) {
      this.opened.set(pair?.open ?? "", waiting - 1);
      return "text";
    }
    if (!isStrict) return "end";
    const isAttached = this.line.trim() === "" || /\S$/.test(this.line);
    if (!isAttached || rest.trim() !== "") return "text";
    return isWholeLine ? "end" : "open-ended";
  }

  private endLine(): void {
    const [, mark = "", info = ""] = FENCE.exec(this.line) ?? [];
    const isBare = info.trim() === "";
    const last = this.fences.at(-1);
    if (last !== undefined && isBare) {
      if (mark.startsWith(last)) this.fences.pop();
    } else if (mark !== "" && !(mark.startsWith("`") && info.includes("`"))) this.fences.push(mark);
    this.line = "";
  }
}

/** The most characters of a line that are read before a tag, and after it. */
const MOST_READ = 2_000;
/** The most that a look at a tag reads. */
const LONGEST = 32;
/** The fence that a line begins with, also in a list or a quote, and what follows it. */
const FENCE = /^(?:\s{0,3}(?:[-*+>]|\d{1,9}[.)]))*\s*(`{3,}|~{3,})([^\n]*)/;

/** Where the next line break or what may be a tag is; the text's length without one. */
function nextSign(text: string, from: number): number {
  SIGN.lastIndex = from;
  return SIGN.exec(text)?.index ?? text.length;
}

const SIGN = /[\n<[]/g;

/** The backticks of a line that began code and did not end it; "" without. */
function openRun(line: string): string {
  let open = "";
  for (const [run] of line.matchAll(/`+/g)) {
    if (open === "") open = run;
    else if (run === open) open = "";
  }
  return open;
}

function hasRun(text: string, run: string): boolean {
  return [...text.matchAll(/`+/g)].some(([each]) => each === run);
}
