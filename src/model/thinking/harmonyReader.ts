import { FenceScanner } from "../../base/text/fenceScanner.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import type { TextPiece } from "../textCalls/textCallScanner.ts";

/** A piece of an answer; `plain` is text of one that is not in channels. */
export type ChannelPiece =
  | TextPiece
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "plain"; readonly text: string };

/** What a message's header says; `length` in UTF-16 units, up to its body. */
interface Header {
  readonly kind: "reasoning" | "text" | "call";
  /** The tool that is called, or "". */
  readonly name: string;
  readonly length: number;
}

/**
 * Reads the channels in which gpt-oss answers, where a server passes on the model's tokens: thinking
 * (`analysis`), calls (`commentary` with a recipient) and text (the rest).
 * https://github.com/openai/harmony/blob/main/docs/format.md
 *
 * An answer is in channels if it begins with a whole header; all others are plain text, whatever
 * they quote. In thinking, what quotes enclose is no token. In text, one ends its message only before
 * the next header or at the end of the answer, and never in a code block before a header. In a call,
 * complete arguments end it too. Gives the same for any chunking, and never throws.
 */
export class HarmonyReader {
  private readonly readsCalls: () => boolean;
  /** What is not decided yet. */
  private held = "";
  private state: "start" | "plain" | Header["kind"] = "start";
  private ended = false;
  /** The call is shown as it is written. */
  private isShown = false;
  /** The arguments of the call so far, and how often they were parsed. */
  private args = "";
  private looks = 0;
  /** The last of the body so far. */
  private tail = "";
  private fences = new FenceScanner();
  private inFence = false;
  private hasText = false;

  /** `readsCalls`: whether a call that begins now is one, rather than text that quotes one. */
  constructor(readsCalls: () => boolean) {
    this.readsCalls = readsCalls;
  }

  /** Takes the next text of the answer. */
  push(text: string): ChannelPiece[] {
    const pieces: ChannelPiece[] = [];
    this.held += text;
    while (this.held !== "" && this.read(pieces));
    return pieces;
  }

  /** Ends the answer; a call without its end counts if that was all (`complete`). */
  end(complete: boolean): ChannelPiece[] {
    this.ended = true;
    const pieces = this.push("");
    if (this.state === "call" && complete) pieces.push({ type: "call-end" });
    return pieces;
  }

  /** Reads what is held up to the next message; false once nothing more is decided. */
  private read(pieces: ChannelPiece[]): boolean {
    if (this.state === "start") return this.readStart(pieces);
    if (this.state === "plain") {
      addPiece(pieces, "plain", this.held);
      this.held = "";
      return false;
    }
    const at = this.held.indexOf("<");
    this.passOn(pieces, at < 0 ? this.held.length : at);
    if (at < 0) return false;
    const found = this.tokenHere();
    if (found === "cut") return false;
    if (found === null) this.passOn(pieces, 1);
    else {
      if (this.state === "call") pieces.push({ type: "call-end" });
      if (this.isShown) this.passOn(pieces, found.token);
      else this.held = this.held.slice(found.token);
      this.begin(found.next, pieces);
    }
    return true;
  }

  private readStart(pieces: ChannelPiece[]): boolean {
    const text = this.held.trimStart();
    if (text === "" && !this.ended && this.held.length < MOST_READ) return false;
    const header = headerAt(text.slice(0, MOST_READ), this.ended);
    if (header === "cut" && this.held.length < MOST_READ) return false;
    if (header === null || header === "cut") this.state = "plain";
    else {
      this.held = text;
      this.begin(header, pieces);
    }
    return true;
  }

  /** Begins the message that the header says, or without one text, which follows thinking. */
  private begin(header: Header | null, pieces: ChannelPiece[]): void {
    const kind = header?.kind ?? "text";
    const calls = kind === "call" && this.readsCalls();
    this.state = calls || kind !== "call" ? kind : "text";
    this.isShown = this.state !== kind;
    this.tail = "";
    this.args = "";
    if (this.state === "text") {
      if (this.hasText && this.held !== "") addPiece(pieces, "text", "\n\n");
      this.fences = new FenceScanner();
      this.inFence = false;
    }
    if (!header) this.held = this.held.replace(/^\s*\n/, "");
    else if (this.isShown) this.passOn(pieces, header.length);
    else this.held = this.held.slice(header.length);
    if (calls && header) pieces.push({ type: "call-start", name: header.name });
  }

