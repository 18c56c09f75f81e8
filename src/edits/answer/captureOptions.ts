import type { FencedFileOf } from "../../base/text/fenceScanner.ts";
import type { FileRef } from "../../ports/workspace.ts";
import type { View, ViewedTexts } from "../../tools/files/viewedFiles.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { Block } from "../block.ts";
import type { EditedFile } from "../place/editedFile.ts";

/** The parameter `use_line_numbers` as given, undefined where it was left out. */
export type LineNumbersParameter = boolean | undefined;

/** How the blocks of a session are addressed; null until the first valid block decides. */
export type AddressFormat = "lines" | "ast" | "complete" | null;

/** How well a plain block fits a file: it names it, has its language, or contradicts nothing. */
export type WholeFileFit = "named" | "language" | "open";

/** Decides which blocks of a message are for this capture; `above` is the line above a fence. */
export interface BlockClaims {
  /** True for the name of a file that is in edit mode. */
  isOpenFile(file: string): boolean;
  /** `mine`, another session's, or why no session takes it where this one must say so. */
  ownerOf(info: string, above: string): "mine" | "other" | BlockReason;
  /** How well a plain block fits the awaited file; null for a sample, else why it is refused. */
  takesPlain(info: string, above: string): WholeFileFit | BlockReason | null;
  /** True for a block that any session takes or answers. */
  isCaptured(info: string, above: string): boolean;
  /** What tells a bare fence in a block's body from its end. */
  fencedFile: FencedFileOf;
  /** The file in edit mode that a name is for, null for none. */
  openFile(
    name: string,
  ): { readonly file: FileRef; readonly baseText: string; readonly awaitsPlain: boolean } | null;
  /** The texts of all files in edit mode. */
  baseTexts(): readonly string[];
  /** True when this capture reports on what is in no form of an edit, for a file or for none. */
  reportsOn(path: string | null): boolean;
  /** The next block's number in the turn. */
  nextIndex(): number;
}

/** What is edited, and how. */
export interface CaptureOptions {
  readonly callId: string;
  /** As the session finds it; its document is edited, and not disposed of. */
  readonly file: EditedFile;
  readonly mode: AddressFormat;
  /** As the model gave it, whatever decided the mode. */
  readonly parameter?: LineNumbersParameter;
  readonly claims: BlockClaims;
  /** The texts in which the model saw lines; absent where their numbers mean the file's text. */
  readonly looks?: (first: number, last: number) => ViewedTexts;
  /** What the model has seen of the file, newest first; absent where it has seen all of it. */
  readonly views?: () => readonly View[];
  /** Called when a block opens, closes, or changes its state. */
  onBlock(block: Block): void;
  /** Called with an error of Graft's own, which costs one block. */
  onFailure?(error: unknown): void;
  /** Called with each block that a guard holds. */
  onHeld?(block: Block<"held">): void;
}
