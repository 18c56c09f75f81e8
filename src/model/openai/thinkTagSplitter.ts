import { tagOverlap } from "../tagOverlap.ts";
import { type LoneEnd, LoneThinkEnd } from "./loneThinkEnd.ts";

/**
 * A piece of an answer's content: what the model says, or what it thinks. `was-reasoning`: all text
 * before turns out to be thinking.
 */
export interface ContentPiece {
  readonly type: "text" | "reasoning" | "was-reasoning";
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
 * Separates thinking in tags at the start of an answer's content, and thinking that has only its
 * closing tag. Other tags are content. Gives the same for any chunking.
 */
export class ThinkTagSplitter {
  /** Undecided content: white space and the beginning of a tag. */
  private held = "";
  /** The tag that ends the thinking; null outside thinking. */
  private closeTag: string | null = null;
  private atStart = true;
  private thought = false;
  private readonly lone = new LoneThinkEnd(THINK_TAGS);
  private hasText = false;
  private apart = false;

  /** The answer's thinking also comes apart from its content. */
  thinksApart(): void {
    this.apart = true;
  }

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
    else {
      this.release(pieces);
      this.take(pieces, this.lone.flush(this.thought || this.apart));
      if (this.held !== "") pieces.push(...this.flush());
    }
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
    return !undecided && this.held !== "";
  }

  private release(pieces: ContentPiece[]): void {
    // Blank lines between the thinking and the answer belong to neither.
    const text = this.atStart && this.thought ? this.held.replace(/^\s*\n|^\s+$/, "") : this.held;
    if (this.held.trim() !== "") this.atStart = false;
    this.held = "";
    this.take(pieces, this.lone.push(text, this.thought || this.apart));
  }

  private take(pieces: ContentPiece[], found: LoneEnd): void {
    if ("text" in found) {
      addPiece(pieces, "text", found.text);
      this.hasText ||= found.text !== "";
      return;
    }
    if (this.hasText || pieces.some(({ type }) => type === "text"))
      pieces.push({ type: "was-reasoning", text: "" });
    addPiece(pieces, "reasoning", found.reasoning);
    this.hasText = false;
    this.thought = true;
    this.atStart = true;
    this.held = found.rest;
  }
}

function addPiece(pieces: ContentPiece[], type: ContentPiece["type"], text: string): void {
  if (text !== "") pieces.push({ type, text });
}

/** What a whole answer says, without the thinking in it. */
export function withoutThinking(content: string): string {
  const splitter = new ThinkTagSplitter();
  let said = "";
  for (const { type, text } of [...splitter.push(content), ...splitter.flush()]) {
    if (type === "text") said += text;
    else if (type === "was-reasoning") said = "";
  }
  return said;
}
