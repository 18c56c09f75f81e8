/** Splits streamed text into lines. The cost of a chunk depends only on its own length. */
export class LineBuffer {
  private rest = "";

  /**
   * Returns the lines that `chunk` completes, without their `"\n"`. A preceding carriage return
   * stays.
   */
  push(chunk: string): string[] {
    if (!chunk.includes("\n")) {
      this.rest += chunk;
      return [];
    }
    const lines = chunk.split("\n");
    lines[0] = this.rest + (lines[0] ?? "");
    this.rest = lines.pop() ?? "";
    return lines;
  }

  /** Returns and clears the unfinished line. */
  flush(): string {
    const line = this.rest;
    this.rest = "";
    return line;
  }
}
