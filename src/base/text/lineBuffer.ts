/** Cuts a stream of text into lines. The cost of a piece does not depend on what came before it. */
export class LineBuffer {
  private rest = "";

  /** The lines that `chunk` completes, without their `"\n"`; a carriage return before it stays. */
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

  /** Takes the line that has not ended. */
  flush(): string {
    const line = this.rest;
    this.rest = "";
    return line;
  }
}
