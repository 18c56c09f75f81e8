import type { OffsetRange } from "../base/text/scan.ts";

/** An edit block. Addresses look like `3:9` or `ast-path:area:before`. */
export interface EditBlock {
  readonly address: string;
  readonly body: string;
}

/** Edits to one file, not yet written. */
export interface EditPlan {
  /** What will change, in a sentence or two. */
  readonly summary: string;
  readonly blocks: readonly EditBlock[];
}

/** A change of one range. */
export type Replacement = OffsetRange & { readonly newText: string };

/** How many blocks an answer of the script holds. */
export function countBlocks(answer: string): number {
  return answer.match(/^`{3,}\w*:(?:\d+:\d+|ast-path:)/gm)?.length ?? 0;
}

/** One block per changed line. Replacements are sorted, do not overlap, and hold no line breaks. */
export function lineBlocks(text: string, edits: readonly Replacement[]): readonly EditBlock[] {
  let end = 0;
  return text.split("\n").flatMap((line, index) => {
    const start = end;
    end += line.length + 1;
    const own = edits.filter((edit) => edit.start >= start && edit.start < end);
    const body = own.reduceRight((rest, edit) => rest.slice(0, edit.start - start) + edit.newText + rest.slice(edit.end - start), line);
    return own.length === 0 ? [] : [{ address: `${index + 1}:${index + 1}`, body }];
  });
}
