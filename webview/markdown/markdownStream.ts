import type { Token, Tokens } from "marked";
import { parseFenceOpener } from "../../src/base/text/fenceOpener.ts";
import { boundedTokens, type Links, plainToken } from "./boundedLexer.ts";
import { FenceBody, mayBecomeFence } from "./fenceBody.ts";
import { type FoldPart, foldParts, isFold } from "./folds.ts";

/** A final piece of streaming Markdown. */
export type MarkdownPiece =
  | { readonly type: "block"; readonly token: Token; readonly continuesList: boolean }
  | { readonly type: "code-open"; readonly info: string }
  | { readonly type: "code-text"; readonly text: string }
  | { readonly type: "code-close" }
  | Exclude<FoldPart, { readonly type: "fold-text" }>;

/** The unfinished end of the text: its tokens, then raw text that is not parsed yet. */
export interface MarkdownTail {
  readonly tokens: readonly Token[];
  readonly plain: string;
  /** Whether the tail starts with more items of the preceding list. */
  readonly continuesList: boolean;
}

/**
 * The pieces to append and the tail to show after them. A null tail means that the last one is
 * unchanged.
 */
export interface MarkdownUpdate {
  readonly pieces: readonly MarkdownPiece[];
  readonly tail: MarkdownTail | null;
}

/** A tail of up to this many characters is parsed on every update. */
const SMALL_TAIL = 2048;
/** A longer tail is parsed when it has grown by 1/8, so the total cost stays linear. */
const GROWTH = 8;

/**
 * A line of more characters is drawn as several paragraphs: a browser lays out a whole paragraph
 * each time it grows, which took 50 s for the words of a model that repeats itself.
 */
const LONGEST_LINE = 16_384;

const NOTHING: MarkdownTail = { tokens: [], plain: "", continuesList: false };

/**
 * Parser for streaming Markdown. Every block but the last is final, decided only on complete lines.
 * An open code block grows without being parsed again. The cost of an update depends only on the
 * last block.
 */
export class MarkdownStream {
  /** The number of characters before `tail`. */
  private settled = 0;
  private tail = "";
  private tailChanged = false;
  private lineAdded = false;
  /** The tail's length when it was last searched for final blocks. */
  private scanned = 0;
  /** The tail as last parsed for display. Null if out of date. */
  private read: {
    readonly tokens: readonly Token[];
    readonly visible: number;
    readonly length: number;
  } | null = null;
  private code: FenceBody | null = null;
  private continuesList = false;
  private readonly links: Links = {};
  private queue: MarkdownPiece[] = [];

  /** Adds text. `update` parses it. */
  push(text: string): void {
    if (text === "") return;
    if (this.code) {
      this.pushCode(this.code, text);
      return;
    }
    this.tail += text;
    this.tailChanged = true;
    if (text.includes("\n")) this.lineAdded = true;
  }

  /** Removes and returns the text from `offset` on. Null if that is already final. */
  cut(offset: number): string | null {
    if (this.code || offset < this.settled) return null;
    const removed = this.tail.slice(offset - this.settled);
    this.tail = this.tail.slice(0, offset - this.settled);
    this.invalidate();
    return removed;
  }

  /** Returns the changes since the last update. */
  update(): MarkdownUpdate {
    if (!this.code && this.lineAdded && this.isWorthScanning()) this.settleBlocks();
    this.settleLongLine();
    return { pieces: this.flushQueue(), tail: this.readTail() };
  }

  /** Ends the text and makes everything final. */
  finish(): MarkdownUpdate {
    this.settleLongLine();
    if (this.code) {
      this.addCode(this.code.finish());
      this.queue.push({ type: "code-close" });
      this.code = null;
    } else {
      const tokens = this.lex(this.tail);
      if (!tokens) this.settleSlowly(true);
      this.settle(tokens ?? []);
      this.take(this.tail.length);
    }
    return { pieces: this.flushQueue(), tail: NOTHING };
  }

  private settleBlocks(): void {
    this.lineAdded = false;
    this.scanned = this.tail.length;
    const tokens = this.lex(this.tail.slice(0, this.tail.lastIndexOf("\n") + 1));
    if (!tokens) {
      this.settleSlowly(false);
      return;
    }
    let last = tokens.length - 1;
    while (last > 0 && tokens[last]?.type === "space") last--;
    const token = tokens[last];
    if (!token) return;
    const before = tokens.slice(0, last);
    this.settle(before);
    this.take(before.reduce((sum, each) => sum + each.raw.length, 0));
    if (isCode(token) && token.codeBlockStyle !== "indented") this.openCode(token);
    else if (isList(token)) this.settleItems(token);
  }

  /** Ends a paragraph within its last line, at the same places whatever the pieces were. */
  private settleLongLine(): void {
    for (;;) {
      const start = this.tail.lastIndexOf("\n") + 1;
      if (this.code || this.tail.length - start <= LONGEST_LINE) return;
      const space = this.tail.lastIndexOf(" ", start + LONGEST_LINE - 1) + 1;
      const end = space > start ? space : start + LONGEST_LINE;
      const tokens = this.lex(this.tail.slice(0, end));
      // The body of a code block begins with a line that may be long.
      if (tokens?.some((token) => isCode(token))) return;
      this.settle(tokens ?? [plainToken(this.tail.slice(0, end))]);
      this.take(end);
    }
  }

  /**
   * Makes the tail's complete blocks final one by one. Those that take too long to parse are shown
   * as text.
   */
  private settleSlowly(isEnd: boolean): void {
    for (;;) {
      const end = chunkEnd(this.tail) ?? (isEnd ? this.tail.length : 0);
      if (end === 0) return;
      const chunk = this.tail.slice(0, end);
      this.settle(this.lex(chunk) ?? [plainToken(chunk)]);
      this.take(end);
    }
  }

