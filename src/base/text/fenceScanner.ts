import {
  type FenceOpener,
  LIST_ITEM,
  parseFenceOpener,
  parseListedOpener,
  withoutEmphasis,
} from "./fenceOpener.ts";
import { LineBuffer } from "./lineBuffer.ts";
import { type OpenText, openTextAfter } from "./openText.ts";

/** An event of the scanner. Offsets count UTF-16 units from the start of the whole input. */
export type FenceEvent =
  /**
   * A block starts. `info` is the trimmed info string, and `start` is the offset of the opening
   * line. `above` is the last non-blank line since the previous block. It is "" if there is none,
   * or at the end of a list.
   */
  | { readonly type: "open"; readonly info: string; readonly start: number; readonly above: string }
  /**
   * A complete line of the body, without the block's indent and its line break. `crlf` tells
   * whether that was CRLF.
   */
  | { readonly type: "line"; readonly text: string; readonly crlf: boolean }
  /**
   * A bare fence most likely closes the block of a file: a `close` follows with the same `end`, or
   * the fence as a line. `end` is the offset after it.
   */
  | { readonly type: "supposed-close"; readonly end: number }
  /**
   * The block is complete. `end` is the offset after the closing fence, before its line break.
   * `unclear` says why the extent of the body is uncertain.
   */
  | { readonly type: "close"; readonly end: number; readonly unclear?: UnclearBody }
  /** The input ends inside a block. `end` is its length. */
  | { readonly type: "unclosed"; readonly end: number };

/**
 * Why the body of a block is uncertain. `bare-fence`: a bare fence may be content or close the
 * block. `unproven`: the same, unless a grammar proves that it is no content. `indent`: the lines
 * are indented differently from the fence.
 */
export type UnclearBody = "bare-fence" | "unproven" | "indent";

/** What tells whether a bare fence in a block's body is content of the file that it edits. */
export interface FencedFile {
  /** The current text of the file. */
  readonly text: string;
  /**
   * Whether any line may be a bare fence, as in Markdown. Else lines of a string or comment may, and
   * lines indented deeper than the block. Any other line is for a grammar to judge.
   */
  readonly isProse: boolean;
  /** The string or comment that is open above the block's lines. Undefined if there are none. */
  readonly open?: OpenText;
}

/** The file that a block edits. Null for other blocks, whose bare fences are never content. */
export type FencedFileOf = (info: string, above: string) => FencedFile | null;

interface ScannedLine {
  readonly text: string;
  readonly crlf: boolean;
  readonly start: number;
}

/** A bare fence that may close the block, and the lines after it. */
interface SupposedClose {
  readonly fence: ScannedLine;
  /** Nothing shows that it may be content. */
  readonly inCode: boolean;
  readonly after: ScannedLine[];
  /** The index of the next bare fence among them. */
  next: number | null;
  /** The string or comment that the fence is in, until it ends in the lines after. */
  open: OpenText;
}

/**
 * Streaming scanner for fenced code blocks
 * (https://spec.commonmark.org/0.31.2/#fenced-code-blocks).
 *
 * Differences from CommonMark:
 * - A fence with an info string inside a block is content. It opens a nested fence, which a bare
 *   fence closes.
 * - A bare fence that may be content of the edited file closes only if the following lines show
 *   that. In code it closes, but that is unproven if the text goes on right after it and another
 *   bare fence follows.
 * - A block may start in a list item.
 *
 * Never throws. The events do not depend on how the text is split into chunks. The cost of a chunk
 * depends only on its own length.
 */
