import { firstWords } from "../src/base/firstWords.ts";
import type { TurnPart } from "../src/turns/turn.ts";

/** What was restored, or that it was undone, as the chat says it to the user. */
export function restoredWords({ request, files, undone }: TurnPart & { readonly type: "files-restored" }): string {
  const names = files.map(({ path, deleted }) => (deleted && !undone ? `${path} (deleted)` : path));
  const turn = request === "" ? "an earlier turn" : `“${firstWords(request, 60)}”`;
  return `${undone ? "Undone: restoring" : "Restored"} to before ${turn}: ${names.join(", ")}`;
}
