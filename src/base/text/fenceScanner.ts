import { LineBuffer } from "./lineBuffer.ts";

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
   * A bare fence of a block for a Markdown file most likely closes it: a `close` follows with the
   * same `end`, or the fence as a line. `end` is the offset after it.
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
 * block. `indent`: the lines are indented differently from the fence.
 */
export type UnclearBody = "bare-fence" | "indent";

/** The opening line of a fenced block. */
export interface FenceOpener {
  readonly character: "`" | "~";
  readonly length: number;
  /** Spaces before the fence. At most as many are stripped from each body line. */
  readonly indent: number;
  /** Emphasis marks around the line, such as `**`, or "". */
  readonly emphasis: string;
  /** The rest of the line, trimmed. Of an edit block, the bare address. */
  readonly info: string;
}

/**
 * Returns the current text of the Markdown file that a block edits. Null for other blocks, whose
 * bare fences are never content.
 */
export type MarkdownOf = (info: string, above: string) => string | null;

interface ScannedLine {
  readonly text: string;
  readonly crlf: boolean;
  readonly start: number;
}

/** A bare fence that may close the block, and the lines after it. */
interface SupposedClose {
  readonly fence: ScannedLine;
  readonly after: ScannedLine[];
  /** The index of the next bare fence among them. */
  next: number | null;
}

/**
 * Streaming scanner for fenced code blocks
 * (https://spec.commonmark.org/0.31.2/#fenced-code-blocks).
 *
 * Differences from CommonMark:
 * - A fence with an info string inside a block is content. It opens a nested fence, which a bare
 *   fence closes.
 * - In a block for a Markdown file, a bare fence closes only if the following lines show that.
 * - A block may start in a list item.
 *
 * Never throws. The events do not depend on how the text is split into chunks. The cost of a chunk
 * depends only on its own length.
 */
export class FenceScanner {
  private readonly buffer = new LineBuffer();
  private readonly markdownOf: MarkdownOf | null;
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
  /** The current text of the Markdown file that the block edits. */
  private markdown: string | null = null;
  private supposed: SupposedClose | null = null;
  /** The lines of a block in a list item, until its closing fence shows their indent. */
  private listed: ScannedLine[] | null = null;

  constructor(markdownOf: MarkdownOf | null = null) {
    this.markdownOf = markdownOf;
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
    while (this.supposed && !(cutOff && this.supposed.after[0]?.text.trim() !== ""))
      this.decide(this.supposed, events);
    if (this.supposed)
      for (const line of [this.supposed.fence, ...this.supposed.after]) this.addLine(line, events);
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
    this.markdown = this.markdownOf?.(fence.info, above) ?? null;
    events.push({ type: "open", info: fence.info, start, above });
  }