export class FenceScanner {
  private readonly buffer = new LineBuffer();
  private readonly fileOf: FencedFileOf | null;
  /** The block's fence and the fences nested in it. Empty outside a block. */
  private open: FenceOpener[] = [];
  private lineStart = 0;
  /**
   * The last non-blank line since the previous block. `above` is the same, but "" at the end of a
   * list.
   */
  private before = "";
  private above = "";
  private inList = false;
  /** The file that the block edits. */
  private file: FencedFile | null = null;
  /** The string or comment that is open in the body. */
  private openText: OpenText = null;
  /** False for lines that were read ahead before. It bounds the cost. */
  private readsAhead = true;
  private supposed: SupposedClose | null = null;
  /** The lines of a block in a list item, until its closing fence shows their indent. */
  private listed: ScannedLine[] | null = null;

  constructor(fileOf: FencedFileOf | null = null) {
    this.fileOf = fileOf;
  }

  /** Returns the events of the lines that `chunk` completes. */
  push(chunk: string): FenceEvent[] {
    const events: FenceEvent[] = [];
    for (const line of this.buffer.push(chunk)) {
      this.takeLine(scanned(line, this.lineStart), events);
      this.lineStart += line.length + 1;
    }
    return events;
  }

  /**
   * Ends the input. A last line without a line break can still close a block, unless the input was
   * `cutOff` there.
   */
  flush(cutOff = false): FenceEvent[] {
    const events: FenceEvent[] = [];
    const last = this.buffer.flush();
    const cutInBlock = cutOff && this.open.length > 0;
    if (last !== "" && !cutInBlock) this.takeLine(scanned(last, this.lineStart), events);
    this.lineStart += last.length;
    while (this.supposed && !(cutOff && mayGoOn(this.supposed)))
      this.decide(this.supposed, cutOff, events);
    if (this.supposed)
      for (const line of [this.supposed.fence, ...this.supposed.after]) this.addLine(line, events);
    for (const { text, crlf } of this.listed ?? []) events.push({ type: "line", text, crlf });
    if (this.open.length > 0) events.push({ type: "unclosed", end: this.lineStart });
    this.open = [];
    this.supposed = null;
    this.listed = null;
    return events;
  }

  private takeLine(line: ScannedLine, events: FenceEvent[]): void {
    if (this.supposed) this.takeAfterClose(line, this.supposed, events);
    else if (this.open.length === 0) this.takeOutside(line, events);
    else if (this.listed) this.takeListed(line, events);
    else this.takeInside(line, events);
  }

