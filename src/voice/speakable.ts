import type { Localize } from "../base/localize.ts";
import { parseFenceOpener } from "../base/text/fenceOpener.ts";
import { FenceScanner } from "../base/text/fenceScanner.ts";
import { LineBuffer } from "../base/text/lineBuffer.ts";

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
const MAYBE_UNSPOKEN = /^(?:```|~~~|\||([-*_=])\s*\1\s*\1)/;
const BOUNDARY = /[.!?…]["'”’)\]*_`]*[ \t]+(?=\S)|[。！？]/g;
const SENTENCE_END = /[.!?…]["'”’)\]*_`]*\s*$/;
/** Markers of headings, quotes and list items. */
const MARKER = /^\s*(?:>\s?)*(?:(#{1,6})\s+|(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)?/;

/**
 * Converts streamed Markdown into sentences to speak. Skips code blocks, edit blocks, tables,
 * rules, URLs, formulas, hashes and markup. Never throws. The sentences do not depend on how the text is split into
 * chunks. The cost of a chunk depends only on its own length.
 */
export class Speakable {
  /** The undecided text, from `offset` on. */
  private rest = "";
  private offset = 0;
  private sentence = "";
  private at: "line-start" | "words" | "skipped-line" = "line-start";
  private isHeading = false;
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
    const isUnspoken = MAYBE_UNSPOKEN.test(words.slice(0, LINE_START));
    if (!isWhole && !isLong && (isUnspoken || words.length < LINE_START)) return false;
    const indent = line.length - words.length;
    if (words === "" || (isUnspoken && !isWhole)) {
      this.endSentence();
      return this.skipLine();
    }
    if (isUnspoken && parseFenceOpener(words)) {
      this.endSentence();
      this.code = {
        lines: new LineBuffer(),
        scanner: new FenceScanner(),
        indent: new RegExp(`^\\s{0,${indent}}`),
      };
      return true;
    }
    if (isUnspoken && (words.startsWith("|") || /^([-*_=])(?:\s*\1)+\s*$/.test(words))) {
      this.endSentence();
      return this.skipLine();
    }
    const [marker = "", heading] = MARKER.exec(line.slice(0, indent + LINE_START)) ?? [];
    if (marker.trim() !== "") this.endSentence();
    this.isHeading = heading !== undefined;
    this.takeText(marker.length);
    this.at = "words";
    return true;
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
    const text = withoutMarks(this.sentence, this.t);
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

/** What nobody wants to hear: addresses, tags, formulas, ids and hashes. */
const UNHEARD = [
  /<?\b(?:https?|ftp|file):\/\/[^\s>)]*>?|\bwww\.[^\s>)]+/g,
  /<\/?[a-zA-Z][^>]*>|<!--.*?-->/g,
  /\$\$[^$]*\$\$|\\\(.*?\\\)|\\\[.*?\\\]|\$(?=\S)[^$]*[\\^_{=][^$]*\$|\\[a-zA-Z]+(?:\{[^}]*\})+/g,
  /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi,
  /\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,64}\b/g,
];
/** A file in a folder, an absolute path, or a file's line. */
const PATH =
  /(?<![\w.])(?:(?:[A-Za-z]:|~|\.{1,2})?[\\/])?(?:[\w.@-]+[\\/])+([\w.@-]*\w)(?::(\d+))?(?::\d+|-\d+)?|(?<![\w./\\])([\w@-][\w.@-]*\.[a-z]\w{0,7}):(\d+)(?::\d+|-\d+)?/g;
/** Code of one line that reads as words: a name, a command, a path. */
const READABLE_CODE = /^[\w@./\\:~ -]{1,60}(?:\(\))?$/;

function withoutMarks(markdown: string, t: Localize): string {
  let text = markdown.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1");
  text = text.replace(/(`+)([^`]+)\1/g, (_, _marks, code: string) =>
    READABLE_CODE.test(code.trim()) ? code.replace(/\(\)\s*$/, "") : " ",
  );
  for (const unheard of UNHEARD) text = text.replace(unheard, " ");
  return (
    text
      .replace(PATH, (whole: string, name?: string, line?: string, file?: string, at?: string) => {
        const last = name ?? file ?? "";
        // Words such as "and/or" are no path.
        if (name !== undefined && !/^[\\/~.]|^[A-Za-z]:|\.\w+(?::\d+|$)/.test(whole)) return whole;
        const number = line ?? at;
        return number === undefined ? last : t("{file}, line {line}", { file: last, line: number });
      })
      .replace(/(?<![\p{L}\p{N})])(\*{1,3})(?=\S)([^*]+?)(?<=\S)\1(?![\p{L}\p{N}(])/gu, "$2")
      // What is left of `*` is a sign only between spaces or numbers.
      .replace(/(?<![\s\d*])\*+|\*+(?![\s\d*])/g, "")
      .replace(/~~|`+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "")
      .replace(/\\(?=[^\w\s])/g, "")
      .replace(/\(\s*\)/g, "")
      .replace(/\s+(?=[,.;:!?](?:\s|$))/g, "")
      .replace(/\s+/g, " ")
      .trim()
  );
}
