import type { Localize } from "../base/localize.ts";
import { parseFenceOpener } from "../base/text/fenceOpener.ts";
import { FenceScanner } from "../base/text/fenceScanner.ts";
import { LineBuffer } from "../base/text/lineBuffer.ts";
import { withoutMarks } from "./withoutMarks.ts";

/** A sentence to speak. `end` is its end in the Markdown text, as a UTF-16 offset. */
export interface SpokenSentence {
  readonly text: string;
  readonly end: number;
}

/** The longest piece to speak at once, in UTF-16 units. */
const LONGEST = 400;
/** A longer fence, table row or rule is skipped before its end arrives. */
const LONGEST_LINE = 1_000;
/** This much of a line shows its kind, unless it may be a fence, a table row or a rule. */
const LINE_START = 12;
const MAYBE_UNSPOKEN = /^(?:```|~~~|\||\$\$|\\\[|:?--|([-*_=])\s*\1\s*\1)/;
/** The second row of a table whose rows begin with no `|`. */
const BARE_TABLE = /^:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$/;
const RULE = /^([-*_=])(?:\s*\1)+\s*$/;
const BOUNDARY = /[.!?…]["'”’)\]*_`]*[ \t]+(?=\S)|[。！？]/g;
const SENTENCE_END = /[.!?…]["'”’)\]*_`]*\s*$/;
/** Markers of headings, quotes and list items. */
const MARKER = /^\s*(?:>\s?)*(?:(#{1,6})\s+|(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)?/;

/**
 * Converts streamed Markdown into sentences to speak. Skips code blocks, edit blocks, tables,
 * rules, URLs, formulas, hashes, emojis and markup. Never throws. The sentences do not depend on
 * how the text is split into chunks. The cost of a chunk depends only on its own length.
 */
export class Speakable {
  /** The undecided text, from `offset` on. */
  private rest = "";
  private offset = 0;
  private sentence = "";
  private at: "line-start" | "words" | "skipped-line" = "line-start";
  private isHeading = false;
  /** Where the last line begins in the sentence. */
  private lineFrom = 0;
  /** Until an empty line. */
  private isTable = false;
  /** What ends the formula whose lines are skipped; an empty line does so too. */
  private formulaEnd: "$$" | "\\]" | null = null;
  private code: {
    readonly lines: LineBuffer;
    readonly scanner: FenceScanner;
    readonly indent: RegExp;
  } | null = null;
  private found: SpokenSentence[] = [];
  private readonly t: Localize;

  constructor(t: Localize) {
    this.t = t;
  }

  /** Returns the sentences that `text` completes. */
  push(text: string): SpokenSentence[] {
    this.rest += text;
    while (this.rest !== "" && this.takeNext());
    return this.found.splice(0);
  }

  /** Ends the text. The last sentence needs no end mark. */
  flush(): SpokenSentence[] {
    const found = this.push("\n");
    const length = this.offset - 1;
    this.endSentence();
    return [...found, ...this.found.splice(0)].map(({ text, end }) => ({
      text,
      end: Math.min(end, length),
    }));
  }

  /** Consumes the next element of `rest`. False if more text must arrive first. */
  private takeNext(): boolean {
    if (this.code) return this.takeCode(this.code);
    if (this.at === "words") return this.takeWords();
    return this.at === "line-start" ? this.takeLineStart() : this.skipLine();
  }

  private takeCode({ lines, scanner, indent }: NonNullable<typeof this.code>): boolean {
    const whole = lines.push(this.rest);
    this.takeText(this.rest.length);
    for (const [index, line] of whole.entries()) {
      if (!scanner.push(`${line.replace(indent, "")}\n`).some(({ type }) => type === "close"))
        continue;
      this.rest = [...whole.slice(index + 1), lines.flush()].join("\n");
      this.offset -= this.rest.length;
      this.code = null;
      return true;
    }
    return false;
  }

  private takeLineStart(): boolean {
    const shown = this.rest.slice(0, LONGEST_LINE);
    const newline = shown.indexOf("\n");
    const isWhole = newline >= 0;
    const line = (isWhole ? shown.slice(0, newline) : shown).replace(/\r$/, "");
    const words = line.trimStart();
    const isLong = line.length >= LONGEST_LINE;
    const head = line.slice(0, line.length - words.length + LINE_START);
    const [marker = "", heading] = MARKER.exec(head) ?? [];
    const isUnspoken =
      this.formulaEnd !== null ||
      MAYBE_UNSPOKEN.test(head.trimStart()) ||
      MAYBE_UNSPOKEN.test(head.slice(marker.length));
    if (!isWhole && !isLong && (isUnspoken || words.length < LINE_START)) return false;
    const body = line.slice(marker.length);
    const isSkipped = this.isTable || (isUnspoken && (!isWhole || this.isSkipped(body)));
    if (words === "" || isSkipped) {
      if (words === "") {
        this.formulaEnd = null;
        this.isTable = false;
      }
      this.endSentence();
      return this.skipLine();
    }
    if (isUnspoken && parseFenceOpener(body)) {
      this.endSentence();
      this.takeText(marker.length);
      this.code = {
        lines: new LineBuffer(),
        scanner: new FenceScanner(),
        indent: new RegExp(`^[\\s${marker.includes(">") ? ">" : ""}]{0,${marker.length}}`),
      };
      return true;
    }
    if (marker.trim() !== "") this.endSentence();
    this.isHeading = heading !== undefined;
    this.lineFrom = this.sentence.length;
    this.takeText(marker.length);
    this.at = "words";
    return true;
  }

  /** Whether a whole line is a rule, or part of a table or formula. */
  private isSkipped(line: string): boolean {
    if (this.formulaEnd !== null) {
      if (line.includes(this.formulaEnd)) this.formulaEnd = null;
      return true;
    }
    if (/^(?:\$\$|\\\[)/.test(line)) {
      const end = line.startsWith("$") ? "$$" : "\\]";
      const at = line.indexOf(end, 2);
      if (at < 0) this.formulaEnd = end;
      return at < 0 || !/[\p{L}\p{N}]/u.test(line.slice(at + 2));
    }
    if (BARE_TABLE.test(line)) {
      // The line above names the columns.
      this.sentence = this.sentence.slice(0, this.lineFrom);
      this.isTable = true;
    }
    return this.isTable || line.startsWith("|") || RULE.test(line);
  }

  private skipLine(): boolean {
    const newline = this.rest.indexOf("\n");
    this.at = newline < 0 ? "skipped-line" : "line-start";
    this.takeText(newline < 0 ? this.rest.length : newline + 1);
    return true;
  }

  private takeWords(): boolean {
    const shown = this.rest.slice(0, Math.max(0, LONGEST - this.sentence.length));
    const newline = shown.indexOf("\n");
    const boundary = boundaryIn(shown);
    if (newline >= 0 && (boundary < 0 || newline < boundary)) {
      this.sentence += `${shown.slice(0, newline)} `;
      this.takeText(newline + 1);
      this.at = "line-start";
      if (this.isHeading || SENTENCE_END.test(this.sentence)) this.endSentence();
      return true;
    }
    if (boundary < 0 && shown.length === this.rest.length) return false;
    const end = boundary >= 0 ? boundary : lastCut(shown, this.sentence !== "");
    this.sentence += shown.slice(0, end);
    this.takeText(end);
    this.endSentence();
    return true;
  }

  private takeText(length: number): void {
    this.rest = this.rest.slice(length);
    this.offset += length;
  }

  private endSentence(): void {
    const written = this.isHeading ? this.sentence.replace(/\s#+\s*$/, "") : this.sentence;
    const text = withoutMarks(written, this.t);
    this.sentence = "";
    this.isHeading = false;
    if (/[\p{L}\p{N}]/u.test(text)) this.found.push({ text, end: this.offset });
  }
}

/**
 * The length of the first sentence in `text` including the space after it, or -1. A lowercase
 * letter after the mark means that it was an abbreviation.
 */
function boundaryIn(text: string): number {
  for (const { index, 0: mark } of text.matchAll(BOUNDARY)) {
    const end = index + mark.length;
    if (/\S$/.test(mark) || !/^\p{Ll}/u.test(text.charAt(end))) return end;
  }
  return -1;
}

/**
 * The index at which to split a sentence that is too long: after its last space. Otherwise 0 if
 * `mayWait`, or between two characters.
 */
function lastCut(text: string, mayWait: boolean): number {
  const space = text.lastIndexOf(" ") + 1;
  if (space > 0 || mayWait) return space;
  return /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
}
