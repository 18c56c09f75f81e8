import { type FailureRemedy, OUTCOMES, TOO_LONG } from "../model/modelFailure.ts";
import type { TurnError } from "./turnError.ts";

/** What helps with an error, the most useful first; never empty. */
export function failureRemedies({ code }: Pick<TurnError, "code">): readonly FailureRemedy[] {
  switch (code) {
    case "request-too-large":
    case "compaction-failed":
      return TOO_LONG;
    case "edit-mode-refused":
    case "internal":
      return ["retry"];
    default:
      return OUTCOMES[code][2];
  }
}
