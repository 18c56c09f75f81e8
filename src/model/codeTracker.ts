import { FenceScanner } from "../base/fenceScanner.ts";

/** So much of the beginning of a line, in UTF-16 units, tells what it is. */
const HEAD = 8;

/** Knows whether the text so far ends inside code, for which a fenced block is what edit mode takes for one, and how its line began. */
export class CodeTracker {
  private readonly fences = new FenceScanner();
  private inFence = false;
  private inSpan = false;
  private head = "";
  private last = "";
  private lastVisible = "";

  /** True inside a fenced block, or a code span within its line. */
  get inside(): boolean {
    return this.inFence || this.inSpan || /^ {0,3}(?:`{3}|~{3})/.test(this.head);
  }

  /** True where a call may begin: not in code, in a quotation, a numbered list or a comment, and, where only a `tag` marks it, not in the middle of a sentence. */
  admits(tag: boolean): boolean {
    if (this.inside || /^(?: {4}|\t|[>|#]|\/\/| {0,3}\d+[.)])/.test(this.head)) return false;
    return !tag || this.head.trim() === "" || this.last.trim() !== "" || /[.!?…。]/.test(this.lastVisible);
  }

  /** True where a colon leads over to what follows. */
  get announced(): boolean {
    return /[:：]/.test(this.lastVisible);
  }

  /** Takes the next text. */
  push(text: string): void {
    for (const { type } of this.fences.push(text)) {
      if (type === "open") this.inFence = true;
      else if (type === "close") this.inFence = false;
    }
    for (const char of text) {
      if (char === "\n") {
        this.head = "";
        this.last = "";
        this.inSpan = false;
        continue;
      }
      if (char === "`" && this.last !== "`") this.inSpan = !this.inSpan;
      if (this.head.length < HEAD) this.head += char;
      this.last = char;
      if (char.trim() !== "") this.lastVisible = char;
    }
  }
}
