import { isPending } from "../../edits/block.ts";
import type { EditBlock } from "../../turns/editBlock.ts";

/** What waits for the user, for a guest's model. */
export function pendingText(edits: readonly EditBlock[]): string {
  const waiting = edits.filter(({ status, undecided = false }) => isPending({ status, undecided }));
  if (waiting.length === 0) return "None of your changes waits for the user.";
  const lines = waiting.map(({ path, target, op, status }) => {
    const conflict =
      status === "conflict" ? ", in conflict: the same lines of the file changed since" : "";
    return `- '${path}', ${target} (${op})${conflict}`;
  });
  return `The user has not decided on these changes yet:\n${lines.join("\n")}`;
}

/** Stands alone where nothing was decided. */
export const NOTHING_DECIDED = "Nothing was decided since you were told last.";

/** The user took accepted changes back. */
export function takenBackText(paths: readonly string[]): string {
  return `Since then the user has taken back changes of yours that were accepted in these files. Read a file again before you rely on its content.\n${paths.map((path) => `- '${path}'`).join("\n")}`;
}

/** Of several folders of a window, a path may mean one or what is below another one. */
export function twoPlacesText(path: string): string {
  return `Error (validation): '${path}' begins with the name of a folder of the user's window, and something in your own folder has that name, too. Nothing was changed. Write the absolute path.`;
}
