/** A piece of an answer's content: what the model says, or what it thinks. */
export interface ContentPiece {
  readonly type: "text" | "reasoning";
  readonly text: string;
}

/** How models mark thinking in their content, where neither they nor their server have a field for it. */
const THINK_TAGS = [
  { open: "<think>", close: "</think>" },
  { open: "<thinking>", close: "</thinking>" },
  { open: "<thought>", close: "</thought>" },
  { open: "[THINK]", close: "[/THINK]" },
  { open: "<seed:think>", close: "</seed:think>" },
  { open: "<|START_THINKING|>", close: "<|END_THINKING|>" },
  // gpt-oss (https://cookbook.openai.com/articles/openai-harmony); what follows its thinking has a heading of its own.
  { open: "<|channel|>analysis<|message|>", close: "<|end|>" },
  { open: "<|start|>assistant<|channel|>final<|message|>", close: "" },
  { open: "<|channel|>final<|message|>", close: "" },
] as const;

const LONGEST_LEAD = 1024;

/**
 * Separates thinking that a model writes between tags at the start of its content. A tag further on is content,
 * since an answer may well be about such tags. The pieces, joined by type, are the same for every chunking.
 */
export class ThinkTagSplitter {
  /** Content that cannot be told yet: white space and the beginning of a tag. */
  private held = "";
  /** The tag that ends the thinking; null outside of it. */
  private closeTag: string | null = null;
  private atStart = true;
  private thought = false;

  /** Takes the next piece of content. */
  push(text: string): ContentPiece[] {
    const pieces: ContentPiece[] = [];
    this.held += text;
    while (this.held !== "" && this.step(pieces));
    return pieces;
  }

  /** The content is over: gives what was held back. */
  flush(): ContentPiece[] {
    const pieces: ContentPiece[] = [];
    if (this.closeTag !== null) add(pieces, "reasoning", this.held);
    else this.releaseText(pieces);
    this.held = "";
    return pieces;
  }

  /** Deals with the held content as far as can be told; true when there may be more to tell. */
  private step(pieces: ContentPiece[]): boolean {
    if (this.closeTag !== null) return this.think(this.closeTag, pieces);
    if (this.atStart) return this.lead(pieces);
    this.releaseText(pieces);
    return false;
  }

  private think(closeTag: string, pieces: ContentPiece[]): boolean {
    const end = this.held.indexOf(closeTag);
    if (end >= 0) {
      add(pieces, "reasoning", this.held.slice(0, end));
      this.held = this.held.slice(end + closeTag.length);
      this.closeTag = null;
      this.thought = true;
      return true;
    }
    const keep = overlap(this.held, closeTag);
    add(pieces, "reasoning", this.held.slice(0, this.held.length - keep));
    this.held = this.held.slice(this.held.length - keep);
    return false;
  }

  private lead(pieces: ContentPiece[]): boolean {
    const content = this.held.trimStart();
    const tag = THINK_TAGS.find(({ open }) => content.startsWith(open));
    if (tag) {
      this.closeTag = tag.close;
      this.held = content.slice(tag.open.length);
      return true;
    }
    const undecided = this.held.length < LONGEST_LEAD && (content === "" || THINK_TAGS.some(({ open }) => open.startsWith(content)));
    if (!undecided) this.releaseText(pieces);
    return false;
  }

  private releaseText(pieces: ContentPiece[]): void {
    // The blank lines between the thinking and the answer belong to neither.
    add(pieces, "text", this.atStart && this.thought ? this.held.replace(/^\s*\n|^\s+$/, "") : this.held);
    if (this.held.trim() !== "") this.atStart = false;
    this.held = "";
  }
}

function add(pieces: ContentPiece[], type: ContentPiece["type"], text: string): void {
  if (text !== "") pieces.push({ type, text });
}

/** The length of the longest end of `text` that begins `tag`. */
function overlap(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length--) if (text.endsWith(tag.slice(0, length))) return length;
  return 0;
}
