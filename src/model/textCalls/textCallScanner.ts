import { FenceScanner } from "../../base/text/fenceScanner.ts";
import { tagOverlap } from "../tagOverlap.ts";

/** A piece of an answer's text: text, or a step of a call. Arguments come in pieces. */
export type TextPiece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call-start"; readonly name: string }
  | { readonly type: "call-arguments"; readonly text: string }
  | { readonly type: "call-end" };

/** The longest name of a tool that is read, in UTF-16 units. */
const MAX_NAME = 128;

/** A new word that makes text a call, for one request. */
export function newCallNonce(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, 12);
}

/** A call as the model is to write it. */
export function writtenCall(nonce: string, name: string, argsText: string): string {
  return `${opener(nonce)}${name}>\n${argsText}\n${closer(nonce)}`;
}

/** The beginning of a call in {@link writtenCall}'s format, whatever its nonce. */
export const WRITTEN_CALL = /<call [0-9a-f]{12} /;

/**
 * Finds the calls that a model wrote with its request's nonce, at the beginning of a line and
 * outside of code blocks. All else is text. Gives the same for any chunking, passes on what it can
 * at once, and never throws.
 */
export class TextCallScanner {
  private readonly opener: string;
  private readonly closer: string;
  private readonly fences = new FenceScanner();
  private inFence = false;
  /**
   * Where the next character lies. After a call, white space up to the end of its line is dropped.
   */
  private at: "line-start" | "line" | "call" | "after-call" = "line-start";
  /** The beginning of what may become a tag. */
  private held = "";

  constructor(nonce: string) {
    this.opener = opener(nonce);
    this.closer = closer(nonce);
  }

  /** Takes the next text of the answer. */
  push(text: string): TextPiece[] {
    const pieces: TextPiece[] = [];
    let rest = this.held + text;
    this.held = "";
    while (rest !== "") {
      if (this.at === "call") rest = this.readArguments(rest, pieces);
      else if (this.at === "after-call") rest = this.skipBlanks(rest);
      else if (this.at === "line-start" && !this.inFence) rest = this.readLineStart(rest, pieces);
      else rest = this.pass(rest, pieces);
    }
    return pieces;
  }

  /**
   * Ends the text. A call without its closing tag counts unless the answer broke off (`complete`).
   */
  end(complete: boolean): TextPiece[] {
    const pieces: TextPiece[] = [];
    if (this.at !== "call") addTextPiece(pieces, "text", this.held);
    else {
      addTextPiece(pieces, "call-arguments", this.held);
      if (complete) pieces.push({ type: "call-end" });
    }
    this.held = "";
    return pieces;
  }

  /** Each of these returns what is left to read. */
  private readLineStart(rest: string, pieces: TextPiece[]): string {
    const line = rest.replace(/^ {1,3}/, "");
    if (!line.startsWith(this.opener)) {
      if (!this.opener.startsWith(line)) return this.pass(rest, pieces);
      this.held = rest;
      return "";
    }
    const tag = line.slice(this.opener.length);
    const [name = ""] = /^[^\s<>]*/.exec(tag) ?? [];
    if (tag === name && name.length <= MAX_NAME) {
      this.held = rest;
      return "";
    }
    if (name === "" || name.length > MAX_NAME || tag[name.length] !== ">")
      return this.pass(rest, pieces);
    this.at = "call";
    pieces.push({ type: "call-start", name });
    return tag.slice(name.length + 1);
  }

  private readArguments(rest: string, pieces: TextPiece[]): string {
    const end = rest.indexOf(this.closer);
    if (end >= 0) {
      addTextPiece(pieces, "call-arguments", rest.slice(0, end));
      pieces.push({ type: "call-end" });
      this.at = "after-call";
      return rest.slice(end + this.closer.length);
    }
    const kept = tagOverlap(rest, this.closer);
    addTextPiece(pieces, "call-arguments", rest.slice(0, rest.length - kept));
    this.held = rest.slice(rest.length - kept);
    return "";
  }

  private skipBlanks(rest: string): string {
    const blanks = /^[ \t\r]*\n?/.exec(rest)?.[0] ?? "";
    if (blanks.endsWith("\n") || blanks.length < rest.length) this.at = "line-start";
    return rest.slice(blanks.length);
  }

  /** Passes text on, to the end of its line. */
  private pass(rest: string, pieces: TextPiece[]): string {
    const end = rest.indexOf("\n") + 1;
    const text = end === 0 ? rest : rest.slice(0, end);
    for (const { type } of this.fences.push(text)) {
      if (type === "open") this.inFence = true;
      else if (type === "close") this.inFence = false;
    }
    this.at = end === 0 ? "line" : "line-start";
    addTextPiece(pieces, "text", text);
    return rest.slice(text.length);
  }
}

function opener(nonce: string): string {
  return `<call ${nonce} `;
}

function closer(nonce: string): string {
  return `</call ${nonce}>`;
}

/** Adds text to the last piece of the same type. */
function addTextPiece(pieces: TextPiece[], type: "text" | "call-arguments", text: string): void {
  if (text === "") return;
  const last = pieces.at(-1);
  if (last?.type === type) pieces.splice(-1, 1, { type, text: last.text + text });
  else pieces.push({ type, text });
}
