import type { EditBlock } from "../../src/turns/editBlock.ts";
import { t } from "../l10n.ts";
import { acceptedText } from "../messages.ts";
import {
  isUndecided,
  type ShownStatus,
  type StateLabel,
  shownStatus,
  stateLabels,
  wasApplied,
} from "./editState.ts";

/** The edits of one file in one turn, counted. */
export interface FileTotals {
  /** Without those that others replaced, and those that the file had already. */
  readonly blocks: number;
  /** Lines that are proposed or accepted. */
  readonly added: number;
  readonly removed: number;
  /** Blocks that wait for the user, conflicts included. */
  readonly undecided: number;
  readonly statuses: ReadonlyMap<ShownStatus, number>;
}

/** A file without edits. */
export const noEdits: FileTotals = {
  blocks: 0,
  added: 0,
  removed: 0,
  undecided: 0,
  statuses: new Map(),
};

/** Blocks of which nothing is in the file or the proposal. */
const WITHOUT_LINES: ReadonlySet<ShownStatus> = new Set([
  "ignored",
  "refused",
  "held",
  "incomplete",
  "stopped",
  "rejected",
  "superseded",
  "there",
  "withdrawn",
  "undone",
  "undone-unsaved",
]);
/** Blocks that are no part of what the file's edits come to. */
const ASIDE: readonly ShownStatus[] = ["superseded", "there"];

/**
 * The totals after a block changed from `before` (null for a new one) to `after`. The cost does not
 * depend on the number of blocks.
 */
export function countEdit(
  totals: FileTotals,
  before: EditBlock | null,
  after: EditBlock,
): FileTotals {
  return addTo(before ? addTo(totals, before, -1) : totals, after, 1);
}

/** The totals of these blocks. */
export function totalsOf(edits: Iterable<EditBlock>): FileTotals {
  let totals = noEdits;
  for (const edit of edits) totals = countEdit(totals, null, edit);
  return totals;
}

/** True while there is a proposal of these edits to show. */
export function hasProposal({
  undecided,
  statuses,
}: Pick<FileTotals, "undecided" | "statuses">): boolean {
  return undecided > 0 || statuses.has("streaming") || statuses.has("captured");
}

/** How many blocks were accepted, at least in part, and not undone. */
export function acceptedCount({ statuses }: Pick<FileTotals, "statuses">): number {
  return [...statuses].reduce(
    (sum, [status, count]) => (wasApplied(status) ? sum + count : sum),
    0,
  );
}

/**
 * How the state of a file's edits is shown: their state if it is the same for all, else how many of
 * them are accepted.
 */
export function fileState(totals: FileTotals): StateLabel {
  const { statuses, blocks, undecided } = totals;
  const shown = [...statuses.keys()].filter((each) => !ASIDE.includes(each));
  const [aside] = statuses.keys();
  const only = shown.length === 0 ? aside : shown.length === 1 ? shown[0] : undefined;
  const busy = (["streaming", "captured"] as const).find((status) => statuses.has(status));
  const status = only ?? busy;
  if (status) return stateLabels[status];
  const accepted = acceptedCount(totals);
  const word = acceptedText(accepted, blocks);
  if (undecided > 0) return { icon: "clock", word, tone: "wait" };
  if (accepted > 0) return { icon: "part", word, tone: "good" };
  if (statuses.has("undone-unsaved")) return stateLabels["undone-unsaved"];
  if (statuses.has("undone")) return stateLabels.undone;
  const failed = shown.some((each) => stateLabels[each].tone === "bad");
  return {
    icon: failed ? "warning" : "cross",
    word: t("not applied"),
    tone: failed ? "bad" : "off",
  };
}

/** The states of a file's edits in words: `pending`, or `2 applied, 5 rejected`. */
export function statesText({ statuses }: Pick<FileTotals, "statuses">): string {
  const states = [...statuses].map(([status, count]) => ({
    state: stateLabels[status].word,
    count,
  }));
  const [first] = states;
  if (first && states.length === 1) return first.state;
  return states.map((facts) => t("{count} {state}", facts)).join(", ");
}

function addTo(totals: FileTotals, edit: EditBlock, sign: 1 | -1): FileTotals {
  const statuses = new Map(totals.statuses);
  const status = shownStatus(edit);
  const count = (statuses.get(status) ?? 0) + sign;
  if (count === 0) statuses.delete(status);
  else statuses.set(status, count);
  const lines = WITHOUT_LINES.has(status) ? 0 : sign;
  return {
    blocks: totals.blocks + (ASIDE.includes(status) ? 0 : sign),
    added: totals.added + lines * edit.addedLines,
    removed: totals.removed + lines * edit.removedLines,
    undecided: totals.undecided + (isUndecided(edit) ? sign : 0),
    statuses,
  };
}
