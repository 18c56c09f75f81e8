import type { ToolSpec } from "./message.ts";
import { answerLead, bodyLead, type TextCall, type TextCallFormat, textCallFormats, textCallsIn } from "./textCallFormats.ts";

/** A piece of an answer's text: what the model says, or a call that it wrote as text; `argsText` is a JSON object. */
export type TextPiece = { readonly type: "text"; readonly text: string } | ({ readonly type: "call" } & TextCall);

/** So many ends are tried before a beginning of a call counts as text; each try reads the whole body. */
const MOST_TRIES = 8;

/** As much of a line, in UTF-16 units, is looked at to tell a fence. */
const LONGEST_FENCE_LINE = 200;

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

/**
 * Finds the calls that local models write into their text, where the server does not turn them into tool calls: between tags outside of
 * code, or as the whole answer. Text that may be one is held back until that is decided. Total, and the pieces, joined by type, are the
 * same for every chunking.
 */
export class TextCallScanner {
  private readonly tools: readonly ToolSpec[];
  private readonly code = new CodeTracker();
  private held = "";
  private atStart = true;
  private capture: Capture | null = null;
  /** White space behind a call belongs to nothing. */
  private behindCall = false;

  /** `tools` are those of the request: nothing else can be called. */
  constructor(tools: readonly ToolSpec[]) {
    this.tools = tools;
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
    if (capture) {
      this.capture = null;
      const calls = complete && capture.lead === null ? textCallsIn(capture.format, capture.body.join(""), this.tools) : null;
      if (calls) addCalls(pieces, calls);
      else addText(pieces, capture.format.marker + capture.body.join(""));
    } else {
      addText(pieces, this.held);
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
    const verdict = answerLead(held, this.tools);
    this.held = verdict === "maybe" ? held : "";
    this.atStart = verdict === "maybe";
    if (verdict === "maybe") return "";
    if (verdict === "no") return held;
    this.capture = { format: textCallFormats.answer, body: [], tail: "", lead: null, tries: 0 };
    return held;
  }

  /** Gives out text up to a marker, or up to what may be the beginning of one. */
  private scan(text: string, pieces: TextPiece[]): string {
    const all = this.held + text;
    this.held = "";
    let start = 0;
    if (this.behindCall) {
      start = all.length - all.trimStart().length;
      this.behindCall = start === all.length;
    }
    for (let at = start; at < all.length; at++) {
      const char = all.charAt(at);
      const found = (char === "<" || char === "[") && !this.code.inside ? markerAt(all, at) : null;
      if (found === null) {
        this.code.push(char);
        continue;
      }
      addText(pieces, all.slice(start, at));
      if (found === "maybe") {
        this.held = all.slice(at);
        return "";
      }
      this.capture = { format: found, body: [], tail: "", lead: "", tries: 0 };
      return all.slice(at + found.marker.length);
    }
    addText(pieces, all.slice(start));
    return "";
  }

  private captureMore(capture: Capture, text: string, pieces: TextPiece[]): string {
    const { format, body } = capture;
    if (capture.lead !== null) {
      capture.lead += text;
      const verdict = bodyLead(format, capture.lead, this.tools);
      if (verdict === "no") return this.release(capture.lead, format, pieces);
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
    const calls = textCallsIn(format, whole.slice(0, -format.close.length), this.tools);
    if (calls) {
      addCalls(pieces, calls);
      this.behindCall = true;
      this.capture = null;
    } else if (capture.tries >= MOST_TRIES) {
      addText(pieces, format.marker + whole);
      this.capture = null;
    }
    return text.slice(used);
  }

  /** The marker introduced no call: it is text, and what follows it is scanned. */
  private release(body: string, { marker }: TextCallFormat, pieces: TextPiece[]): string {
    this.capture = null;
    addText(pieces, marker);
    this.code.push(marker);
    return body;
  }
}

/** The format whose marker stands at `at`, or whether one may begin there. */
function markerAt(text: string, at: number): TextCallFormat | "maybe" | null {
  for (const format of Object.values(textCallFormats)) {
    if (format.marker === "") continue;
    if (text.startsWith(format.marker, at)) return format;
    if (text.length - at < format.marker.length && format.marker.startsWith(text.slice(at))) return "maybe";
  }
  return null;
}

/** Knows whether the text so far ends inside code: a fenced block, or a span within its line. */
class CodeTracker {
  private fence: string | null = null;
  /** The beginning of the line, as much as can be a fence. */
  private line = "";
  private last = "";
  private inSpan = false;

  get inside(): boolean {
    return this.fence !== null || this.inSpan || /^ {0,3}(?:`{3}|~{3})/.test(this.line);
  }

  push(text: string): void {
    for (const char of text) {
      if (char === "\n") this.endLine();
      else {
        if (char === "`" && this.last !== "`") this.inSpan = !this.inSpan;
        if (this.line.length < LONGEST_FENCE_LINE) this.line += char;
        this.last = char;
      }
    }
  }

  private endLine(): void {
    const run = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(this.line);
    const [, marks = "", info = ""] = run ?? [];
    if (this.fence === null) {
      if (run && !(marks.startsWith("`") && info.includes("`"))) this.fence = marks;
    } else if (marks.startsWith(this.fence) && info.trim() === "") {
      this.fence = null;
    }
    this.line = "";
    this.last = "";
    this.inSpan = false;
  }
}

function addText(pieces: TextPiece[], text: string): void {
  if (text !== "") pieces.push({ type: "text", text });
}

function addCalls(pieces: TextPiece[], calls: readonly TextCall[]): void {
  for (const call of calls) pieces.push({ type: "call", ...call });
}
