import type { Localize } from "../../base/localize.ts";
import type { FillInFailure } from "../../model/completions/fillIn.ts";
import { failureMessage } from "../../model/messages.ts";

/** Why code is not completed, as a sentence for the user. */
export function completionFailureMessage(
  t: Localize,
  failure: FillInFailure,
  { baseUrl, model }: { readonly baseUrl: string; readonly model: string },
): string {
  if (failure.code !== "no-fill-in") return failureMessage({ ...failure, baseUrl, model }, t);
  const sentence = t(
    "{baseUrl} cannot fill in code before and after the cursor with {model}. Name another model in graft.completions.model, or empty it to turn completions off.",
    { baseUrl, model },
  );
  const { said = "" } = failure;
  return said === "" ? sentence : `${sentence} ${t("The server said: {said}", { said })}`;
}
