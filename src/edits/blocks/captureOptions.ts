import type { SyntaxDocument } from "../../syntax/syntax.ts";
import type { View, ViewedTexts } from "../../tools/files/viewedFiles.ts";
import type { CapturedBlock } from "./capturedBlock.ts";
import type { GuardedPlace } from "./guardedBlocks.ts";

/** The parameter `use_line_numbers` as given, undefined where it was left out. */
export type LineNumbersParameter = boolean | undefined;

/** How the blocks of a session are addressed; null until the first valid block decides. */
export type EditMode = "lines" | "ast" | "complete" | null;

/** Decides which blocks of a message are for this capture. */
export interface BlockClaims {
  /** True for the name of a file that is in edit mode. */
  isOpenFile(file: string): boolean;
  /** `mine`, `other` for another session's, `nobody` where no session has the file and this one must say so. */
  ownerOf(file: string | null): "mine" | "other" | "nobody";
  /** True when a plain block with this info string is the file this capture waits for. */
  takesPlain(info: string): boolean;
  /** The next block's number in the turn. */
  nextIndex(): number;
}

/** What is edited, and how. */
export interface CaptureOptions {
  readonly callId: string;
  readonly path: string;
  readonly text: string;
  /** The text without its byte order mark, parsed; the capture edits it but does not dispose of it. Null without a grammar. */
  readonly document: SyntaxDocument | null;
  readonly useLineNumbers: LineNumbersParameter;
  readonly completeFile: boolean;
  readonly claims: BlockClaims;
  /** The texts in which the model saw lines of the file; left out where their numbers mean `text`. */
  readonly looks?: (first: number, last: number) => ViewedTexts;
  /** What the model has seen of the file, newest first; left out where it has seen all of `text`. */
  readonly views?: () => readonly View[];
  /** Called when a block opens, closes, or changes its state. */
  onBlock(block: CapturedBlock): void;
  /** Called with where a block would go that a guard holds back. */
  onHeld?(block: CapturedBlock, place: GuardedPlace): void;
}
