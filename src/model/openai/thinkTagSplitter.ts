import { tagOverlap } from "../tagOverlap.ts";
/** A piece of an answer's content: what the model says, or what it thinks. */
export interface ContentPiece {
  readonly type: "text" | "reasoning";
  readonly text: string;
}

/** How models mark thinking in their content. */
const THINK_TAGS = [
  { open: "<think>", close: "</think>" },
  { open: "<thinking>", close: "</thinking>" },
  { open: "<thought>", close: "</thought>" },
  { open: "[THINK]", close: "[/THINK]" },
  { open: "<seed:think>", close: "</seed:think>" },
  { open: "<|START_THINKING|>", close: "<|END_THINKING|>" },
] as const;

/** How much white space may come before a tag, in UTF-16 units. */
const MAX_LEAD = 1024;

/**
 * Separates thinking in tags at the start of an answer's content. Later tags are content. Gives the
 * same for any chunking.
 */
export class ThinkTagSplitter {
  /** Undecided content: white space and the beginning of a tag. */
  private held = "";
  /** The tag that ends the thinking; null outside thinking. */
  private closeTag: string | null = null;
  private atStart = true;
  private thought = false;

  /** Takes the next piece of content. */
  push(text: string): ContentPiece[] {
    const pieces: ContentPiece[] = [];
    this.held += text;
    while (
      this.held !== "" &&
      (this.closeTag === null ? this.open(pieces) : this.think(this.closeTag, pieces))
    );
    return pieces;
  }

  /** Ends the content: gives what was held back. */
  flush(): ContentPiece[] {
    const pieces: ContentPiece[] = [];
    if (this.closeTag !== null) addPiece(pieces, "reasoning", this.held);
    else this.release(pieces);
    this.held = "";
    return pieces;
  }

  /** Passes thinking on; true once it has ended. */
  private think(closeTag: string, pieces: ContentPiece[]): boolean {
    const end = this.held.indexOf(closeTag);
    const stop = end < 0 ? this.held.length - tagOverlap(this.held, closeTag) : end;
    addPiece(pieces, "reasoning", this.held.slice(0, stop));
    this.held = this.held.slice(end < 0 ? stop : end + closeTag.length);
    if (end < 0) return false;
    this.closeTag = null;
    this.thought = true;
    return true;
  }

  /** Passes text on, or looks for a tag at the start; true once thinking has begun. */
  private open(pieces: ContentPiece[]): boolean {
    const content = this.held.trimStart();
    const tag = this.atStart ? THINK_TAGS.find(({ open }) => content.startsWith(open)) : undefined;
    if (tag) {
      this.closeTag = tag.close;
      this.held = content.slice(tag.open.length);
      return true;
    }
    const undecided =
      this.atStart &&
      this.held.length < MAX_LEAD &&
      THINK_TAGS.some(({ open }) => open.startsWith(content));
    if (!undecided) this.release(pieces);
    return false;
  }

  private release(pieces: ContentPiece[]): void {
    // Blank lines between the thinking and the answer belong to neither.
    addPiece(
      pieces,
      "text",
      this.atStart && this.thought ? this.held.replace(/^\s*\n|^\s+$/, "") : this.held,
    );
    if (this.held.trim() !== "") this.atStart = false;
    this.held = "";
  }
}

function addPiece(pieces: ContentPiece[], type: ContentPiece["type"], text: string): void {
  if (text !== "") pieces.push({ type, text });
}
