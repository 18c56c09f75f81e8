import { LineBuffer } from "./lineBuffer.ts";

/** What the scanner found. Offsets are UTF-16 units from the beginning of all text fed in. */
export type FenceEvent =
  /** A block begins. `info` is the info string, trimmed; `start` is where the opener's line begins. */
  | { readonly type: "open"; readonly info: string; readonly start: number }
  /** A complete line of the body, without the block's indent and the line break; `crlf` is true for a CRLF. */
  | { readonly type: "line"; readonly text: string; readonly crlf: boolean }
  /** The block is complete; `end` is after the closing fence, before its line break. */
  | { readonly type: "close"; readonly end: number }
  /** The text ends inside a block; `end` is its length. */
  | { readonly type: "unclosed"; readonly end: number };

/** The opening line of a fenced block. */
export interface FenceOpener {
  readonly character: "`" | "~";
  readonly length: number;
  /** Spaces before the fence, 0 to 3; as many are taken off each line of the body. */
  readonly indent: number;
  /** The rest of the line, trimmed. */
  readonly info: string;
}

/**
 * Finds fenced code blocks (https://spec.commonmark.org/0.31.2/#fenced-code-blocks) in a text that arrives in pieces. Beyond
 * CommonMark, a fence with an info string inside a block is content and opens a nested fence, which a bare fence closes.
 * Total: never throws, and gives the same events for every way to cut the text. The cost of a piece depends on its length alone.
 */
export class FenceScanner {
  private readonly buffer = new LineBuffer();
  /** The block's fence and the nested ones in it; empty outside blocks. */
  private open: FenceOpener[] = [];
  private lineStart = 0;

  /** The events of the lines that `chunk` completes. */
  push(chunk: string): FenceEvent[] {
    const events: FenceEvent[] = [];
    for (const line of this.buffer.push(chunk)) {
      this.takeLine(line, events);
      this.lineStart += line.length + 1;
    }
    return events;
  }

  /** Ends the text. A last line without a line break still closes a block, unless the text was `cutOff` in it. */
  flush(cutOff = false): FenceEvent[] {
    const events: FenceEvent[] = [];
    const last = this.buffer.flush();
    const cutInBlock = cutOff && this.open.length > 0;
    if (last !== "" && !cutInBlock) this.takeLine(last, events);
    this.lineStart += last.length;
    if (this.open.length > 0) events.push({ type: "unclosed", end: this.lineStart });
    this.open = [];
    return events;
  }

  private takeLine(raw: string, events: FenceEvent[]): void {
    const crlf = raw.endsWith("\r");
    const line = crlf ? raw.slice(0, -1) : raw;
    const fence = parseFenceOpener(line);
    const outer = this.open[0];
    if (!outer) {
      if (!fence) return;
      this.open = [fence];
      events.push({ type: "open", info: fence.info, start: this.lineStart });
      return;
    }
    if (fence && this.closes(fence)) {
      this.open.pop();
      if (this.open.length === 0) {
        events.push({ type: "close", end: this.lineStart + line.length });
        return;
      }
    } else if (fence && this.nests(fence)) this.open.push(fence);
    events.push({ type: "line", text: withoutIndent(line, outer.indent), crlf });
  }

  private closes(fence: FenceOpener): boolean {
    const inner = this.open.at(-1);
    return inner !== undefined && fence.info === "" && fence.character === inner.character && fence.length >= inner.length;
  }

  /** A fence too short to close the block around it need not be tracked. */
  private nests(fence: FenceOpener): boolean {
    const inner = this.open.at(-1);
    return inner !== undefined && fence.info !== "" && (fence.character !== inner.character || fence.length >= inner.length);
  }
}

/** The address of an edit block with a quoted beginning of a line, which may hold backticks, and begin with a fence. */
const CHECKED_ADDRESS = /^[^\s`]*:(?:ast-path:|\d+:\d+)[^"`]*"(?!.*(?<!`|\s")```)/;

/** Reads an opening fence from a line without its line break; null when the line is none. */
export function parseFenceOpener(line: string): FenceOpener | null {
  const match = /^( {0,3})(`{3,}|~{3,})/.exec(line);
  if (!match) return null;
  const [opening, spaces = "", marks = ""] = match;
  const info = line.slice(opening.length).trim();
  const character = marks.startsWith("`") ? "`" : "~";
  if (character === "`" && info.includes("`") && !CHECKED_ADDRESS.test(info)) return null;
  return { character, length: marks.length, indent: spaces.length, info };
}

function withoutIndent(line: string, indent: number): string {
  let at = 0;
  while (at < indent && line[at] === " ") at++;
  return line.slice(at);
}