  private takeOutside({ text, start }: ScannedLine, events: FenceEvent[]): void {
    const plain = parseFenceOpener(text);
    const fence = plain ?? parseListedOpener(text, this.inList);
    if (!fence) {
      if (text.trim() === "") return;
      // The last item of several belongs to its list.
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
    this.file = this.fileOf?.(fence.info, above) ?? null;
    this.openText = this.file?.open ?? null;
    events.push({ type: "open", info: fence.info, start, above });
  }

  private takeInside(line: ScannedLine, events: FenceEvent[]): void {
    const { emphasis = "" } = this.open.length === 1 ? (this.open[0] ?? {}) : {};
    const fence = parseFenceOpener(
      emphasis === "" ? line.text : withoutEmphasis(line.text, emphasis),
    );
    if (fence && this.closes(fence)) {
      if (this.open.length === 1 && this.file) {
        this.suppose(line, this.file);
        events.push({ type: "supposed-close", end: line.start + line.text.length });
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

  /** Supposes that a bare fence closes the block, until the lines after it show whether it does. */
  private suppose(fence: ScannedLine, { isProse }: FencedFile): void {
    const isDeeper = leadingSpaces(fence.text) > (this.open[0]?.indent ?? 0);
    const inCode = !isProse && !isDeeper && this.openText === null;
    const open = this.readsAhead ? this.openText : null;
    this.supposed = { fence, inCode, after: [], next: null, open };
  }

  /**
   * Reads the lines after a supposed close. If another bare fence follows, either of the two may
   * close the block. A fence in a string or comment that ends after it is content.
   */
  private takeAfterClose(line: ScannedLine, supposed: SupposedClose, events: FenceEvent[]): void {
    const { after } = supposed;
    const fence = parseFenceOpener(this.listed ? line.text.trimStart() : line.text);
    const isBare = fence !== null && this.closes(fence);
    after.push(line);
    if (supposed.next === null && isBare) supposed.next = after.length - 1;
    if (supposed.inCode) {
      if (fence || (after.length === 1 && line.text.trim() === ""))
        this.decide(supposed, false, events);
    } else if (supposed.open) {
      supposed.open = openTextAfter(line.text, supposed.open);
      if (!supposed.open && after[0]?.text.trim() !== "") this.goOn(supposed, after.length, events);
      else if (fence && !isBare) this.decide(supposed, false, events);
    } else if (supposed.next !== null ? supposed.next < after.length - 1 : fence)
      this.decide(supposed, false, events);
  }

  /** Takes a fence and `count` lines after it as content, and rescans the others. */
  private goOn({ fence, after }: SupposedClose, count: number, events: FenceEvent[]): void {
    this.supposed = null;
    for (const line of [fence, ...after.slice(0, count)]) this.addLine(line, events);
    for (const line of after.slice(count)) this.takeLine(line, events);
  }

  /** Closes the block at its supposed close, or continues it and rescans the lines after. */
  private decide(supposed: SupposedClose, cutOff: boolean, events: FenceEvent[]): void {
    const reading = supposed.inCode
      ? readingInCode(supposed, cutOff)
      : readingOf(supposed, this.open[0]?.indent ?? 0, this.file?.text ?? "");
    if (typeof reading === "number") {
      this.goOn(supposed, reading, events);
      return;
    }
    this.supposed = null;
    this.close(supposed.fence, reading === "closed" ? null : reading, events);
    // What was read ahead for a string or comment is not read ahead again.
    const { readsAhead } = this;
    this.readsAhead &&= !supposed.open;
    for (const line of supposed.after) this.takeLine(line, events);
    this.readsAhead = readsAhead;
  }

  private takeListed(line: ScannedLine, events: FenceEvent[]): void {
    const fence = parseFenceOpener(line.text.trimStart());
    const closes = fence !== null && this.closes(fence);
    if (closes && this.open.length === 1) {
      if (this.file) this.suppose(line, this.file);
      else this.close(line, null, events);
      return;
    }
    if (closes) this.open.pop();
    else if (fence && this.nests(fence)) this.open.push(fence);
    this.addLine(line, events);
  }

  /** Ends the block at its closing fence. */
  private close(fence: ScannedLine, unclear: UnclearBody | null, events: FenceEvent[]): void {
    const end = fence.start + fence.text.length;
    const ofIndent = this.listed ? this.addListed(this.listed, fence, events) : null;
    const why = unclear ?? ofIndent;
    events.push(why ? { type: "close", end, unclear: why } : { type: "close", end });
    this.open = [];
    this.listed = null;
  }

  /** Gives the lines of a block in a list item, whose closing fence shows their indent. */
  private addListed(
    lines: readonly ScannedLine[],
    closing: ScannedLine,
    events: FenceEvent[],
  ): UnclearBody | null {
    const indent = this.open[0]?.indent ?? 0;
    const margin = leadingSpaces(closing.text);
    const isIndented = margin >= indent;
    const isClear = isIndented
      ? lines.every(({ text }) => text.trim() === "" || leadingSpaces(text) >= indent)
      : margin === 0;
    for (const { text, crlf } of lines)
      events.push({ type: "line", text: isIndented ? text.slice(indent) : text, crlf });
    return isClear ? null : "indent";
  }

  /** Adds a line to the body. */
  private addLine(line: ScannedLine, events: FenceEvent[]): void {
    const { text, crlf } = line;
    if (this.file) this.openText = openTextAfter(text, this.openText);
    if (this.listed) this.listed.push(line);
    else events.push({ type: "line", text: withoutIndent(text, this.open[0]?.indent ?? 0), crlf });
  }

  private closes(fence: FenceOpener): boolean {
    const inner = this.open.at(-1);
    return (
      inner !== undefined &&
      fence.info === "" &&
      fence.character === inner.character &&
      fence.length >= inner.length
    );
  }

  /**
   * Whether to track this fence. A fence too short to close the enclosing one cannot confuse it.
   */
  private nests(fence: FenceOpener): boolean {
    const inner = this.open.at(-1);
    return (
      inner !== undefined &&
      fence.info !== "" &&
      (fence.character !== inner.character || fence.length >= inner.length)
    );
  }
}

/** Whether the input may have been cut off in the body, after a fence that may be content. */
function mayGoOn({ inCode, after }: SupposedClose): boolean {
  return !inCode && after[0]?.text.trim() !== "";
}

/** Whether it is proven that a bare fence in code closes its block. */
function readingInCode({ after, next }: SupposedClose, cutOff: boolean): "closed" | "unproven" {
  const goesOn = after[0] !== undefined && after[0].text.trim() !== "";
  return goesOn && (cutOff || next !== null) ? "unproven" : "closed";
}

/**
 * Decides whether a bare fence closes its block. If not, returns how many lines after it are
 * content with it.
 *
 * A deeper fence is content if the indents show that. Otherwise, the block continues after the
 * `next` fence if the file has the first fence followed by the same line. It also continues if only
 * the second fence precedes a blank line or a fence, as a closing fence does. It is closed if only
 * the first one does.
 */
function readingOf(
  { fence, after, next }: SupposedClose,
  indent: number,
  file: string,
): number | "closed" | "bare-fence" {
  if (next === null) return "closed";
  const depth = leadingSpaces(fence.text);
  const ofNext = leadingSpaces(after[next]?.text ?? "");
  const content = depth > indent ? indentedContent(after.slice(0, next), depth, ofNext) : null;
  if (content !== null) return content;
  if (next === 0) return "bare-fence";
  const [first, second] = [after[0], after[next + 1]].map(
    (line) => line && withoutIndent(line.text, indent),
  );
  const isBlank = first?.trim() === "";
  const isPair = depth <= Math.max(indent, ofNext);
  if (isPair && !isBlank && hasLines(file, withoutIndent(fence.text, indent), first ?? ""))
    return next + 1;
  if (second === undefined) return "bare-fence";
  const endsBlock = /^(?:`+|~+)?$/.test(second.trim());
  if (isBlank && !endsBlock) return "closed";
  return isPair && !isBlank && endsBlock ? next + 1 : "bare-fence";
}

/**
 * How many lines after a fence at the indent `depth` are content with it: all `between` and the
 * next fence if they form a pair, none if the text just goes on at that depth. Null if the indents
 * show neither.
 */
function indentedContent(
  between: readonly ScannedLine[],
  depth: number,
  ofNext: number,
): number | null {
  const isDeep = ({ text }: ScannedLine) => /^ *\t/.test(text) || leadingSpaces(text) >= depth;
  const filled = between.filter(({ text }) => text.trim() !== "");
  const [first] = filled;
  if (!first || !isDeep(first)) return null;
  if (ofNext === depth) return filled.every(isDeep) ? between.length + 1 : null;
  return ofNext < depth && first === between[0] ? 0 : null;
}

function hasLines(file: string, first: string, second: string): boolean {
  return `\n${file.replaceAll("\r\n", "\n")}\n`.includes(`\n${first}\n${second}\n`);
}

function scanned(raw: string, start: number): ScannedLine {
  const crlf = raw.endsWith("\r");
  return { text: crlf ? raw.slice(0, -1) : raw, crlf, start };
}

function leadingSpaces(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}

function withoutIndent(line: string, indent: number): string {
  let at = 0;
  while (at < indent && line[at] === " ") at++;
  return line.slice(at);
}
