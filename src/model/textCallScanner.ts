import { CodeTracker } from "./codeTracker.ts";
import type { ToolSpec } from "./message.ts";
import { ANSWER, answerLead, bodyLead, MARKED_FORMATS, type TextCallFormat } from "./textCallFormats.ts";
import type { TextCall } from "./textCallReaders.ts";

/** A piece of an answer's text: what the model says, or a call that it wrote as text; `argsText` is a JSON object. */
export type TextPiece = { readonly type: "text"; readonly text: string } | ({ readonly type: "call" } & TextCall);

/** So many ends are tried before a beginning of a call counts as text; each try reads the whole body. */
const MOST_TRIES = 8;
/** So much white space, in UTF-16 units, is waited for the end of. */
const LONGEST_GAP = 400;
/** What stands behind a call and belongs to nothing: a tag that nothing opened (https://github.com/ollama/ollama/issues/16686), or a token that ends a turn. */
const LEFT_OVER = /^(?:<\/tool_call>|<\/s>|<[|｜][^<>|｜\s]{1,40}[|｜]>)/;
const LEFT_OVER_BEGUN = /^<(?:[|｜][^<>|｜\s]{0,40}[|｜]?|\/[a-z_]{0,9})?$/;

interface Capture {
  readonly format: TextCallFormat;
  /** The text since the marker, in pieces. */
  readonly body: string[];
  /** The end of it, where the closing tag may have begun. */
  tail: string;
  /** The beginning of it, until it is known whether it can be a call; null from then on. */
  lead: string | null;
  tries: number;
}

/** Calls behind which the text has not gone on yet: words on the same line tell that they are spoken of, and not made. */
interface Unsure {
  readonly calls: readonly TextCall[];
  readonly text: string;
}

/**
 * Finds the calls that models write into their text, where the server does not turn them into tool calls: behind a marker outside of
 * code and prose, or as the whole answer. Text that may be one is held back until that is decided. Total, and the pieces, joined by
 * type, are the same for every chunking.
 */
export class TextCallScanner {
  private readonly tools: readonly ToolSpec[];
  private readonly blocksAreContent: boolean;
  private readonly code = new CodeTracker();
  private held = "";
  private atStart = true;
  private capture: Capture | null = null;
  private behindCall = false;
  private unsure: Unsure | null = null;

  /** `tools` are those of the request: nothing else can be called. `blocksAreContent` tells that no code block is a call. */
  constructor(tools: readonly ToolSpec[], blocksAreContent = false) {
    this.tools = tools;
    this.blocksAreContent = blocksAreContent;
  }

  /** Takes the next text of the answer. */
  push(text: string): TextPiece[] {
    const pieces: TextPiece[] = [];
    this.take(text, pieces);
    return pieces;
  }

  /** The text is over; where the answer is not `complete`, what was held back is text. */
  end(complete: boolean): TextPiece[] {
    const pieces: TextPiece[] = [];
    const { capture } = this;
    if (this.unsure) this.settle(this.unsure, pieces);
    if (capture) {
      this.capture = null;
      const calls = complete && capture.lead === null ? capture.format.read(capture.body.join(""), this.tools) : null;
      if (calls) addCalls(pieces, calls);
      else addText(pieces, capture.format.marker + capture.body.join(""));
    } else {
      addText(pieces, this.behindCall ? this.held.slice(goesOnAt(this.held)) : this.held);
    }
    this.held = "";
    return pieces;
  }

  private take(text: string, pieces: TextPiece[]): void {
    let rest = text;
    while (rest !== "") {
      if (this.atStart) rest = this.begin(rest);
      else if (this.capture) rest = this.captureMore(this.capture, rest, pieces);
      else rest = this.scan(rest, pieces);
    }
  }

  /** An answer that is nothing but a call in JSON has no marker. Gives the text that is still to be scanned. */
  private begin(text: string): string {
    const held = this.held + text;
    const verdict = answerLead(held, this.tools, this.blocksAreContent);
    this.held = verdict === "maybe" ? held : "";
    this.atStart = verdict === "maybe";
    if (verdict === "maybe") return "";
    if (verdict === "no") return held;
    this.capture = captureOf(ANSWER, null);
    return held;
  }

