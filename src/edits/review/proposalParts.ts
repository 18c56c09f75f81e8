import { type ProposedFile, proposedFiles } from "../../ports/commands/shadow.ts";
import type { FileOperation } from "../../ports/review.ts";
import type { FileRef } from "../../ports/workspace.ts";
import type { PartText } from "../../tools/command/partText.ts";
import { indentOf } from "../text/indent.ts";
import { type LineDifference, lineDiff } from "../text/lineDiff.ts";

/** A file's text beside its proposal. */
export interface ProposedText {
  readonly file: FileRef;
  /** "" where there is no file. */
  readonly real: string;
  readonly proposed: string;
}

/** One thing to decide on: a difference between file and proposal, or what happens to a file. */
export interface ProposalPart {
  readonly file: FileRef;
  /** 0-based, among the differences of its file; null for a deletion or a move. */
  readonly hunk: number | null;
  /** 1-based, in the proposal; null for a deletion or a move. */
  readonly line: number | null;
}

/** What is proposed, in parts that can be left out. */
export interface ProposalParts {
  readonly parts: readonly ProposalPart[];
  /** What each of them changes. */
  readonly texts: readonly PartText[];
  /** The files as they are with those parts that `isKept` says, by their index. */
  files(isKept: (part: number) => boolean): readonly ProposedFile[];
}

/** The parts of proposals: the differences of each text, in order, then what happens to files. */
export function proposalParts(
  texts: readonly ProposedText[],
  operations: readonly FileOperation[],
): ProposalParts {
  const split = texts.map((text) => ({ ...text, differences: lineDiff(text.real, text.proposed) }));
  const parts: ProposalPart[] = [
    ...split.flatMap(({ file, differences }) =>
      differences.map(({ afterLines }, hunk) => ({ file, hunk, line: afterLines.start + 1 })),
    ),
    ...operations.map(({ file }) => ({ file, hunk: null, line: null })),
  ];
  return {
    parts,
    texts: [
      ...split.flatMap((text) =>
        text.differences.map((difference) => partChange(text, difference)),
      ),
      ...operations.map(({ file: { path } }) => {
        return { path, line: null, removed: [], added: [], scope: [], before: "" };
      }),
    ],
    files(isKept) {
      let part = 0;
      const texts = split.flatMap(({ file, real, proposed, differences }) => {
        let [text, end, kept] = ["", 0, 0];
        for (const { beforeStart, beforeEnd, afterStart, afterEnd } of differences) {
          if (!isKept(part++)) continue;
          text += real.slice(end, beforeStart) + proposed.slice(afterStart, afterEnd);
          end = beforeEnd;
          kept++;
        }
        return kept === 0 ? [] : [{ file, text: text + real.slice(end) }];
      });
      return proposedFiles(
        texts,
        operations.filter(() => isKept(part++)),
      );
    },
  };
}

function partChange(
  { file, real, proposed }: ProposedText,
  { beforeStart, beforeEnd, afterStart, afterEnd, afterLines }: LineDifference,
): PartText {
  return {
    path: file.path,
    line: afterLines.start + 1,
    removed: hunkLines(real.slice(beforeStart, beforeEnd)),
    added: hunkLines(proposed.slice(afterStart, afterEnd)),
    scope: scopeOf(proposed.slice(0, afterStart), proposed.slice(afterStart)),
    before: real,
  };
}

function hunkLines(text: string): readonly string[] {
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}

/** The lines of `above` that are less and less indented, outermost first. */
function scopeOf(above: string, below: string): readonly string[] {
  const first = hunkLines(below).find((line) => line.trim() !== "") ?? "";
  const scope: string[] = [];
  let inner = indentOf(first).length;
  for (const line of hunkLines(above).toReversed()) {
    if (inner === 0) break;
    if (!/[\w$]/.test(line) || indentOf(line).length >= inner) continue;
    inner = indentOf(line).length;
    scope.unshift(line);
  }
  return scope;
}
