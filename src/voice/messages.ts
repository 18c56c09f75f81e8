import type { Localize } from "../base/localize.ts";
import { failureMessage } from "../model/messages.ts";
import type { ModelError } from "../model/modelFailure.ts";
import type { AudioEnd } from "../ports/audioLine.ts";
import type { ToolName } from "../turns/toolNames.ts";
import type { Announcement } from "./announcements.ts";
import type { DraftReason, HearingProblem } from "./hearing.ts";

/** A problem with voice input. */
export type VoiceProblem =
  | { readonly code: "line"; readonly end: AudioEnd }
  | HearingProblem
  | { readonly code: "speech"; readonly error: ModelError }
  /** The words are in the composer, because the user did not end them. */
  | { readonly code: "draft"; readonly reason: DraftReason };

/** The most of a command that is spoken, in UTF-16 units. */
const SPOKEN_COMMAND = 60;

/** The spoken text of an announcement. */
export function announcementText(announcement: Announcement, t: Localize): string {
  switch (announcement.code) {
    case "approval":
      return approvalText(announcement, t);
    case "by-hand":
      return t("Only the buttons can allow it. Say “show it” to see them.");
    case "running":
      return runningText(announcement, t);
    case "more":
      return moreText(announcement, t);
    case "question":
      return [
        t("The model asks: {question}", { question: announcement.question }),
        ...announcement.options.map((answer, index) =>
          t("Answer {number}: {answer}.", { number: index + 1, answer }),
        ),
      ].join("\n");
    case "question-on-screen":
      return t("There is a question on your screen. Answer it there.");
    case "review":
      return reviewText(announcement, t);
    case "error":
      return t("That failed. The reason is on your screen.");
    case "on-screen":
      return t("The answer is on your screen.");
  }
}

function approvalText(
  { command, summary }: Announcement & { readonly code: "approval" },
  t: Localize,
): string {
  return command === null
    ? t("Graft asks for permission: {action}. Say “show it”, or use the buttons.", {
        action: summary,
      })
    : t("Graft asks to run {command}. Say “show it”, or use the buttons.", {
        command: spokenCommand(command),
      });
}

function moreText({ command }: Announcement & { readonly code: "more" }, t: Localize): string {
  const more = t("Say “read it” to hear all of the answer.");
  if (!command) return more;
  const name = { command: spokenCommand(command.text) };
  const outcome = command.passed ? t("{command} succeeded.", name) : t("{command} failed.", name);
  return `${outcome} ${more}`;
}

function reviewText(announcement: Announcement & { readonly code: "review" }, t: Localize): string {
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

const READING: ReadonlySet<string> = new Set<ToolName>([
  "read_file",
  "read_multiple_files",
  "read_result",
  "read_command_output",
  "list_directory",
  "get_file_tree",
  "get_diagnostics",
  "get_editor_context",
  "file_outline",
  "file_stat",
]);
const SEARCHING: ReadonlySet<string> = new Set<ToolName>([
  "search_in_files",
  "find_files",
  "find_references",
  "find_symbol",
]);

function runningText(
  { tool, command }: Announcement & { readonly code: "running" },
  t: Localize,
): string {
  if (command !== null) return t("Running {command}.", { command: spokenCommand(command) });
  if (READING.has(tool)) return t("Reading.");
  return SEARCHING.has(tool) ? t("Searching.") : t("Still working.");
}

/** The first words of a command line. */
function spokenCommand(command: string): string {
  const [line = ""] = command.trim().split("\n");
  if (line.length <= SPOKEN_COMMAND) return line;
  return line.slice(0, line.lastIndexOf(" ", SPOKEN_COMMAND) + 1 || SPOKEN_COMMAND).trim();
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
    case "draft":
      return draftMessage(problem.reason, t);
  }
}

function draftMessage(reason: DraftReason, t: Localize): string {
  switch (reason) {
    case "silence":
      return t("Your sentence was cut off. Your words are in the message box and were not sent.");
    case "limit":
      return t("That was too long for one message. Your words are in the message box.");
    default:
      return t("{reason} Your words are in the message box and were not sent.", {
        reason: lineMessage({ code: reason }, t),
      });
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
    case "taken":
      return t("Another window of VS Code listens now.");
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