  private passOn(pieces: ChannelPiece[], length: number): void {
    const text = this.held.slice(0, length);
    this.held = this.held.slice(length);
    if (text === "") return;
    this.tail = (this.tail + text.slice(-MOST_READ)).slice(-MOST_READ);
    if (this.state === "call") {
      this.args += text;
      addPiece(pieces, "call-arguments", text);
      return;
    }
    addPiece(pieces, this.state === "reasoning" ? "reasoning" : "text", text);
    if (this.state !== "text") return;
    this.hasText = true;
    for (const { type } of this.fences.push(text))
      this.inFence = type === "open" || (this.inFence && type !== "close");
  }

  /**
   * Whether what is held begins with a token that ends the message: how much of it that takes, and
   * the header that follows. `cut`: what comes next decides.
   */
  private tokenHere(): { readonly token: number; readonly next: Header | null } | "cut" | null {
    const rest = this.held.slice(0, MOST_READ);
    const isAll = this.ended || rest.length === MOST_READ;
    const [token] = TOKENS.filter((each) => rest.startsWith(each));
    if (token === undefined)
      return !isAll && TOKENS.some((each) => each.startsWith(rest)) ? "cut" : null;
    if (!ENDS.includes(token)) return this.bareHeader(rest, isAll);
    const after = rest.slice(token.length);
    const follows = after.trimStart();
    const blanks = after.length - follows.length;
    if (follows === "") return isAll ? { token: rest.length, next: null } : "cut";
    const next = headerAt(follows, isAll);
    if (next === "cut") return "cut";
    if (next) return this.isCode() ? null : { token: token.length + blanks, next };
    const isEnd =
      this.state === "call"
        ? this.hasAllArguments()
        : this.state === "reasoning" && !this.isQuoted(after[0]);
    return isEnd ? { token: token.length, next: null } : null;
  }

  /** A header right behind thinking, whose end was not sent. */
  private bareHeader(rest: string, isAll: boolean): ReturnType<HarmonyReader["tokenHere"]> {
    if (this.state !== "reasoning") return null;
    const next = headerAt(rest, isAll);
    if (next === null || next === "cut") return next;
    if (rest.length === next.length && !isAll) return "cut";
    return next.kind === "call" || this.isQuoted(rest[next.length]) ? null : { token: 0, next };
  }

  private isQuoted(after: string | undefined): boolean {
    return /["'`“‘«(]$/.test(this.tail) && /["'`”’»)]/.test(after ?? "");
  }

  /** True in a code block of the text, whose last line is not its end. */
  private isCode(): boolean {
    return (
      this.state === "text" &&
      this.inFence &&
      !/(?:^|\n) {0,3}(?:`{3,}|~{3,})[ \t]*$/.test(this.tail)
    );
  }

  private hasAllArguments(): boolean {
    if (this.looks >= MOST_LOOKS || !this.tail.trimEnd().endsWith("}")) return false;
    this.looks += 1;
    return parseJson(this.args) !== undefined;
  }
}

/** The longest header, or white space before one, in UTF-16 units. */
const MOST_READ = 300;
/** How often a call's arguments are parsed before their end. */
const MOST_LOOKS = 16;
const ENDS = ["<|end|>", "<|return|>", "<|call|>"];
const BEGINS = ["<|start|>", "<|channel|>"];
const TOKENS = [...ENDS, ...BEGINS];
const HEADER =
  /^(?:<\|start\|>\s*([\w.:-]+)[^<\n]*)?(?:<\|channel\|>\s*(analysis|commentary|final)\b[^<\n]*)?(?:<\|constrain\|>[^<\n]*)?<\|message\|>/;
/** Recipients that are no tools. */
const PEOPLE = /^(?:assistant|user|all)$/;

/** The header at the text's beginning; `cut` where what follows the text decides. */
function headerAt(text: string, isAll: boolean): Header | "cut" | null {
  if (!BEGINS.some((each) => text.startsWith(each)))
    return !isAll && BEGINS.some((each) => each.startsWith(text)) ? "cut" : null;
  const [header, role = "assistant", channel] = HEADER.exec(text) ?? [];
  if (header === undefined)
    return isAll || text.includes("\n") || text.includes("<|message|>") ? null : "cut";
  const [, recipient = ""] = /\bto=(?:functions\.)?([^\s<]+)/.exec(header) ?? [];
  const { length } = header;
  // What another role says is made up.
  if (role !== "assistant") return { kind: "reasoning", name: "", length };
  if (recipient !== "" && !PEOPLE.test(recipient)) return { kind: "call", name: recipient, length };
  return { kind: channel === "analysis" ? "reasoning" : "text", name: "", length };
}

/** Adds text to the last piece of the same type. */
function addPiece(
  pieces: ChannelPiece[],
  type: "text" | "reasoning" | "plain" | "call-arguments",
  text: string,
): void {
  if (text === "") return;
  const last = pieces.at(-1);
  if (last?.type === type) pieces.splice(-1, 1, { type, text: last.text + text });
  else pieces.push({ type, text });
}
