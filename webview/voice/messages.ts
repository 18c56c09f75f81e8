import type { Localize } from "../../src/base/localize.ts";
import type { PanelVoice } from "../../src/protocol/messages.ts";

/** The state of voice chat in words. */
export function voiceStateMessage(
  { state, handsFree, muted }: Pick<PanelVoice, "state" | "handsFree" | "muted">,
  t: Localize,
): string {
  if (muted && state === "speaking") return t("Click into the voice page to hear Graft");
  switch (state) {
    case "off":
      return t("Microphone off");
    case "opening":
      return t("Opening the microphone. Allow it in the voice page.");
    case "ready":
      return t("Microphone open. Hold the button to talk.");
    case "listening":
      return handsFree ? t("Listening") : t("Listening. Let go or click to send.");
    case "hearing":
      return t("Hearing you");
    case "recognizing":
      return t("Recognizing your words");
    case "working":
      return t("Working");
    case "waiting":
      return t("Waiting for your decision");
    case "speaking":
      return t("Speaking");
  }
}

/** The name of the microphone button, which says what a click does. */
export function voiceButtonLabel(
  { state, handsFree, unavailable }: PanelVoice,
  t: Localize,
): string {
  if (unavailable !== null) return t("Talk: {reason}", { reason: unavailable });
  if (state === "off")
    return handsFree
      ? t("Talk hands-free (opens the microphone)")
      : t("Talk (opens the microphone)");
  if (handsFree || state === "opening") return t("Turn the microphone off");
  return state === "listening" || state === "hearing"
    ? t("Send what you said")
    : t("Talk (hold, or click to begin and end)");
}
