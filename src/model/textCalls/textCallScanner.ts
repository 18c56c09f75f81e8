import type { ToolSpec } from "../message.ts";
import { CodeContext } from "./codeContext.ts";
import { MARKED_FORMATS, type TextCall, type TextCallFormat, WHOLE_ANSWER } from "./textCallFormats.ts";

/** A piece of an answer's text: text, or a call written as text. */
export type TextPiece = { readonly type: "text"; readonly text: string } | ({ readonly type: "call" } & TextCall);

/** How many closing tags are tried before a body counts as text; each try reads the whole body. */
const MAX_TRIES = 8;
/** How much text may pass undecided before a body must have begun, and how much white space after a call, in UTF-16 units. */
const MAX_UNDECIDED = 400;
/** White space after calls, stray closing tags (https://github.com/ollama/ollama/issues/16686) and end-of-turn tokens. */
const GAP = /^(?:\s+|<\/tool_call>|<\/s>|(?!<\|python_tag\|>|<｜tool▁calls▁begin｜>)<[|｜][^<>|｜\s]{1,40}[|｜]>)*/;
/** Nothing, or what may become a marker or part of the gap. */
const UNDECIDED = /^(?:[<[][^\s>\]]{0,45})?$/;

interface Capture {
  readonly format: TextCallFormat;
  /** The text since the marker, in pieces. */
  readonly body: string[];
  /** The body so far, until it is known whether it can be a call; then null. */
  lead: string | null;
  /** The body's end, where the closing tag may have begun. */
  tail: string;
  tries: number;
}

/** Complete calls and their text. What follows on the same line tells whether the answer makes them or writes about them. */
interface Unsure {
  readonly calls: readonly TextCall[];
  readonly text: string;
}

/** Finds calls written as text, after a marker or as the whole answer, for any chunking alike. Holds undecided text back. Never throws. */
export class TextCallScanner {
  private readonly tools: readonly ToolSpec[];
  private readonly blocksAreContent: boolean;
  private readonly code = new CodeContext();
  private capture: Capture | null = captureOf(WHOLE_ANSWER);
  private unsure: Unsure | null = null;
  private held = "";

  /** Only `tools` can be called. With `blocksAreContent`, a code block is never a call. */
  constructor(tools: readonly ToolSpec[], blocksAreContent = false) {
    this.tools = tools;
    this.blocksAreContent = blocksAreContent;
  }

  /** Takes the next text of the answer. */
  push(text: string): TextPiece[] {
    const pieces: TextPiece[] = [];
    for (let rest = text; rest !== ""; ) {
      if (this.capture) {
        rest = this.extend(this.capture, rest, pieces);
        continue;
      }
      const all = this.held + rest;
      this.held = "";
      rest = this.unsure ? this.follow(this.unsure, all, pieces) : this.scan(all, pieces);
    }
    return pieces;
  }

  /** Ends the text. Unless the answer is `complete`, an open call is text. */
  end(complete: boolean): TextPiece[] {
    const pieces: TextPiece[] = [];
    const { capture, unsure, held } = this;
    if (unsure) {
      addCalls(pieces, unsure.calls);
      addText(pieces, held.replace(GAP, ""));
    } else if (capture) {
      const body = capture.body.join("");
      const calls = complete && capture.lead === null ? capture.format.read(body, this.tools) : null;
      if (calls) addCalls(pieces, calls);
      else addText(pieces, capture.format.marker + (capture.lead ?? body));
    } else {
      addText(pieces, held);
    }
    return pieces;
  }

