/** What is in a text that is still being read. */
export interface JsonPieces {
  /** The objects that are complete now, as JSON. */
  readonly objects: readonly string[];
  /** What stands between them. */
  readonly between: string;
}

/**
 * Finds the objects of a text that comes in pieces: one, one a line, one behind another, or the items
 * of a list. Does not check that they are JSON.
 */
export class JsonObjects {
  private held: string[] = [];
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  private heldLength = 0;

  /** The length of the object that is not complete yet, in UTF-16 units. */
  get open(): number {
    return this.heldLength;
  }

  /** Takes the next piece of the text. */
  push(text: string): JsonPieces {
    const objects: string[] = [];
    let between = "";
    let from = 0;
    SIGN.lastIndex = 0;
    if (this.isEscaped && text !== "") {
      this.isEscaped = false;
      SIGN.lastIndex = 1;
    }
    for (let sign = SIGN.exec(text); sign; sign = SIGN.exec(text)) {
      const { index } = sign;
      const [mark] = sign;
      if (this.inString) {
        if (mark === '"') this.inString = false;
        else if (mark === "\\") {
          this.isEscaped = index + 1 === text.length;
          SIGN.lastIndex = index + 2;
        }
      } else if (mark === "{") {
        if (this.depth === 0) {
          between += text.slice(from, index);
          from = index;
        }
        this.depth += 1;
      } else if (this.depth > 0 && mark === '"') this.inString = true;
      else if (this.depth > 0 && mark === "}") {
        this.depth -= 1;
        if (this.depth > 0) continue;
        objects.push([...this.held, text.slice(from, index + 1)].join(""));
        this.held = [];
        this.heldLength = 0;
        from = index + 1;
      }
    }
    const rest = text.slice(from);
    if (this.depth === 0) between += rest;
    else {
      this.held.push(rest);
      this.heldLength += rest.length;
    }
    return { objects, between };
  }
}

const SIGN = /["\\{}]/g;