  /**
   * Opens a code block once the first line after its fence is complete. Until then, the fence may
   * turn out to be an edit block.
   */
  private openCode(token: Tokens.Code): void {
    const newline = this.tail.indexOf("\n");
    const fence = parseFenceOpener(this.tail.slice(0, newline));
    if (!fence || this.tail.indexOf("\n", newline + 1) < 0) return;
    const body = this.tail.slice(newline + 1);
    this.take(newline + 1);
    this.tail = "";
    this.continuesList = false;
    this.queue.push({ type: "code-open", info: token.lang ?? "" });
    this.code = new FenceBody(fence, true);
    this.pushCode(this.code, body);
  }

  private pushCode(code: FenceBody, text: string): void {
    const { shown, rest } = code.push(text);
    this.addCode(shown);
    this.settled += text.length - (rest?.length ?? 0);
    if (rest === null) return;
    this.queue.push({ type: "code-close" });
    this.code = null;
    this.invalidate();
    this.push(rest);
  }

  /** Makes the items of a long list final, except the last one. */
  private settleItems(list: Tokens.List): void {
    if (list.raw.length < SMALL_TAIL || list.items.length < 2) return;
    const items = list.items.slice(0, -1);
    const raw = items.map((item) => item.raw).join("");
    if (!raw.endsWith("\n") || this.tail.slice(0, raw.length).replaceAll("\r", " ") !== raw) return;
    this.settle([{ ...list, items, raw }]);
    this.take(raw.length);
    this.continuesList = true;
  }

  private settle(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.type === "space") continue;
      if (isDefinition(token)) this.links[token.tag] = { href: token.href, title: token.title };
      else if (isCode(token)) {
        this.queue.push({ type: "code-open", info: token.lang ?? "" });
        this.addCode(token.text === "" ? "" : `${token.text}\n`);
        this.queue.push({ type: "code-close" });
      } else if (isFold(token)) this.settleFold(token);
      else this.queue.push({ type: "block", token, continuesList: this.continuesList });
      this.continuesList = false;
    }
  }

  private settleFold({ raw }: Token): void {
    for (const part of foldParts(raw))
      if (part.type !== "fold-text") this.queue.push(part);
      else this.settle((this.lex(part.text) ?? [plainToken(part.text)]).map(unfolded));
  }

  private take(length: number): void {
    if (length === 0) return;
    this.settled += length;
    this.tail = this.tail.slice(length);
    this.invalidate();
  }

  private invalidate(): void {
    this.read = null;
    this.scanned = 0;
    this.tailChanged = true;
  }

  private addCode(text: string): void {
    if (text !== "") this.queue.push({ type: "code-text", text });
  }

  private flushQueue(): MarkdownPiece[] {
    const pieces = this.queue;
    this.queue = [];
    return pieces;
  }

  private isWorthScanning(): boolean {
    if (this.tail.length < SMALL_TAIL || this.hasGrown(this.scanned)) return true;
    // A long block probably ends at a blank line or a fence. Search only while that is cheap.
    const unread = this.tail.length > SMALL_TAIL * GROWTH ? "" : this.tail.slice(this.scanned);
    return /\n[ \t\r]*\n|(^|\n) {0,3}(```|~~~)/.test(unread);
  }

  private hasGrown(since: number): boolean {
    return this.tail.length - since > this.tail.length / GROWTH;
  }

  private readTail(): MarkdownTail | null {
    if (!this.tailChanged) return null;
    this.tailChanged = false;
    if (this.code) return NOTHING;
    const visible = visibleLength(this.tail);
    if (!this.read || this.tail.length < SMALL_TAIL || this.hasGrown(this.read.length)) {
      const tokens = this.lex(this.tail.slice(0, visible));
      this.read = { tokens: tokens ?? [], visible: tokens ? visible : 0, length: this.tail.length };
    }
    return {
      tokens: this.read.tokens,
      plain: this.tail.slice(this.read.visible, visible),
      continuesList: this.continuesList,
    };
  }

  private lex(source: string): Token[] | null {
    return boundedTokens(source, this.links);
  }
}

/**
 * The certain end of the first block: after its closing fence, at a blank line, or before a fence.
 * Null if the block may continue.
 */
function chunkEnd(text: string): number | null {
  const fence = parseFenceOpener(text.slice(0, text.indexOf("\n") + 1).replace(/\r?\n$/, ""));
  if (fence) {
    const closing = new RegExp(
      `\\n {0,3}${fence.character}{${fence.length},}[ \\t\\r]*(?:\\n|$)`,
    ).exec(text);
    return closing ? closing.index + closing[0].length : null;
  }
  const next = /\n(?:[ \t\r]*\n|(?= {0,3}(?:`{3}|~{3})))/.exec(text);
  return next ? next.index + next[0].length : null;
}

/** How much of the tail to show. Hides an opening fence until the line after it is complete. */
function visibleLength(tail: string): number {
  const lineStart = tail.lastIndexOf("\n") + 1;
  const before = lineStart > 1 ? tail.lastIndexOf("\n", lineStart - 2) + 1 : 0;
  if (lineStart > 0 && parseFenceOpener(tail.slice(before, lineStart - 1))) return before;
  return mayBecomeFence(tail.slice(lineStart)) ? lineStart : tail.length;
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === "code";
}

/** A fold in the Markdown of a fold is shown as text, or it could nest without end. */
function unfolded(token: Token): Token {
  return isFold(token) ? plainToken(token.raw) : token;
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list";
}

function isDefinition(token: Token): token is Tokens.Def {
  return token.type === "def";
}