  /** Gives out text up to a marker, or up to what may be the beginning of one. */
  private scan(text: string, pieces: TextPiece[]): string {
    const all = this.held + text;
    this.held = "";
    const start = this.behindCall ? this.follow(all, pieces) : 0;
    if (start === null) return "";
    let from = start;
    for (const { index } of all.matchAll(/[<[]/g)) {
      if (index < start) continue;
      this.code.push(all.slice(from, index));
      from = index;
      const found = markerAt(all, index, (format) => this.code.admits(isTag(format)));
      if (found === null) continue;
      addText(pieces, all.slice(start, index));
      if (found === "maybe") {
        this.held = all.slice(index);
        return "";
      }
      this.capture = captureOf(found, "");
      return all.slice(index + found.marker.length);
    }
    this.code.push(all.slice(from));
    addText(pieces, all.slice(start));
    return "";
  }

  /** Tells from what follows calls whether they were made. Gives where the text goes on, or null where more must come to tell. */
  private follow(all: string, pieces: TextPiece[]): number | null {
    const at = goesOnAt(all);
    const next = markerAt(all, at, () => true);
    const open = at === all.length || next === "maybe" || LEFT_OVER_BEGUN.test(all.slice(at, at + 50));
    const { unsure } = this;
    if (unsure) {
      const gap = all.slice(0, at);
      const made = (next !== null && next !== "maybe") || at > LONGEST_GAP || (/[\n>]/.test(gap) && !this.code.announced);
      if (made) this.settle(unsure, pieces);
      else if (open) this.held = all;
      else {
        this.unsure = null;
        this.release(unsure.text, pieces);
      }
      if (!made) {
        this.behindCall = open;
        return open ? null : 0;
      }
    }
    this.behindCall = open;
    if (open) this.held = all.slice(at);
    return open ? null : at;
  }

  private settle({ calls }: Unsure, pieces: TextPiece[]): void {
    this.unsure = null;
    addCalls(pieces, calls);
    this.code.push("\n");
  }

  private captureMore(capture: Capture, text: string, pieces: TextPiece[]): string {
    const { format, body } = capture;
    if (capture.lead !== null) {
      capture.lead += text;
      const verdict = bodyLead(format, capture.lead, this.tools);
      if (verdict === "no") {
        this.release(format.marker, pieces);
        return capture.lead;
      }
      if (verdict === "maybe") {
        body.push(text);
        return "";
      }
      // Scanned from its beginning for the end, which it may hold already.
      const lead = capture.lead;
      capture.lead = null;
      body.length = 0;
      return lead;
    }
    if (format.close === null) {
      body.push(text);
      return "";
    }
    const window = capture.tail + text;
    const found = window.indexOf(format.close);
    if (found < 0) {
      body.push(text);
      capture.tail = window.slice(-(format.close.length - 1));
      return "";
    }
    const used = found + format.close.length - capture.tail.length;
    body.push(text.slice(0, used));
    capture.tail = "";
    capture.tries += 1;
    const whole = body.join("");
    const calls = format.read(whole.slice(0, -format.close.length), this.tools);
    if (calls) {
      this.unsure = { calls, text: format.marker + whole };
      this.behindCall = true;
      this.capture = null;
    } else if (capture.tries >= MOST_TRIES) {
      this.release(format.marker + whole, pieces);
    }
    return text.slice(used);
  }

  /** What was captured is text. */
  private release(text: string, pieces: TextPiece[]): void {
    this.capture = null;
    addText(pieces, text);
    this.code.push(text);
  }
}

function captureOf(format: TextCallFormat, lead: string | null): Capture {
  return { format, body: [], tail: "", lead, tries: 0 };
}

/** The format whose marker stands at `at`, of those that are `admitted`, or whether one may begin there. */
function markerAt(text: string, at: number, admitted: (format: TextCallFormat) => boolean): TextCallFormat | "maybe" | null {
  for (const format of MARKED_FORMATS) {
    const { marker } = format;
    const whole = text.startsWith(marker, at);
    const begun = !whole && at < text.length && text.length - at < marker.length && marker.startsWith(text.slice(at));
    if ((whole || begun) && admitted(format)) return whole ? format : "maybe";
  }
  return null;
}

/** True for a marker that is a tag, which text can be about; others are tokens of their own. */
function isTag({ marker }: TextCallFormat): boolean {
  return /^<\w/.test(marker);
}

/** Where the text behind a call goes on: behind white space and what is left over. */
function goesOnAt(text: string): number {
  for (let at = 0; ; ) {
    while (at < text.length && text.charAt(at).trim() === "") at++;
    const found = markerAt(text, at, () => true) === null ? LEFT_OVER.exec(text.slice(at, at + 50)) : null;
    if (!found) return at;
    at += found[0].length;
  }
}

function addText(pieces: TextPiece[], text: string): void {
  if (text !== "") pieces.push({ type: "text", text });
}

function addCalls(pieces: TextPiece[], calls: readonly TextCall[]): void {
  for (const call of calls) pieces.push({ type: "call", ...call });
}
