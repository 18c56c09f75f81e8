import { ok, type Result } from "../../base/result.ts";
import { dominantEol, splitLines } from "../../base/text/lines.ts";
import type { OffsetRange } from "../../base/text/scan.ts";
import type { SyntaxDocument } from "../../syntax/syntax.ts";
import type { Block } from "../block.ts";
import { countChangedLines } from "../text/changeSet.ts";
import type { Placement, Placer, WholeEffect } from "./placer.ts";
import { StreamingText } from "./streamingText.ts";
import { independentEffect } from "./wholeEffect.ts";

/** The whole file as one block. An existing one keeps its line breaks and its final one. */
export class CompletePlacer implements Placer {
  private readonly snapshot: string;
  private readonly document: SyntaxDocument | null;
  private done: { readonly blockId: string; readonly text: string } | null = null;

  constructor(snapshot: string, document: SyntaxDocument | null) {
    this.snapshot = snapshot;
    this.document = document;
  }

  text(): string {
    return this.done?.text ?? this.snapshot;
  }

  ranges(): ReadonlyMap<string, OffsetRange> {
    return new Map(
      this.done ? [[this.done.blockId, { start: 0, end: this.done.text.length }]] : [],
    );
  }

  open({ blockId }: Block): Result<Placement, never> {
    const oldLines = splitLines(this.snapshot);
    const oldEol = dominantEol(oldLines);
    const terminated = oldLines.at(-1)?.text === "";
    return ok({
      growing: new StreamingText({
        text: this.snapshot,
        head: "",
        old: this.snapshot,
        tail: "",
        terminated: true,
        eol: oldEol ?? "\n",
      }),
      oldText: this.snapshot,
      close: ({ lines, eol: written }) => {
        const eol = oldEol ?? written;
        const text = lines.join(eol) + (lines.length > 0 && terminated ? eol : "");
        this.done = { blockId, text };
        return ok(countChangedLines(this.snapshot, text));
      },
      reopen: () => {
        this.done = null;
      },
    });
  }

  finish(): WholeEffect {
    const { document, done } = this;
    const changes = new Map(done ? [[done.blockId, { element: null }]] : []);
    return independentEffect(document, changes, this.ranges(), () => this.text());
  }
}
