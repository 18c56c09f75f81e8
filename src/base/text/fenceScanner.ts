import { LineBuffer } from "./lineBuffer.ts";

/** What the scanner found. Offsets are UTF-16 units from the beginning of all text fed in. */
export type FenceEvent =
  /**
   * A block begins. `info` is the info string, trimmed; `start` is where the opener's line begins; `above` is the last line with text
   * before it and after the last block, "" for none and for the end of a list.
   */
  | { readonly type: "open"; readonly info: string; readonly start: number; readonly above: string }
  /** A complete line of the body, without the block's indent and the line break; `crlf` is true for a CRLF. */
  | { readonly type: "line"; readonly text: string; readonly crlf: boolean }
  /** The block is complete; `end` is after the closing fence, before its line break. `unclear` says why its body is not certain. */
  | { readonly type: "close"; readonly end: number; readonly unclear?: UnclearBody }
  /** The text ends inside a block; `end` is its length. */
  | { readonly type: "unclosed"; readonly end: number };

/** Why the body of a block is not certain: a bare fence may be its own or close the block; its lines have not the indent of their fence. */
export type UnclearBody = "bare-fence" | "indent";

/** The opening line of a fenced block. */
export interface FenceOpener {
  readonly character: "`" | "~";
  readonly length: number;
  /** Characters before the fence; up to as many spaces are taken off each line of the body. */
  readonly indent: number;
  /** Marks of emphasis around the line, as `**`; "" for none. */
  readonly emphasis: string;
  /** The rest of the line, trimmed; an address without what frames it. */
  readonly info: string;
}

/** Gives the text of the Markdown file that a block is for; null where bare fences in its body are no part of it. */
export type MarkdownOf = (info: string, above: string) => string | null;

interface ScannedLine {
  readonly text: string;
  readonly crlf: boolean;
  readonly start: number;
}

/** A bare fence that may close the block, and what follows it. */
interface SupposedClose {
  readonly fence: ScannedLine;
  readonly after: ScannedLine[];
  /** Where the next bare fence is among them. */
  next: number | null;
}

/**
 * Finds fenced code blocks (https://spec.commonmark.org/0.31.2/#fenced-code-blocks) in a text that arrives in pieces. Beyond
 * CommonMark, a fence with an info string inside a block is content and opens a nested fence, which a bare fence closes; a bare fence
 * in a block for a Markdown file closes it only where what follows shows that; and a block may begin in a list item.
 * Total: never throws, and gives the same events for every way to cut the text. The cost of a piece depends on its length alone.
 */
export class FenceScanner {
  private readonly buffer = new LineBuffer();
  private readonly markdownOf: MarkdownOf | null;
  /** The block's fence and the nested ones in it; empty outside blocks. */
  private open: FenceOpener[] = [];
  private lineStart = 0;
  /** The last line with text outside of blocks, since the last one; `above` is the same, or "" for the end of a list. */
  private before = "";
  private above = "";
  private inList = false;
  /** The text of the Markdown file that the block is for. */
  private markdown: string | null = null;
  private supposed: SupposedClose | null = null;
  /** The lines of a block in a list item, until its closing fence says how they are indented. */
  private listed: ScannedLine[] | null = null;

  constructor(markdownOf: MarkdownOf | null = null) {
    this.markdownOf = markdownOf;
  }

  /** The events of the lines that `chunk` completes. */
  push(chunk: string): FenceEvent[] {
    const events: FenceEvent[] = [];
    for (const line of this.buffer.push(chunk)) {
      this.takeLine(scanned(line, this.lineStart), events);
      this.lineStart += line.length + 1;
    }
    return events;
  }

  /** Ends the text. A last line without a line break still closes a block, unless the text was `cutOff` in it. */
  flush(cutOff = false): FenceEvent[] {
    const events: FenceEvent[] = [];
    const last = this.buffer.flush();
    const cutInBlock = cutOff && this.open.length > 0;
    if (last !== "" && !cutInBlock) this.takeLine(scanned(last, this.lineStart), events);
    this.lineStart += last.length;
    while (this.supposed && !(cutOff && this.supposed.after[0]?.text.trim() !== "")) this.decide(this.supposed, events);
    if (this.supposed) for (const line of [this.supposed.fence, ...this.supposed.after]) this.addLine(line, events);
    for (const line of this.listed ?? []) this.addLine(line, events);
    if (this.open.length > 0) events.push({ type: "unclosed", end: this.lineStart });
    this.open = [];
    this.supposed = null;
    this.listed = null;
    return events;
  }

