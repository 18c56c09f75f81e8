import type { Localize } from "../base/localize.ts";
import { failureMessage } from "../model/messages.ts";
import type { ModelError } from "../model/modelFailure.ts";
import type { AudioEnd } from "../ports/audioLine.ts";
import type { Announcement } from "./announcements.ts";

/** Why speaking with Graft does not go on as usual. */
export type VoiceProblem =
  | { readonly code: "line"; readonly end: AudioEnd }
  /** The utterance is kept: `retry` sends it again. */
  | { readonly code: "transcription"; readonly error: ModelError }
  | { readonly code: "speech"; readonly error: ModelError }
  /** Nothing was said, or too little. */
  | { readonly code: "nothing-heard" }
  /** No words were recognized in what was said. */
  | { readonly code: "nothing-recognized" };

/** What Graft says aloud. */
export function announcementText(announcement: Announcement, t: Localize): string {
  switch (announcement.code) {
    case "approval":
      return t("Graft needs your permission: {action}. Decide on the screen.", { action: announcement.summary });
    case "question":
      return [announcement.question, ...announcement.options.map((option, index) => `${index + 1}: ${option}.`)].join("\n");
    case "question-on-screen":
      return t("There is a question on your screen. Answer it there.");
    case "review": {
      const { changes, files } = announcement;
      const file = files[0]?.split("/").at(-1) ?? "";
      if (files.length > 1) return t("{changes} changes in {files} files wait for your review.", { changes, files: files.length });
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

/** What to tell the user when something went wrong: what happened and what to do. The chat goes on by text in any case. */
export function problemMessage(problem: VoiceProblem, t: Localize): string {
  switch (problem.code) {
    case "line":
      return lineMessage(problem.end, t);
    case "transcription":
      return t("Your words could not be recognized. {reason}", { reason: failureMessage(problem.error, t) });
    case "speech":
      return t("The answer could not be spoken. {reason}", { reason: failureMessage(problem.error, t) });
    case "nothing-heard":
      return t("Graft heard no words. Hold the button while you speak, and check that the right microphone is chosen.");
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
      return t("The voice page cannot record or play sound ({detail}). Open it in another browser.", {
        detail: detail ?? t("no reason given"),
      });
  }
}
