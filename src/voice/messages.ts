import type { Localize } from "../base/localize.ts";
import { failureMessage } from "../model/messages.ts";
import type { ModelError } from "../model/modelFailure.ts";
import type { AudioEnd } from "../ports/audioLine.ts";
import type { Announcement } from "./announcements.ts";

/** A problem with voice input. */
export type VoiceProblem =
  | { readonly code: "line"; readonly end: AudioEnd }
  /** The utterance is kept, and `retry` sends it again. */
  | { readonly code: "transcription"; readonly error: ModelError }
  | { readonly code: "speech"; readonly error: ModelError }
  /** The user said nothing, or too little. */
  | { readonly code: "nothing-heard" }
  /** The recognizer found no words. */
  | { readonly code: "nothing-recognized" };

/** The spoken text of an announcement. */
export function announcementText(announcement: Announcement, t: Localize): string {
  switch (announcement.code) {
    case "approval":
      return t("Graft needs your permission: {action}. Decide on the screen.", {
        action: announcement.summary,
      });
    case "question":
      return [
        announcement.question,
        ...announcement.options.map((option, index) => `${index + 1}: ${option}.`),
      ].join("\n");
    case "question-on-screen":
      return t("There is a question on your screen. Answer it there.");
    case "review": {
      const { changes, files } = announcement;
      const file = files[0]?.split("/").at(-1) ?? "";
      if (files.length > 1)
        return t("{changes} changes in {files} files wait for your review.", {
          changes,
          files: files.length,
        });
      if (changes === 1) return t("A change waits for your review in {file}.", { file });
      return t("{changes} changes wait for your review in {file}.", { changes, file });
    }
    case "error":
      return t("That failed. The reason is on your screen.");
    case "on-screen":
      return t("The answer is on your screen.");
    case "no-option":
      return t("I did not understand which one you mean. Say it again, or choose on the screen.");
  }
}

/** Tells the user what went wrong and what to do. Typing in the chat always works. */
export function problemMessage(problem: VoiceProblem, t: Localize): string {
  switch (problem.code) {
    case "line":
      return lineMessage(problem.end, t);
    case "transcription":
      return t("Your words could not be recognized. {reason}", {
        reason: failureMessage(problem.error, t),
      });
    case "speech":
      return t("The answer could not be spoken. {reason}", {
        reason: failureMessage(problem.error, t),
      });
    case "nothing-heard":
      return t(
        "Graft heard no words. Hold the button while you speak, and check that the right microphone is chosen.",
      );
    case "nothing-recognized":
      return t("No words were recognized. Say it again, or type it.");
  }
}

function lineMessage({ code, detail }: AudioEnd, t: Localize): string {
  switch (code) {
    case "closed":
      return t("The microphone is off.");
    case "denied":
      return t("The browser denied the microphone. Allow it for the voice page, then try again.");
    case "no-microphone":
      return t("No microphone was found. Connect one, then try again.");
    case "microphone-busy":
      return t("Another program is using the microphone. Close it, then try again.");
    case "unplugged":
      return t("The microphone was disconnected. Connect it, then try again.");
    case "lost":
      return t("The voice page was closed or lost its connection. Turn the microphone on again.");
    case "no-page":
      return t("The voice page did not open. Try again, or set where it opens in the settings.");
    case "unsupported":
      return t(
        "The voice page cannot record or play sound ({detail}). Open it in another browser.",
        {
          detail: detail ?? t("no reason given"),
        },
      );
  }
}
