import {
  type FoundTag,
  LONGEST_TAG,
  nextThinkSign,
  type ThinkTag,
  thinkTagAt,
} from "./thinkTags.ts";

/**
 * What is known of a piece of text; `rest` follows and is still to be read.
 * - `text`: all of it is text.
 * - `ended`: thinking ended in it, whose beginning nobody marked. All before is reasoning.
 * - `pair`: text, and then thinking between two tags.
 * - `doubtful`: text, of which all so far may be thinking.
 */
export type ThinkReading =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "ended"; readonly reasoning: string; readonly rest: string }
  | {
      readonly kind: "pair";
      readonly text: string;
      readonly reasoning: string;
      readonly rest: string;
    }
  | { readonly kind: "doubtful"; readonly text: string; readonly rest: string };

/** How a text ends: as the model meant, or cut off. */
export type TextEnd = "whole" | "cut";

/**
 * Finds thinking in text that does not begin with its tag: the closing tag whose opening tag was
 * never sent, as of templates that begin the answer with it
 * (https://github.com/sgl-project/sglang/pull/36285), and pairs of tags on lines of their own.
 * A tag in code or in quotes is text, and so is a pair on one line. Gives the same for any chunking,
 * unless a million characters wait for their end.
 *
 * What proves an end is where its tag stands: at the beginning of a line, or right behind the last
 * word of one. Elsewhere it may be a mention. In a code block that never ends, the fences behind it
 * tell. Where a code block stands before a tag that can be read both ways, the text is doubtful.
 */
export class LoneThinkEnd {
  /** Text whose meaning depends on what follows. */
  private held = "";
  /** Text from a tag on, whose meaning depends on the end of its pair, or of the answer. */
  private waiting: Waiting | null = null;
  /** Tags of which the rest of the answer was read. */
  private looks = 0;
  /** The line so far, without what is held. */
  private line = "";
  private isAfterBlank = false;
  private hasText = false;
  /** The fences of the code block that the text is in, and of those nested in it. */
  private fences: string[] = [];
  /** A code block began. */
  private hasBlock = false;
  /** How many opening tags of each pair wait for their end on this line. */
  private readonly opened = new Map<ThinkTag, number>();
  /** An opening tag without its end stands in a line behind a code block. */
  private isMentioned = false;
  /** A pair is open to the end of the answer. */
  private isUnclosed = false;

  /** Takes text; `isKnown` where the thinking of the answer is known without it. */
  push(piece: string, isKnown: boolean): ThinkReading {
    if (!this.waiting) return this.read(this.held + piece, isKnown, null);
    const { waiting } = this;
    const isDecided = addWaiting(waiting, piece);
    if (waiting.length > MOST_WAITING) this.looks = MOST_LOOKS;
    else if (!isDecided) return { kind: "text", text: "" };
    return this.read(this.waited(), isKnown, null);
  }

  /** Ends the text. */
  flush(isKnown: boolean, end: TextEnd): ThinkReading {
    return this.read(this.waiting ? this.waited() : this.held, isKnown, end);
  }

  private waited(): string {
    const all = this.waiting?.parts.join("") ?? "";
    this.waiting = null;
    return all;
  }

  private read(all: string, isKnown: boolean, end: TextEnd | null): ThinkReading {
    this.held = "";
    let at = 0;
    while (at < all.length) {
      const next = nextThinkSign(all, at);
      this.addToLine(all.slice(at, next));
      at = next;
      if (at === all.length) break;
      if (all[at] === "\n") {
        this.endLine();
        at += 1;
        continue;
      }
      const tag = thinkTagAt(all, at, end !== null);
      if (tag === null) {
        this.addToLine(all[at] ?? "");
        at += 1;
        continue;
      }
      const meaning =
        tag === "cut" ? "cut" : this.meaning(tag, all.slice(at + tag.length), isKnown, end);
      if (tag === "cut" || meaning === "cut") {
        this.held = all.slice(at);
        return { kind: "text", text: all.slice(0, at) };
      }
      if (meaning === "wait") {
        this.waiting = { pair: tag.isOpen ? tag.pair : null, parts: [], length: 0, tail: "" };
        addWaiting(this.waiting, all.slice(at));
        return { kind: "text", text: all.slice(0, at) };
      }
      const behind = at + tag.length;
      if (meaning === "end") {
        this.begin();
        return { kind: "ended", reasoning: all.slice(0, at), rest: all.slice(behind) };
      }
      if (meaning === "pair") {
        const close = closeOf(all, behind, tag.pair);
        this.line = "";
        const reasoning = all.slice(behind, close?.at);
        const rest = all.slice((close?.at ?? all.length) + (close?.length ?? 0));
        return { kind: "pair", text: all.slice(0, at), reasoning, rest };
      }
      this.addToLine(all.slice(at, behind));
      at = behind;
      if (meaning === "doubtful")
        return { kind: "doubtful", text: all.slice(0, at), rest: all.slice(at) };
    }
    if (end === null || !this.isUnclosed || !this.hasBlock) return { kind: "text", text: all };
    this.isUnclosed = false;
    return { kind: "doubtful", text: all, rest: "" };
  }

