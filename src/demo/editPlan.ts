import type { OffsetRange } from "../base/text/scan.ts";

/** An edit block. Addresses look like `3:9` or `ast-path:area:before`. */
export interface DemoBlock {
  readonly address: string;
  readonly body: string;
}

/** Planned edits to one file. */
export interface EditPlan {
  /** Describes the change in a sentence or two. */
  readonly summary: string;
  readonly blocks: readonly DemoBlock[];
}

/** A replacement of one range. */
export type Replacement = OffsetRange & { readonly newText: string };

/** The number of blocks in a scripted answer. */
export function countBlocks(answer: string): number {
  return answer.match(/^`{3,}\w*:(?:\d+:\d+|ast-path:)/gm)?.length ?? 0;
}

/** One block per changed line. Replacements must be sorted, disjoint and without line breaks. */
export function lineBlocks(text: string, edits: readonly Replacement[]): readonly DemoBlock[] {
  let end = 0;
  return text.split("\n").flatMap((line, index) => {
    const start = end;
    end += line.length + 1;
    const own = edits.filter((edit) => edit.start >= start && edit.start < end);
    const body = own.reduceRight(
      (rest, edit) =>
        rest.slice(0, edit.start - start) + edit.newText + rest.slice(edit.end - start),
      line,
    );
    return own.length === 0 ? [] : [{ address: `${index + 1}:${index + 1}`, body }];
  });
}
