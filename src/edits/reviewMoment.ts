import type { ChangeSet } from "@codemirror/state";
import type { KnownHunk, TrackedBlock } from "./reviewHunks.ts";
import type { UserLines } from "./userLines.ts";

/** Where the review was before an edit of the user's to the file. */
export interface ReviewMoment {
  readonly realText: string;
  readonly proposedText: string;
  readonly modelText: string;
  readonly modelToProposed: ChangeSet;
  readonly blocks: readonly TrackedBlock[];
  readonly known: readonly KnownHunk[];
  readonly userLines: UserLines;
}