  private takeInside(line: ScannedLine, events: FenceEvent[]): void {
    const { emphasis = "" } = this.open.length === 1 ? (this.open[0] ?? {}) : {};
    const fence = parseFenceOpener(
      emphasis === "" ? line.text : withoutEmphasis(line.text, emphasis),
    );
    if (fence && this.closes(fence)) {
      if (this.open.length === 1 && this.markdown !== null) {
        this.supposed = { fence: line, after: [], next: null };
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

  /**
   * Reads the lines after a supposed close. If another bare fence follows, either of the two may
   * close the block.
   */
  private takeAfterClose(line: ScannedLine, supposed: SupposedClose, events: FenceEvent[]): void {
    const { after } = supposed;
    const fence = parseFenceOpener(line.text);
    after.push(line);
    if (supposed.next === null && fence && this.closes(fence)) supposed.next = after.length - 1;
    else if (supposed.next !== null || fence) this.decide(supposed, events);
  }

  /** Closes the block at its supposed close, or continues it and rescans the lines after. */
  private decide({ fence, after, next }: SupposedClose, events: FenceEvent[]): void {
    this.supposed = null;
    const indent = this.open[0]?.indent ?? 0;
    const bare = (line: ScannedLine | undefined) =>
      line ? withoutIndent(line.text, indent) : null;
    const lines = {
      fence: bare(fence) ?? "",
      first: bare(after[0]) ?? "",
      behind: next === null ? null : bare(after[next + 1]),
    };
    const reading =
      next === null ? "closed" : next === 0 ? "unclear" : readingOf(lines, this.markdown ?? "");
    if (reading === "continues" && next !== null) {
      for (const line of [fence, ...after.slice(0, next + 1)]) this.addLine(line, events);
      for (const line of after.slice(next + 1)) this.takeLine(line, events);
      return;
    }
    this.open = [];
    const end = fence.start + fence.text.length;
    events.push(
      reading === "unclear"
        ? { type: "close", end, unclear: "bare-fence" }
        : { type: "close", end },
    );
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
    const margin = leadingSpaces(line.text);
    const isIndented = margin >= outer.indent;
    const isClear = isIndented
      ? lines.every(({ text }) => text.trim() === "" || leadingSpaces(text) >= outer.indent)
      : margin === 0;
    for (const { text, crlf } of lines)
      events.push({ type: "line", text: isIndented ? text.slice(outer.indent) : text, crlf });
    const end = line.start + line.text.length;
    events.push(isClear ? { type: "close", end } : { type: "close", end, unclear: "indent" });
    this.listed = null;
  }

  private addLine({ text, crlf }: ScannedLine, events: FenceEvent[]): void {
    events.push({
      type: "line",
      text: this.listed ? text : withoutIndent(text, this.open[0]?.indent ?? 0),
      crlf,
    });
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

/**
 * Decides whether the first of two bare fences closes a block for a Markdown file. `first` is the
 * line after the first fence. `behind` is the line after the second one, null at the end.
 * The block continues if the file has the fence followed by `first`. It also continues if only the
 * second fence precedes a blank line or a fence, as a closing fence does. It is closed if only the
 * first one does.
 */
function readingOf(
  {
    fence,
    first,
    behind,
  }: { readonly fence: string; readonly first: string; readonly behind: string | null },
  file: string,
): "closed" | "continues" | "unclear" {
  const isBlank = first.trim() === "";
  if (!isBlank && hasLines(file, fence, first)) return "continues";
  if (isBlank && behind !== null && !/^(?:`+|~+)?$/.test(behind.trim())) return "closed";
  return !isBlank && behind !== null && /^(?:`+|~+)?$/.test(behind.trim())
    ? "continues"
    : "unclear";
}

function hasLines(file: string, first: string, second: string): boolean {
  return `\n${file.replaceAll("\r\n", "\n")}\n`.includes(`\n${first}\n${second}\n`);
}

function scanned(raw: string, start: number): ScannedLine {
  const crlf = raw.endsWith("\r");
  return { text: crlf ? raw.slice(0, -1) : raw, crlf, start };
}

/**
 * Matches the address of an edit block, whose path and checks may contain backticks. A check may
 * start with a fence. Does not match inline code.
 */
const ADDRESS_WITH_BACKTICKS = /^[^\s`:]*:(?:ast-path:|\d+:\d+)(?!.*(?<!`|\s")```)/;

const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/** Parses an opening fence from a line without its line break. Null for any other line. */
export function parseFenceOpener(line: string): FenceOpener | null {
  const match = /^( {0,3})(\*{1,3}|_{1,3}|)(`{3,}|~{3,})/.exec(line);
  if (!match) return null;
  const [opening, spaces = "", emphasis = "", marks = ""] = match;
  const written = line.slice(opening.length).trim();
  const info = plainAddress(
    emphasis !== "" && written.endsWith(emphasis)
      ? written.slice(0, -emphasis.length).trim()
      : written,
  );
  const character = marks.startsWith("`") ? "`" : "~";
  if (emphasis !== "" && !isAddress(info)) return null;
  if (character === "`" && info.includes("`") && !ADDRESS_WITH_BACKTICKS.test(info)) return null;
  return { character, length: marks.length, indent: spaces.length, emphasis, info };
}

/**
 * The info string with its address unquoted. Models wrap it in backticks, or write it as attributes
 * with `=` and quotes.
 */
function plainAddress(info: string): string {
  return info
    .replace(
      /^([^\s`:]*(?:\s*:|\s|$|(?=`))\s*)`((?:ast-path[:=][^`]|\d+:\d+)[^`]*)`(?=\s|$)/,
      "$1$2",
    )
    .replace(
      /^([^\s`:=]*(?::|\s+:?|(?=ast-path=)))ast-path=(?:"([^"]+)"|'([^']+)'|)(?=\S|\s|$)/,
      (_, lang: string, a?: string, b?: string) => {
        return `${lang}ast-path:${a ?? b ?? ""}`;
      },
    );
}

/**
 * Parses an opening fence in a list item. It follows the item's marker. In an open list (`inList`),
 * it may also be indented by four or more spaces if it has an address.
 */
export function parseListedOpener(line: string, inList: boolean): FenceOpener | null {
  const match = /^(?: *(?:[-*+]|\d{1,9}[.)]) +| {4,})(?=```|~~~)/.exec(line);
  if (!match) return null;
  const fence = parseFenceOpener(line.slice(match[0].length));
  return fence && (LIST_ITEM.test(line) || (inList && isAddress(fence.info)))
    ? { ...fence, indent: match[0].length }
    : null;
}

/** Whether an info string starts like the address of an edit block. */
export function isAddress(info: string): boolean {
  return /^[^\s`:]*(?::|\s+:?(?=\d)|\s*(?=ast-path:))\s*(?:ast-path:\S|\d+:\d+(?![\d.]))/.test(
    info,
  );
}

/** A bare fence without its emphasis marks. Other lines are unchanged. */
function withoutEmphasis(line: string, marks: string): string {
  const rest = line.trim();
  const start = rest.startsWith(marks) ? marks.length : 0;
  const bare = rest.slice(
    start,
    rest.endsWith(marks) && rest.length > start ? -marks.length : undefined,
  );
  return /^ {0,3}\S/.test(line) && /^(?:`{3,}|~{3,})$/.test(bare) ? bare : line;
}

function leadingSpaces(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}

function withoutIndent(line: string, indent: number): string {
  let at = 0;
  while (at < indent && line[at] === " ") at++;
  return line.slice(at);
}
