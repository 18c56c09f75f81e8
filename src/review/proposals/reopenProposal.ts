import { ReviewState } from "../../edits/review/reviewState.ts";
import { documentLineEnd, textWithLineEnds } from "../../edits/text/lineEnds.ts";
import type { ReviewEvents } from "../../ports/review.ts";
import type { FileRef } from "../../ports/workspace.ts";
import type { EditorDocument } from "../documents/documentSync.ts";
import type { EditorFiles } from "../documents/editorFiles.ts";
import type { StoredProposal } from "../storage/proposalStore.ts";
import { OutcomeReporter } from "./outcomeReporter.ts";

/**
 * A kept proposal over its file as it is now. Texts decide: what was accepted and is in the file is
 * done, what is not there is pending again. `done` where nothing is left and all is saved, of which
 * the events are told; null for a file that cannot be read now.
 */
export async function reopenProposal<D extends EditorDocument>(
  { review: record, blocks, exists }: StoredProposal,
  file: FileRef,
  events: Pick<ReviewEvents, "decided" | "takenBack">,
  editor: Pick<EditorFiles<D>, "stateOf" | "openFile" | "onDisk">,
): Promise<ReviewState | "done" | null> {
  const model = ReviewState.from(record);
  if (exists && !record.unsaved) return model;
  if ((await editor.stateOf(file.uri)) === null)
    return exists && model.hunks().length === 0 ? "done" : model;
  const lineEnd = documentLineEnd(exists ? record.real : record.proposed);
  const document = await editor.openFile(file.uri).catch(() => null);
  if (!document) return model.hunks().length === 0 ? null : model;
  const text = textWithLineEnds(document.getText(), lineEnd);
  // A new file that is there now was either made by an accept, or is somebody else's.
  if (!exists && text !== record.proposed) return model;
  model.reopened(text);
  model.saved(textWithLineEnds((await editor.onDisk(document)) ?? "", lineEnd));
  const origin = blocks.at(-1)?.origin;
  const isLost = model.outcomes().some(({ reason }) => reason?.code === "not-saved");
  if (origin && isLost) events.takenBack(origin, { file, before: text, after: record.real });
  if (model.hunks().length > 0 || model.unsaved) return model;
  new OutcomeReporter(
    blocks,
    () => model.outcomes(),
    (to, outcomes, diff) => events.decided(to, file.path, outcomes, diff),
  ).end(null, null);
  return "done";
}
