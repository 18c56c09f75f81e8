import { FenceScanner } from "../../base/text/fenceScanner.ts";

/** How much of a line's start is kept, in UTF-16 units: enough to tell a quotation, a list or a comment. */
const HEAD = 8;

/** Tracks whether a streamed text is inside code. A fenced block is what edit mode takes for one. */
export class CodeContext {
  private readonly fences = new FenceScanner();
  private inFence = false;
  private inSpan = false;
  private head = "";
  private last = "";
  private lastVisible = "";

  /** True where a call may begin: not in code, quotations, numbered lists or comments, and for a `tag` not in the middle of a sentence. */
  admits(tag: boolean): boolean {
    const inside = this.inFence || this.inSpan || /^ {0,3}(?:`{3}|~{3})/.test(this.head);
    if (inside || /^(?: {4}|\t|[>|#]|\/\/| {0,3}\d+[.)])/.test(this.head)) return false;
    return !tag || this.head.trim() === "" || this.last.trim() !== "" || /[.!?…。]/.test(this.lastVisible);
  }

  /** True after a colon, which may announce an example. */
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
