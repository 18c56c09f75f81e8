import { firstWords } from "../src/base/firstWords.ts";
import type { TurnPart } from "../src/turns/turn.ts";

/** What was restored, as the chat says it to the user. */
export function restoredWords({ request, files }: TurnPart & { readonly type: "files-restored" }): string {
  const names = files.map(({ path, deleted }) => (deleted ? `${path} (deleted)` : path));
  const turn = request === "" ? "an earlier turn" : `“${firstWords(request, 60)}”`;
  return `Restored to before ${turn}: ${names.join(", ")}`;
}
