import { HarmonyReader } from "./harmonyReader.ts";
import { LoneThinkEnd, type TextEnd, type ThinkReading } from "./loneThinkEnd.ts";
import { nextThinkSign, type ThinkTag, thinkTagAt } from "./thinkTags.ts";

/**
 * A piece of an answer's content: what the model says, or what it thinks. `was-reasoning`: all text
 * before turns out to be thinking; `may-be-reasoning`: it can be read so, or as text.
 */
export interface ContentPiece {
  readonly type: "text" | "reasoning" | "was-reasoning" | "may-be-reasoning";
  readonly text: string;
}

/** How much white space may come before a tag, in UTF-16 units. */
const MAX_LEAD = 1024;

/**
 * Separates thinking in tags from an answer's content, and thinking that has only its closing tag.
 * Tags that are mentioned are content. Gives the same for any chunking.
 */
export class ThinkTagSplitter {
  /** Undecided content: white space and the beginning of a tag. */
  private held = "";
  /** The tags around the thinking that the content is in. */
  private pair: ThinkTag | null = null;
  private atStart = true;
  private thought = false;
  private readonly lone = new LoneThinkEnd();
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
    this.pass(pieces);
    return pieces;
  }

  /** Ends the content and returns what is left. `end` says whether it is all that the model meant. */
  flush(end: TextEnd = "whole"): ContentPiece[] {
    const pieces: ContentPiece[] = [];
    for (;;) {
      this.pass(pieces);
      if (this.pair !== null) {
        addPiece(pieces, "reasoning", this.held);
        break;
      }
      this.release(pieces);
      if (this.held !== "") continue;
      this.takeReading(pieces, this.lone.flush(this.thought || this.apart, end));
      if (this.held === "") break;
    }
    this.held = "";
    return pieces;
  }

  /** Passes on what is decided of the content. */
  private pass(pieces: ContentPiece[]): void {
    while (
      this.held !== "" &&
      (this.pair === null ? this.openThinking(pieces) : this.think(this.pair, pieces))
    );
  }

  /** Passes thinking on; true once it has ended. */
  private think(pair: ThinkTag, pieces: ContentPiece[]): boolean {
    const { held } = this;
    let at = nextThinkSign(held, 0);
    for (; at < held.length; at = nextThinkSign(held, at + 1)) {
      const tag = thinkTagAt(held, at, false);
      if (tag === "cut") break;
      if (tag?.pair !== pair || tag.isOpen) continue;
      addPiece(pieces, "reasoning", held.slice(0, at));
      this.held = held.slice(at + tag.length);
      this.pair = null;
      this.thought = true;
      return true;
    }
    addPiece(pieces, "reasoning", held.slice(0, at));
    this.held = held.slice(at);
    return false;
  }

  /** Passes text on, or looks for a tag at the start; true once thinking has begun. */
  private openThinking(pieces: ContentPiece[]): boolean {
    const content = this.held.trimStart();
    const tag = this.atStart ? thinkTagAt(content, 0, false) : null;
    if (tag && tag !== "cut" && tag.isOpen) {
      this.pair = tag.pair;
      this.held = content.slice(tag.length);
      return true;
    }
    const undecided =
      this.atStart && this.held.length < MAX_LEAD && (content === "" || tag === "cut");
    if (!undecided) this.release(pieces);
    return !undecided && this.held !== "";
  }

  private release(pieces: ContentPiece[]): void {
    // Blank lines between the thinking and the answer belong to neither.
    const text = this.atStart && this.thought ? this.held.replace(/^\s*\n|^\s+$/, "") : this.held;
    if (this.held.trim() !== "") this.atStart = false;
    this.held = "";
    this.takeReading(pieces, this.lone.push(text, this.thought || this.apart));
  }

  private takeReading(pieces: ContentPiece[], found: ThinkReading): void {
    if (found.kind === "ended") {
      if (this.hasText) pieces.push({ type: "was-reasoning", text: "" });
      this.hasText = false;
    } else {
      addPiece(pieces, "text", found.text);
      this.hasText ||= found.text !== "";
    }
    if (found.kind === "text") return;
    this.held = found.rest;
    if (found.kind === "doubtful") {
      pieces.push({ type: "may-be-reasoning", text: "" });
      return;
    }
    addPiece(pieces, "reasoning", found.reasoning);
    this.thought = true;
    this.atStart = true;
  }
}

function addPiece(pieces: ContentPiece[], type: ContentPiece["type"], text: string): void {
  if (text !== "") pieces.push({ type, text });
}

/**
 * What a whole answer says, without the thinking in it. Its first `doubtful` UTF-16 units may be
 * thinking.
 */
export function withoutThinking(content: string): {
  readonly said: string;
  readonly doubtful: number;
} {
  const channels = new HarmonyReader(() => false);
  const splitter = new ThinkTagSplitter();
  let said = "";
  let doubtful = 0;
  const pieces = [...channels.push(content), ...channels.end(true)].flatMap((piece) => {
    if (piece.type === "plain") return splitter.push(piece.text);
    return piece.type === "text" || piece.type === "reasoning" ? [piece] : [];
  });
  for (const { type, text } of [...pieces, ...splitter.flush()]) {
    if (type === "text") said += text;
    else if (type === "may-be-reasoning") doubtful = said.length;
    else if (type === "was-reasoning") {
      said = "";
      doubtful = 0;
    }
  }
  return { said, doubtful };
}