  private takeLine(line: ScannedLine, events: FenceEvent[]): void {
    if (this.supposed) this.takeAfterClose(line, this.supposed, events);
    else if (this.open.length === 0) this.takeOutside(line, events);
    else if (this.listed) this.takeListed(line, this.listed, events);
    else this.takeInside(line, events);
  }

  private takeOutside({ text, start }: ScannedLine, events: FenceEvent[]): void {
    const plain = parseFenceOpener(text);
    const fence = plain ?? parseListedOpener(text, this.inList);
    if (!fence) {
      if (text.trim() === "") return;
      // The last of several items belongs to its list.
      this.above = LIST_ITEM.test(text) && LIST_ITEM.test(this.before) ? "" : text;
      this.before = text;
      this.inList = LIST_ITEM.test(text) || (this.inList && /^\s/.test(text));
      return;
    }
    const { above } = this;
    this.above = "";
    this.before = "";
    this.open = [fence];
    this.listed = plain ? null : [];
    this.markdown = this.markdownOf?.(fence.info, above) ?? null;
    events.push({ type: "open", info: fence.info, start, above });
  }

  private takeInside(line: ScannedLine, events: FenceEvent[]): void {
    const { emphasis = "" } = this.open.length === 1 ? (this.open[0] ?? {}) : {};
    const fence = parseFenceOpener(emphasis === "" ? line.text : withoutEmphasis(line.text, emphasis));
    if (fence && this.closes(fence)) {
      if (this.open.length === 1 && this.markdown !== null) {
        this.supposed = { fence: line, after: [], next: null };
        return;
      }
      this.open.pop();
      if (this.open.length === 0) {
        events.push({ type: "close", end: line.start + line.text.length });
        return;
      }
    } else if (fence && this.nests(fence)) this.open.push(fence);
    this.addLine(line, events);
  }

  /** Looks behind a supposed close: only another bare fence leaves open which one closes the block. */
  private takeAfterClose(line: ScannedLine, supposed: SupposedClose, events: FenceEvent[]): void {
    const { after } = supposed;
    const fence = parseFenceOpener(line.text);
    after.push(line);
    if (supposed.next === null && fence && this.closes(fence)) supposed.next = after.length - 1;
    else if (supposed.next !== null || fence) this.decide(supposed, events);
  }

  /** Closes the block at its supposed close, or continues it with what follows, which is read again. */
  private decide({ fence, after, next }: SupposedClose, events: FenceEvent[]): void {
    this.supposed = null;
    const indent = this.open[0]?.indent ?? 0;
    const bare = (line: ScannedLine | undefined) => (line ? withoutIndent(line.text, indent) : null);
    const lines = { fence: bare(fence) ?? "", first: bare(after[0]) ?? "", behind: next === null ? null : bare(after[next + 1]) };
    const reading = next === null ? "closed" : next === 0 ? "unclear" : readingOf(lines, this.markdown ?? "");
    if (reading === "continues" && next !== null) {
      for (const line of [fence, ...after.slice(0, next + 1)]) this.addLine(line, events);
      for (const line of after.slice(next + 1)) this.takeLine(line, events);
      return;
    }
    this.open = [];
    const end = fence.start + fence.text.length;
    events.push(reading === "unclear" ? { type: "close", end, unclear: "bare-fence" } : { type: "close", end });
    for (const line of after) this.takeLine(line, events);
  }

  private takeListed(line: ScannedLine, lines: ScannedLine[], events: FenceEvent[]): void {
    const outer = this.open[0];
    const fence = parseFenceOpener(line.text.trimStart());
    if (!outer || !fence || !this.closes(fence)) {
      if (fence && this.nests(fence)) this.open.push(fence);
      lines.push(line);
      return;
    }
    this.open.pop();
    if (this.open.length > 0) {
      lines.push(line);
      return;
    }
    const margin = indentOf(line.text);
    const isIndented = margin >= outer.indent;
    const isClear = isIndented ? lines.every(({ text }) => text.trim() === "" || indentOf(text) >= outer.indent) : margin === 0;
    for (const { text, crlf } of lines) events.push({ type: "line", text: isIndented ? text.slice(outer.indent) : text, crlf });
    const end = line.start + line.text.length;
    events.push(isClear ? { type: "close", end } : { type: "close", end, unclear: "indent" });
    this.listed = null;
  }

