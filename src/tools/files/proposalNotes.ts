import type { FileSnapshot } from "../../ports/workspace.ts";
import { NOTES } from "../notes.ts";

/** What the model is told of a text that holds what is only proposed; empty for a file as it is. */
export function proposalNotes({
  file,
  pending = 0,
  ofOthers = 0,
  renamedTo,
}: FileSnapshot): readonly string[] {
  return [
    ...(pending > 0 ? [NOTES.proposed(pending, ofOthers)] : []),
    ...(renamedTo === undefined ? [] : [NOTES.renamedTo(file.path, renamedTo)]),
  ];
}
