import { wasNotTaken } from "../../src/turns/blockMessages.ts";
import type { EditBlock, EditStatus } from "../../src/turns/editBlock.ts";
import type { IconName } from "../iconShapes.ts";
import { t } from "../l10n.ts";

/** How a state is shown: always an icon and a word; the tone only colors them. */
export interface StateLabel {
  readonly icon: IconName;
  readonly word: string;
  readonly tone: "busy" | "wait" | "good" | "bad" | "off";
}

/**
 * A state of an edit block, or that the file has its text without it, that it is not on the disk
 * yet, that its file was restored later, or that this is not on the disk yet.
 */
export type ShownStatus = EditStatus | "there" | "unsaved" | "undone" | "undone-unsaved";

/** The icon and the word of each state of an edit block. */
export const stateLabels: Readonly<Record<ShownStatus, StateLabel>> = {
  streaming: { icon: "spinner", word: t("streaming…"), tone: "busy" },
  captured: { icon: "check", word: t("received"), tone: "busy" },
  pending: { icon: "clock", word: t("pending"), tone: "wait" },
  applied: { icon: "check", word: t("applied"), tone: "good" },
  "partly-applied": { icon: "part", word: t("partly applied"), tone: "good" },
  rejected: { icon: "cross", word: t("rejected"), tone: "off" },
  ignored: { icon: "stopped", word: t("ignored"), tone: "bad" },
  refused: { icon: "stopped", word: t("refused"), tone: "bad" },
  held: { icon: "warning", word: t("needs a look"), tone: "wait" },
  incomplete: { icon: "warning", word: t("incomplete"), tone: "bad" },
  stopped: { icon: "stopped", word: t("stopped"), tone: "off" },
  conflict: { icon: "conflict", word: t("conflict"), tone: "bad" },
  superseded: { icon: "stopped", word: t("replaced"), tone: "off" },
  withdrawn: { icon: "restore", word: t("withdrawn"), tone: "off" },
  there: { icon: "check", word: t("already there"), tone: "off" },
  unsaved: { icon: "check", word: t("accepted, not saved"), tone: "wait" },
  undone: { icon: "restore", word: t("undone"), tone: "off" },
  "undone-unsaved": { icon: "restore", word: t("undone, not saved"), tone: "wait" },
};

/** The state that the user should see: an accepted block may not be saved, or have been undone. */
export function shownStatus({
  status,
  reason,
  undone,
  isUnsaved,
  isUndoUnsaved,
}: Pick<EditBlock, "status" | "reason" | "undone" | "isUnsaved" | "isUndoUnsaved">): ShownStatus {
  if (undone) return isUndoUnsaved ? "undone-unsaved" : "undone";
  if (status === "applied" && reason?.code === "already-there") return "there";
  if (status === "rejected" && wasNotTaken(reason)) return "refused";
  return (isUnsaved || isUndoUnsaved) && wasApplied(status) ? "unsaved" : status;
}

/** True while the user has to decide on the block. */
export function isUndecided({
  status,
  undecided,
}: Pick<EditBlock, "status" | "undecided">): boolean {
  return status === "pending" || undecided === true;
}

/** True for a block that a command took back: it can be proposed again. */
export function canComeBack({ status, reason }: Pick<EditBlock, "status" | "reason">): boolean {
  return status === "withdrawn" && reason?.code === "taken-back" && reason.callId !== undefined;
}

/** What a block does with its whole file, as the card and the bar show it. */
export interface ShownOperation {
  readonly to: string | null;
  readonly executable?: boolean | undefined;
}

/** What a block does with its whole file; null for one that changes its text. */
export function operationOf({
  op,
  target,
}: Pick<EditBlock, "op" | "target">): ShownOperation | null {
  if (op === "delete") return { to: null };
  if (op === "rename") return { to: target };
  if (op === "make-executable" || op === "make-plain")
    return { to: null, executable: op === "make-executable" };
  return null;
}

/** True for a block that changed its file, and whose change was not undone. */
export function wasApplied(status: ShownStatus): boolean {
  return status === "applied" || status === "partly-applied" || status === "unsaved";
}
