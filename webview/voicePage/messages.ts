import type { Localize } from "../../src/base/localize.ts";
import type { VoiceRefusal } from "../../src/protocol/voicePageMessages.ts";

/** The state of the page. `over` means that the user, the editor or a lost connection ended it. */
export type PageState =
  | {
      readonly code:
        | "connecting"
        | "asking"
        | "listening"
        | "paused"
        | "stopped"
        | "lost"
        | "taken"
        | "unplugged"
        | "used";
    }
  | { readonly code: "refused"; readonly refusal: VoiceRefusal };

/** Describes the page's state and what the user can do. */
export function pageStateMessage(state: PageState, t: Localize): string {
  switch (state.code) {
    case "connecting":
      return t("Connecting to Graft…");
    case "asking":
      return t("Allow the microphone when the browser asks.");
    case "listening":
      return t("The microphone is open. Graft is listening.");
    case "paused":
      return t("The microphone is open. Nothing is recorded until you talk.");
    case "stopped":
      return t("Voice is off. You can close this page.");
    case "lost":
      return t(
        "The connection to VS Code was lost. Close this page and start voice again in the chat.",
      );
    case "taken":
      return t("Another window of VS Code listens now. You can close this page.");
    case "unplugged":
      return t("The microphone was disconnected. Connect one, then start voice again in the chat.");
    case "used":
      return t("This page can be opened only once. Start voice again in the chat.");
    case "refused":
      return refusalMessage(state.refusal, t);
  }
}

function refusalMessage({ code, detail }: VoiceRefusal, t: Localize): string {
  switch (code) {
    case "denied":
      return t("The browser denied the microphone. Allow it for this page, then try again.");
    case "no-microphone":
      return t("No microphone was found. Connect one, then try again.");
    case "microphone-busy":
      return t("Another program is using the microphone. Close it, then try again.");
    case "unsupported":
      return detail === "insecure"
        ? t(
            "The browser allows a microphone only on https pages and on this machine. Open VS Code through https.",
          )
        : t(
            "This browser cannot record or play sound here ({detail}). Open this page in another browser.",
            { detail },
          );
  }
}
