import { reasonText } from "../../src/turns/blockMessages.ts";
import type { EditBlock, EditStatus } from "../../src/turns/editBlock.ts";
import { t } from "../l10n.ts";
import { wasApplied } from "./editState.ts";
import { statesText, totalsOf } from "./fileTotals.ts";

/**
 * What to announce of a file's edits in a turn when some of them (`changed`, by block id) have
 * changed: the states of all of them in one sentence, and what went wrong with those. Null while
 * one of them is being written.
 */
export function fileAnnouncement(
  path: string,
  edits: Iterable<EditBlock>,
  changed: ReadonlySet<string>,
): string | null {
  const own = [...edits].filter((edit) => edit.path === path && edit.status !== "stopped");
  const isOpen = own.some(({ status }) => status === "streaming" || status === "captured");
  if (isOpen || own.length === 0) return null;
  const sentence = t("Edits of {path}: {state}", { path, state: statesText(totalsOf(own)) });
  const problems = own.filter(
    ({ blockId, status }) => changed.has(blockId) && !isPlainStatus(status),
  );
  const reasons = new Set(problems.flatMap((edit) => reasonText(edit, t) ?? []));
  return [`${sentence}${reasons.size > 0 ? "." : ""}`, ...reasons].join(" ");
}

function isPlainStatus(status: EditStatus): boolean {
  return status === "pending" || status === "rejected" || wasApplied(status);
}
