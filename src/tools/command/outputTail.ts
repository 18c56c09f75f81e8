/** The last `limit` UTF-16 units of a command's output, addressed by offsets in the whole output. */
export class OutputTail {
  private readonly limit: number;
  private kept = "";
  private dropped = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(text: string): void {
    this.kept += text;
    // Dropping only at half as much again copies each unit a bounded number of times.
    if (this.kept.length <= this.limit * 1.5) return;
    this.dropped += this.kept.length - this.limit;
    this.kept = this.kept.slice(-this.limit);
  }

  /** What is kept from `offset` on, and where that starts: after `offset` where it was dropped. */
  from(offset: number): { readonly start: number; readonly text: string } {
    const start = Math.min(Math.max(offset, this.dropped), this.dropped + this.kept.length);
    return { start, text: this.kept.slice(start - this.dropped) };
  }
}
