import type { Localize } from "../../base/localize.ts";
import { failureMessage } from "../../model/messages.ts";
import type { ModelError } from "../../model/modelFailure.ts";
import type { PanelVoice } from "../../protocol/messages.ts";

/** The status bar label while the voice page is open. */
export function voiceStatusLabel(
  t: Localize,
  { state, problem }: Pick<PanelVoice, "state" | "problem">,
): string {
  // The page waits for the user to try again.
  if (state === "opening" && problem) return `$(mic) ${t("No microphone")}`;
  switch (state) {
    case "listening":
    case "hearing":
      return `$(mic-filled) ${t("Graft is listening")}`;
    case "speaking":
      return `$(unmute) ${t("Graft is speaking")}`;
    case "opening":
      return `$(mic) ${t("Opening the microphone")}`;
    default:
      return `$(mic) ${t("Microphone open")}`;
  }
}

/** The notice of words that were said as the window closed. */
export function restoredWordsMessage(t: Localize): string {
  return t("What you said before the window closed is in the message box and was not sent.");
}

/** Why the words are missing that were said as the window closed. */
export function unknownWordsMessage(t: Localize, error: ModelError): string {
  return t(
    "What you said before the window closed could not be recognized. Graft tries again at the next start. {reason}",
    { reason: failureMessage(error, t) },
  );
}
