/** So many pieces of a line are joined to one string, which keeps the cost of a line that comes in millions of pieces linear. */
const PIECES_A_STRING = 256;

/** Cuts a stream of text into lines. The cost of a piece does not depend on what came before it. */
export class LineBuffer {
  private joined: string[] = [];
  private pieces: string[] = [];

  /** The lines that `chunk` completes, without their `"\n"`; a carriage return before it stays. */
  push(chunk: string): string[] {
    if (!chunk.includes("\n")) {
      this.grow(chunk);
      return [];
    }
    const lines = chunk.split("\n");
    lines[0] = this.flush() + (lines[0] ?? "");
    this.grow(lines.pop() ?? "");
    return lines;
  }

  /** Takes the line that has not ended. */
  flush(): string {
    const line = this.line();
    this.joined = [];
    this.pieces = [];
    return line;
  }

  private line(): string {
    return this.joined.length > 0 ? this.joined.join("") + this.pieces.join("") : this.pieces.join("");
  }

  private grow(piece: string): void {
    if (piece === "") return;
    this.pieces.push(piece);
    if (this.pieces.length < PIECES_A_STRING) return;
    this.joined.push(this.pieces.join(""));
    this.pieces = [];
  }
}