  /** Passes text on up to a marker, or to what may become one. Returns what is left to scan, like the methods below. */
  private scan(all: string, pieces: TextPiece[]): string {
    let from = 0;
    for (const { index } of all.matchAll(/[<[]/g)) {
      this.code.push(all.slice(from, index));
      from = index;
      const found = markerAt(all, index, ({ marker }) => this.code.admits(/^<\w/.test(marker)));
      if (found === null) continue;
      addText(pieces, all.slice(0, index));
      if (found === "maybe") {
        this.held = all.slice(index);
        return "";
      }
      this.capture = captureOf(found);
      return all.slice(index + found.marker.length);
    }
    this.code.push(all.slice(from));
    addText(pieces, all);
    return "";
  }

  private extend(capture: Capture, text: string, pieces: TextPiece[]): string {
    const { format, body } = capture;
    let added = text;
    if (capture.lead !== null) {
      capture.lead += text;
      const canBegin = this.canBegin(format, capture.lead.slice(0, MAX_UNDECIDED));
      if (canBegin === "maybe" && capture.lead.length < MAX_UNDECIDED) return "";
      if (canBegin !== "yes") {
        this.release(format.marker, pieces);
        return capture.lead;
      }
      added = capture.lead;
      capture.lead = null;
    }
    const window = capture.tail + added;
    const found = format.close === null ? -1 : window.indexOf(format.close);
    if (format.close === null || found < 0) {
      body.push(added);
      capture.tail = format.close === null ? "" : window.slice(1 - format.close.length);
      return "";
    }
    const used = found + format.close.length - capture.tail.length;
    body.push(added.slice(0, used));
    capture.tail = "";
    capture.tries += 1;
    const whole = body.join("");
    const calls = format.read(whole.slice(0, -format.close.length), this.tools);
    if (calls) {
      this.capture = null;
      this.unsure = { calls, text: format.marker + whole };
    } else if (capture.tries === MAX_TRIES) {
      this.release(format.marker + whole, pieces);
    }
    return added.slice(used);
  }

  /** Whether a body that begins like this can be a call. */
  private canBegin(format: TextCallFormat, lead: string): "yes" | "maybe" | "no" {
    const compact = lead.replace(/\s+/g, "");
    const isBlock = format === WHOLE_ANSWER && !this.blocksAreContent;
    const body = isBlock ? compact.replace(/^`{1,3}[\w-]{0,20}/, "") : compact;
    const begins = format.begins(this.tools.map(({ name }) => name));
    if (begins.some((start) => body.startsWith(start))) return "yes";
    return begins.some((start) => start.startsWith(body)) ? "maybe" : "no";
  }

  /** Decides on calls by what follows them: words on the same line, or after an announced example, make them text. */
  private follow({ calls, text }: Unsure, all: string, pieces: TextPiece[]): string {
    const [gap = ""] = GAP.exec(all) ?? [];
    const rest = all.slice(gap.length);
    const next = markerAt(rest, 0, () => true);
    const isLong = gap.length > MAX_UNDECIDED;
    const undecided = next === "maybe" || (next === null && UNDECIDED.test(rest));
    if (undecided && !isLong) {
      this.held = all;
      return "";
    }
    const made = isLong || next !== null || (/[\n>]/.test(gap) && !this.code.announced);
    this.unsure = null;
    if (!made) {
      this.release(text, pieces);
      return all;
    }
    addCalls(pieces, calls);
    this.code.push("\n");
    return rest;
  }

  private release(text: string, pieces: TextPiece[]): void {
    this.capture = null;
    addText(pieces, text);
    this.code.push(text);
  }
}

function captureOf(format: TextCallFormat): Capture {
  return { format, body: [], lead: "", tail: "", tries: 0 };
}

/** The admitted format whose marker is at `at`, or "maybe" where one may begin. */
function markerAt(text: string, at: number, admits: (format: TextCallFormat) => boolean): TextCallFormat | "maybe" | null {
  for (const format of MARKED_FORMATS) {
    const start = text.slice(at, at + format.marker.length);
    if (start !== "" && format.marker.startsWith(start) && admits(format)) return start === format.marker ? format : "maybe";
  }
  return null;
}

function addText(pieces: TextPiece[], text: string): void {
  if (text !== "") pieces.push({ type: "text", text });
}

function addCalls(pieces: TextPiece[], calls: readonly TextCall[]): void {
  for (const call of calls) pieces.push({ type: "call", ...call });
}
