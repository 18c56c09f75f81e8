import type { EditBlock } from "../../turns/editBlock.ts";
import type { ProposedPath } from "../tool.ts";

/** How many files a command changed, by what it did; nothing for what it did not do. */
export interface ChangeCounts {
  readonly changed: number;
  readonly created?: number;
  readonly deleted?: number;
  readonly renamed?: number;
  /** Files that became executable, or no longer executable. */
  readonly modes?: number;
}

/** Counts what a command did. */
export function changeCounts(did: readonly ProposedPath["did"][]): ChangeCounts {
  const count = (...kinds: readonly ProposedPath["did"][]) =>
    did.filter((each) => kinds.includes(each)).length;
  const [created, deleted, renamed] = [count("created"), count("deleted"), count("renamed")];
  const modes = count("made-executable", "made-plain");
  return {
    changed: count("changed", "taken-back"),
    ...(created > 0 && { created }),
    ...(deleted > 0 && { deleted }),
    ...(renamed > 0 && { renamed }),
    ...(modes > 0 && { modes }),
  };
}

/** What was done to a file, by the block that proposes it. */
export function didOf(op: EditBlock["op"]): ProposedPath["did"] {
  if (op === "complete") return "created";
  if (op === "delete") return "deleted";
  if (op === "rename") return "renamed";
  if (op === "make-executable") return "made-executable";
  return op === "make-plain" ? "made-plain" : "changed";
}
