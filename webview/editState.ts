import { english } from "../src/base/localize.ts";
import { reasonText } from "../src/turns/blockMessages.ts";
import type { EditBlock, EditStatus } from "../src/turns/turnEvent.ts";
import type { IconName } from "./iconShapes.ts";

/** How a state is shown: always an icon and a word, the tone only on top. */
export interface StateLabel {
  readonly icon: IconName;
  readonly word: string;
  readonly tone: "busy" | "wait" | "good" | "bad" | "off";
}

const labels: Readonly<Record<EditStatus, StateLabel>> = {
  streaming: { icon: "spinner", word: "streaming…", tone: "busy" },
  captured: { icon: "check", word: "captured", tone: "busy" },
  pending: { icon: "clock", word: "waiting for review", tone: "wait" },
  applied: { icon: "check", word: "applied", tone: "good" },
  "partly-applied": { icon: "part", word: "partly applied", tone: "good" },
  rejected: { icon: "cross", word: "rejected", tone: "off" },
  ignored: { icon: "stopped", word: "ignored", tone: "bad" },
  refused: { icon: "stopped", word: "refused", tone: "bad" },
  held: { icon: "warning", word: "held back", tone: "wait" },
  incomplete: { icon: "warning", word: "incomplete", tone: "bad" },
  stopped: { icon: "stopped", word: "stopped", tone: "off" },
  conflict: { icon: "conflict", word: "conflict", tone: "bad" },
};

/** The icon and the word of an edit block's state. */
export function editState(status: EditStatus): StateLabel {
  return labels[status];
}

const verbs: Readonly<Record<EditBlock["op"], string>> = {
  replace: "replace",
  before: "insert before",
  after: "insert after",
  "with-comment": "replace with comment",
  remove: "remove",
  append: "append to",
  prepend: "prepend to",
  complete: "write",
};

/** What a block does, as people say it: `replace lines 3-9`, `insert after Shape-area`. */
export function editAction(edit: Pick<EditBlock, "op" | "target">): string {
  return `${verbs[edit.op]} ${placeOf(edit)}`;
}

function placeOf({ target }: Pick<EditBlock, "target">): string {
  return target.replace(/^ast-path:/, "").replace(/^lines (\d+)-\1$/, "line $1");
}

/** The 1-based line to open a block's file at, where its target tells; else null. */
export function editLine(target: string): number | null {
  const match = /^lines? (\d+)/.exec(target);
  return match?.[1] === undefined ? null : Number(match[1]);
}

/** True while the proposal can be looked at in a diff. */
export function hasProposal({ status, undecided }: Pick<EditBlock, "status" | "undecided">): boolean {
  return status === "streaming" || status === "captured" || status === "pending" || undecided === true;
}

/** True for a block that changed its file. */
export function wasApplied(status: EditStatus): boolean {
  return status === "applied" || status === "partly-applied";
}

/** What screen readers are told about an edit block that changed, or null where its state is no news. */
export function editNews(edit: EditBlock): string | null {
  const place = `${edit.path}, ${placeOf(edit)}`;
  switch (edit.status) {
    case "pending":
      return `Change waiting for review: ${place}`;
    case "applied":
    case "partly-applied":
    case "rejected":
      return `Change ${edit.status.replace("-", " ")}: ${place}`;
    case "held":
      return `Change held back: ${place}. ${reasonText(edit, english) ?? ""}`.trim();
    case "ignored":
    case "refused":
    case "incomplete":
    case "conflict":
      return `Change ${edit.status}: ${place}. ${reasonText(edit, english) ?? ""}`.trim();
    case "streaming":
    case "captured":
    case "stopped":
      return null;
  }
}