  private addLine({ text, crlf }: ScannedLine, events: FenceEvent[]): void {
    events.push({ type: "line", text: this.listed ? text : withoutIndent(text, this.open[0]?.indent ?? 0), crlf });
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

/**
 * Whether a block of a Markdown file ends at a bare fence where another one comes later: `first` is the line after the one fence, `behind`
 * the line after the other, null at the end. The block continues where the file has the fence and `first`, or where only the other fence
 * stands before a blank line or a fence, as a closing one does; it ends where only the one fence does.
 */
function readingOf(
  { fence, first, behind }: { readonly fence: string; readonly first: string; readonly behind: string | null },
  file: string,
): "closed" | "continues" | "unclear" {
  const isBlank = first.trim() === "";
  if (!isBlank && hasLines(file, fence, first)) return "continues";
  if (isBlank && behind !== null && !/^(?:`+|~+)?$/.test(behind.trim())) return "closed";
  return !isBlank && behind !== null && /^(?:`+|~+)?$/.test(behind.trim()) ? "continues" : "unclear";
}

function hasLines(file: string, first: string, second: string): boolean {
  return `\n${file.replaceAll("\r\n", "\n")}\n`.includes(`\n${first}\n${second}\n`);
}

function scanned(raw: string, start: number): ScannedLine {
  const crlf = raw.endsWith("\r");
  return { text: crlf ? raw.slice(0, -1) : raw, crlf, start };
}

/** The address of an edit block, whose path and checks may hold backticks; a check may begin with a fence. Inline code is none. */
const ADDRESS_WITH_BACKTICKS = /^[^\s`:]*:(?:ast-path:|\d+:\d+)(?!.*(?<!`|\s")```)/;

const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/** Reads an opening fence from a line without its line break; null when the line is none. */
export function parseFenceOpener(line: string): FenceOpener | null {
  const match = /^( {0,3})(\*{1,3}|_{1,3}|)(`{3,}|~{3,})/.exec(line);
  if (!match) return null;
  const [opening, spaces = "", emphasis = "", marks = ""] = match;
  const written = line.slice(opening.length).trim();
  const info = plainAddress(emphasis !== "" && written.endsWith(emphasis) ? written.slice(0, -emphasis.length).trim() : written);
  const character = marks.startsWith("`") ? "`" : "~";
  if (emphasis !== "" && !isAddress(info)) return null;
  if (character === "`" && info.includes("`") && !ADDRESS_WITH_BACKTICKS.test(info)) return null;
  return { character, length: marks.length, indent: spaces.length, emphasis, info };
}

/** An info string whose address is in backticks, or has `=` and quotes as attributes have, without these. */
function plainAddress(info: string): string {
  return info
    .replace(/^([^\s`:]*(?:\s*:|\s|$|(?=`))\s*)`((?:ast-path[:=][^`]|\d+:\d+)[^`]*)`(?=\s|$)/, "$1$2")
    .replace(
      /^([^\s`:=]*(?::|\s+:?|(?=ast-path=)))ast-path=(?:"([^"]+)"|'([^']+)'|)(?=\S|\s|$)/,
      (_, lang: string, a?: string, b?: string) => {
        return `${lang}ast-path:${a ?? b ?? ""}`;
      },
    );
}

/** Reads an opening fence in a list item: after the item's mark, or, `inList` and with an address, at a deeper indent than other fences. */
export function parseListedOpener(line: string, inList: boolean): FenceOpener | null {
  const match = /^(?: *(?:[-*+]|\d{1,9}[.)]) +| {4,})(?=```|~~~)/.exec(line);
  if (!match) return null;
  const fence = parseFenceOpener(line.slice(match[0].length));
  return fence && (LIST_ITEM.test(line) || (inList && isAddress(fence.info))) ? { ...fence, indent: match[0].length } : null;
}

/** True for what begins as the address of an edit block does. */
export function isAddress(info: string): boolean {
  return /^[^\s`:]*(?::|\s+:?(?=\d)|\s*(?=ast-path:))\s*(?:ast-path:\S|\d+:\d+(?![\d.]))/.test(info);
}

/** A bare fence without the marks of emphasis around it; any other line as it is. */
function withoutEmphasis(line: string, marks: string): string {
  const rest = line.trim();
  const start = rest.startsWith(marks) ? marks.length : 0;
  const bare = rest.slice(start, rest.endsWith(marks) && rest.length > start ? -marks.length : undefined);
  return /^ {0,3}\S/.test(line) && /^(?:`{3,}|~{3,})$/.test(bare) ? bare : line;
}

function indentOf(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}

function withoutIndent(line: string, indent: number): string {
  let at = 0;
  while (at < indent && line[at] === " ") at++;
  return line.slice(at);
}
