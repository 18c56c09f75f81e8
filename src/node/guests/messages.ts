import type { GuestResult } from "../../ports/guest.ts";
import type { EditorRefusal } from "./editorLink.ts";

/** The editor was closed during a call. */
export const EDITOR_LOST = failure(
  "The editor was closed or reloaded during this call, so it may have had its effect or not. Read the file again before you repeat it.",
);

/** Nobody could review a change. */
export const EDITOR_CLOSED = failure(
  "The user reviews your changes in an editor with Graft, and none has this folder open now, so nothing was changed or proposed. Try again in a moment, else ask the user to open the folder there. To write files without a review, the user starts this server with --alone.",
);

/** An editor is there that does not take this guest in. */
export function refusalResult(refusal: EditorRefusal): GuestResult {
  const alone = "To write files without a review, the user starts this server with --alone.";
  return failure(
    refusal.refused === "above"
      ? `The user has ${refusal.folder} open in an editor with Graft, which contains this folder, so nothing was changed. Ask the user to start this server there, with --root ${refusal.folder}. ${alone}`
      : `An editor with Graft has this folder open, but does not take this server in: it is being closed or reloaded, or has another version of Graft. Nothing was changed or proposed. Try again in a moment, else ask the user to update both. ${alone}`,
  );
}

/** Where changes go from now on, for a guest's model. */
export const EDITOR_OPENED =
  "[The user has opened this folder in an editor with Graft: changes are proposals there from now on.]";

function failure(message: string): GuestResult {
  const text = `Error (execution): ${message}`;
  return { text, isError: true, error: "execution", edits: [], decided: [] };
}
