/** The last `limit` UTF-16 units of a command's output, addressed by offsets in the whole output. */
export class OutputTail {
  private readonly limit: number;
  private chunks: string[] = [];
  private kept = 0;
  private dropped = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** The length of everything added so far. */
  get end(): number {
    return this.dropped + this.kept;
  }

  add(text: string): void {
    if (text === "") return;
    this.chunks.push(text);
    this.kept += text.length;
    // Compacting only at half as much again moves each unit a bounded number of times.
    if (this.kept > this.limit * 1.5) this.compact();
  }

  /** What is kept from `offset` on, and where that starts: after `offset` where it was dropped. */
  from(offset: number): { readonly start: number; readonly text: string } {
    const whole = this.chunks.join("");
    this.chunks = whole === "" ? [] : [whole];
    const start = Math.min(Math.max(offset, this.dropped), this.end);
    return { start, text: whole.slice(start - this.dropped) };
  }

  private compact(): void {
    const tail = this.chunks.join("").slice(-this.limit);
    this.dropped += this.kept - tail.length;
    this.kept = tail.length;
    this.chunks = [tail];
  }
}
