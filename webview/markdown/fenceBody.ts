import type { FenceOpener } from "../../src/base/text/fenceOpener.ts";

const bareFence = /^ {0,3}(`+|~+)[ \t]*$/;
/** In a list item, whose lines are indented. */
const listedFence = /^ *(`+|~+)[ \t]*$/;
/** In emphasis marks, like its opener. */
const emphasizedFence = /^ {0,3}[*_]{0,3}(`+|~+)[*_]{0,3}[ \t]*$/;

/** Whether the start of a line may still become an opening fence. */
export function mayBecomeFence(partialLine: string): boolean {
  return /^ {0,3}(`{1,2}|~{1,2}|`{3,}[^`]*|~{3,}.*)$/.test(partialLine);
}

/**
 * The body of a streaming fenced block. Turns pushed text into displayed text, without the fence's
 * indent and with `\n` line endings. Holds back a line while it may be the closing fence. The cost
 * of a push depends only on the pushed text.
 *
 * With `closeAtFirst`, the first closing fence ends the body, as in Markdown. Otherwise only
 * `finish` ends it. Closing fences before that belong to nested blocks and are content.
 */
export class FenceBody {
  private readonly fence: FenceOpener;
  private readonly closeAtFirst: boolean;
  private readonly bareFence: RegExp;
  private readonly blanks: RegExp;
  /** The start of the current line, until it is shown. */
  private start = "";
  private midLine = false;
  private held = "";
  private pendingReturn = false;

  constructor(fence: FenceOpener, closeAtFirst: boolean) {
    this.fence = fence;
    this.closeAtFirst = closeAtFirst;
    const isListed = fence.indent > 3;
    this.bareFence = isListed ? listedFence : fence.emphasis === "" ? bareFence : emphasizedFence;
    this.blanks = isListed ? /^ *$/ : /^ {0,3}$/;
  }

  /** `rest` is the text after the closing fence, or null while the body continues. */
  push(text: string): { readonly shown: string; readonly rest: string | null } {
    let input = text;
    if (this.pendingReturn) input = `\r${input}`;
    this.pendingReturn = input.endsWith("\r");
    if (this.pendingReturn) input = input.slice(0, -1);
    let shown = "";
    let at = 0;
    for (let newline = input.indexOf("\n"); newline >= 0; newline = input.indexOf("\n", at)) {
      const end = newline > at && input[newline - 1] === "\r" ? newline - 1 : newline;
      shown += this.completeLine(input.slice(at, end));
      at = newline + 1;
      if (this.closeAtFirst && this.held !== "")
        return { shown, rest: input.slice(at) + (this.pendingReturn ? "\r" : "") };
    }
    return { shown: shown + this.partialLine(input.slice(at)), rest: null };
  }

  /** Ends the body and returns the held-back text, except a closing fence. */
  finish(): string {
    const last = this.isCloser(this.start) ? "" : this.strip(this.start);
    const shown = this.start.trim() === "" ? "" : this.held + last;
    this.held = "";
    this.start = "";
    return shown;
  }

  private completeLine(text: string): string {
    if (this.midLine) {
      this.midLine = false;
      return `${text}\n`;
    }
    const line = this.start + text;
    this.start = "";
    const before = this.held;
    this.held = "";
    if (this.isCloser(line)) {
      this.held = `${this.strip(line)}\n`;
      return before;
    }
    return `${before}${this.strip(line)}\n`;
  }

  private partialLine(text: string): string {
    if (this.midLine) return text;
    this.start += text;
    if (
      this.blanks.test(this.start) ||
      (this.bareFence.test(this.start) && this.start.includes(this.fence.character))
    )
      return "";
    const shown = this.held + this.strip(this.start);
    this.held = "";
    this.start = "";
    this.midLine = true;
    return shown;
  }

  private isCloser(line: string): boolean {
    const fence = this.bareFence.exec(line)?.[1];
    return fence?.startsWith(this.fence.character) === true && fence.length >= this.fence.length;
  }

  private strip(line: string): string {
    let spaces = 0;
    while (spaces < this.fence.indent && line[spaces] === " ") spaces++;
    return line.slice(spaces);
  }
}
