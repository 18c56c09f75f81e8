import type { Localize } from "../../base/localize.ts";
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