  /** What a tag is; "cut" and "wait" where a little, or all that follows can tell. */
  private meaning(
    tag: FoundTag,
    after: string,
    isKnown: boolean,
    end: TextEnd | null,
  ): "text" | "end" | "pair" | "doubtful" | "cut" | "wait" {
    const { line } = this;
    if (line.length > MOST_READ || FENCE.test(line)) return "text";
    const read = after.slice(0, MOST_READ);
    const [rest = ""] = read.split("\n", 1);
    const isWholeLine = end !== null || rest.length < read.length || read.length === MOST_READ;
    const isStanding = line.trim() === "";
    if (this.fences.length > 0) {
      if (tag.isOpen || isKnown || (!isStanding && !/\S$/.test(line))) return "text";
      if (!isStanding && rest.trim() !== "") return "text";
      if (!isStanding && !isWholeLine) return "cut";
      return this.inBlock(after, end);
    }
    const run = openRun(line);
    if (run !== "") {
      // More of a run at the end may follow.
      if (hasRun(isWholeLine ? rest : rest.replace(/`+$/, ""), run)) return "text";
      if (!isWholeLine) return "cut";
    }
    if (/["'“‘«(]$/.test(line)) {
      if (/^["'”’»)]/.test(rest)) return "text";
      if (rest === "" && !isWholeLine) return "cut";
    }
    const isCode = this.isAfterBlank && this.hasText && /^(?: {4}|\t)/.test(line);
    if (isStanding && rest.trim() === "" && !isWholeLine) return "cut";
    if (tag.isOpen) {
      const mayBegin = isStanding && !isCode && !PROSE.test(rest);
      return this.opening(tag.pair, after, mayBegin, end);
    }
    const waiting = this.opened.get(tag.pair) ?? 0;
    if (waiting > 0) {
      this.opened.set(tag.pair, waiting - 1);
      return "text";
    }
    if (!this.hasText) return "end";
    if (isCode) return this.hasBlock && !isKnown ? "doubtful" : "text";
    if (rest.trim() === "" && !isWholeLine) return "cut";
    const likely = likelyEnd(line, rest, isKnown, this.isMentioned);
    if (likely === "end" || likely === "text") return likely;
    if (this.hasBlock) return "doubtful";
    return likely === "rather-end" ? "end" : "text";
  }

  private opening(
    pair: ThinkTag,
    after: string,
    mayBegin: boolean,
    end: TextEnd | null,
  ): "text" | "pair" | "wait" {
    if (mayBegin && this.looks < MOST_LOOKS) {
      const close = closeOf(after, 0, pair);
      if (!close && end === null) return "wait";
      if (close && after.slice(0, close.at).includes("\n")) return "pair";
      if (!close) {
        this.looks += 1;
        this.isUnclosed = true;
        return "text";
      }
    }
    this.opened.set(pair, (this.opened.get(pair) ?? 0) + 1);
    return "text";
  }

  /**
   * What a closing tag in a code block is. Where the block never ends, unless the thinking ended with
   * the tag, it did.
   */
  private inBlock(after: string, end: TextEnd | null): "text" | "end" | "doubtful" | "wait" {
    if (this.looks >= MOST_LOOKS) return "text";
    if (end === null) return "wait";
    this.looks += 1;
    if (endsOutside(after, [...this.fences], `${this.line}x`)) return "text";
    return end === "whole" && endsOutside(after, [], "") ? "end" : "doubtful";
  }

  /** The thinking is over: what follows is another text. */
  private begin(): void {
    this.line = "";
    this.fences = [];
    this.opened.clear();
    this.isMentioned = false;
    this.hasBlock = false;
    this.hasText = false;
    this.isAfterBlank = false;
  }

  private addToLine(text: string): void {
    this.line += text;
    this.hasText ||= text.trim() !== "";
  }

  private endLine(): void {
    passLine(this.fences, this.line);
    this.hasBlock ||= this.fences.length > 0;
    this.isAfterBlank = this.line.trim() === "";
    this.isMentioned ||= this.hasBlock && [...this.opened.values()].some((count) => count > 0);
    this.opened.clear();
    this.line = "";
  }
}

/** Text from a tag on: an opening one of `pair`, whose end is looked for, or a closing one. */
interface Waiting {
  readonly pair: ThinkTag | null;
  readonly parts: string[];
  length: number;
  /** The last of it, in which the end may begin. */
  tail: string;
}

/** Adds to the text; true once the end of the pair is there. */
function addWaiting(waiting: Waiting, piece: string): boolean {
  waiting.parts.push(piece);
  waiting.length += piece.length;
  if (!waiting.pair) return false;
  const look = waiting.tail + piece;
  waiting.tail = look.slice(-LONGEST_TAG);
  return closeOf(look, 0, waiting.pair) !== null;
}

function closeOf(
  text: string,
  from: number,
  pair: ThinkTag,
): { readonly at: number; readonly length: number } | null {
  for (let at = nextThinkSign(text, from); at < text.length; at = nextThinkSign(text, at + 1)) {
    const tag = thinkTagAt(text, at, true);
    if (tag && tag !== "cut" && tag.pair === pair && !tag.isOpen) return { at, length: tag.length };
  }
  return null;
}

/**
 * How likely a closing tag between `line` and the `rest` of its line ends thinking. `isMentioned`:
 * its opening tag stands in a line before.
 */
function likelyEnd(
  line: string,
  rest: string,
  isKnown: boolean,
  isMentioned: boolean,
): "end" | "rather-end" | "rather-text" | "text" {
  const isLast = rest.trim() === "";
  const certain = isMentioned ? "rather-end" : "end";
  if (line.trim() === "") {
    if (isKnown) return isLast ? "rather-end" : "rather-text";
    return PROSE.test(rest) ? "rather-end" : certain;
  }
  if (/\S$/.test(line)) {
    if (isKnown) return isLast ? "rather-end" : "text";
    return isLast ? certain : "rather-end";
  }
  if (isKnown) return "text";
  if (/[.!?:;…)\]。！？：]["'”’*_`]*\s*$/.test(line)) return "rather-end";
  return isLast ? "rather-text" : "text";
}

/** A sentence that goes on. */
const PROSE = /^\s+\p{Ll}/u;
/** The most characters of a line that are read before a tag, and after it. */
const MOST_READ = 2_000;
/** The most text that waits for the end of the answer, in UTF-16 units. */
const MOST_WAITING = 1_000_000;
/** The most tags of which all that follows is read. */
const MOST_LOOKS = 16;
/** The fence that a line begins with, also in a list or a quote, and what follows it. */
const FENCE = /^(?:\s{0,3}(?:[-*+>]|\d{1,9}[.)]))*\s*(`{3,}|~{3,})([^\n]*)/;

/** What a line does to the fences that are open. */
function passLine(fences: string[], line: string): void {
  const [, mark = "", info = ""] = FENCE.exec(line) ?? [];
  const isBare = info.trim() === "";
  const last = fences.at(-1);
  if (last !== undefined && isBare) {
    if (mark.startsWith(last)) fences.pop();
  } else if (mark !== "" && !(mark.startsWith("`") && info.includes("`"))) fences.push(mark);
}

/** True if no code block is open after `text`, whose first line goes on with `line`. */
function endsOutside(text: string, fences: string[], line: string): boolean {
  const [first = "", ...others] = text.split("\n");
  for (const each of [line + first, ...others]) passLine(fences, each);
  return fences.length === 0;
}

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
