import { err, ok, type Result } from "../base/result.ts";
import { dominantEol, splitLines } from "../base/text.ts";
import type { OffsetRange, SyntaxDocument } from "../syntax/syntaxTypes.ts";
import { editsBetween } from "./changeSet.ts";
import type { BlockEffect, BlockPlace, Draft, DraftBlock } from "./draft.ts";
import { SYNTAX_WARNING } from "./guards.ts";

/** The whole file as one block. An existing file keeps its kind of line breaks and whether it ends with one. */
export class CompleteDraft implements Draft {
  private readonly snapshot: string;
  private readonly document: SyntaxDocument | null;
  private readonly eol: string | null;
  private readonly terminated: boolean;
  private current: DraftBlock | null = null;
  private done: { readonly blockId: string; readonly text: string } | null = null;

  constructor(snapshot: string, document: SyntaxDocument | null) {
    const lines = splitLines(snapshot);
    this.snapshot = snapshot;
    this.document = document;
    this.eol = dominantEol(lines);
    this.terminated = lines.at(-1)?.text === "";
  }

  text(): string {
    return this.done?.text ?? this.snapshot;
  }

  ranges(): ReadonlyMap<string, OffsetRange> {
    return new Map(this.done ? [[this.done.blockId, { start: 0, end: this.done.text.length }]] : []);
  }

  open(block: DraftBlock): Result<BlockPlace, string> {
    this.current = block;
    const range = { start: 0, end: this.snapshot.length };
    const growth = { text: this.snapshot, range, before: "", after: "", terminated: true, indent: null, eol: this.eol ?? "\n" };
    return ok({ growth, oldText: this.snapshot });
  }

  close(lines: readonly string[], bodyEol: string): Result<BlockEffect, string> {
    if (!this.current) return err("the block was not opened");
    const eol = this.eol ?? bodyEol;
    const end = lines.length > 0 && this.terminated ? eol : "";
    this.done = { blockId: this.current.blockId, text: lines.join(eol) + end };
    return ok({ warning: null, clashes: [] });
  }

  finish(): ReadonlyMap<string, string> {
    const { document, done } = this;
    if (!document || !done || document.errorCount() > 0) return new Map();
    for (const edit of editsBetween(document.text, done.text).reverse()) document.edit({ start: edit.start, end: edit.end }, edit.newText);
    return new Map(document.errorCount() > 0 ? [[done.blockId, SYNTAX_WARNING]] : []);
  }
}
