import type { Localize } from "../../base/localize.ts";
import type { LineSpan } from "../../ports/editorState.ts";
import type { PromptCommand, SlashCommand } from "../../protocol/slashCommands.ts";
import type { DiffRefusal } from "./gitRepositories.ts";

/** `1 problem`, `3 problems`. */
export function problemTotal(t: Localize, count: number): string {
  return count === 1 ? t("1 problem") : t("{count} problems", { count });
}

/** The description of a command in the list. */
export function commandDescription(t: Localize, command: SlashCommand): string {
  switch (command) {
    case "edit":
      return t("Edit the active file without tools");
    case "explain":
      return t("Explain the selection or file");
    case "fix":
      return t("Fix the problems in the selection or file");
    case "test":
      return t("Write tests for the selection or file");
    case "commit":
      return t("Commit the staged files; Graft asks first");
    case "btw":
      return t("Ask a side question, kept out of the context");
    case "compact":
      return t("Summarize the conversation to free context");
    case "new":
      return t("Start a new chat");
  }
}

/** The prompt of a command. */
export function commandPrompt(t: Localize, command: PromptCommand): string {
  switch (command) {
    case "explain":
      return t("Explain this code: what it does, how it works, and what to watch out for.");
    case "fix":
      return t("Find and fix the problems in this code. Say briefly what was wrong.");
    case "test":
      return t("Write tests for this code. Follow the style and the place of the existing tests.");
    case "commit":
      return t(
        "Commit the staged files. Read the staged diff first and write a message in the style of the latest commits. If nothing is staged, tell me and stop.",
      );
  }
}

/** Why a side question was not asked. */
export function asideMessage(t: Localize, problem: "empty" | "no-turn" | "agent"): string {
  switch (problem) {
    case "empty":
      return t("Write the side question after /btw.");
    case "no-turn":
      return t("There is no conversation yet: ask without /btw.");
    case "agent":
      return t("This agent answers one request at a time, so it cannot take a side question.");
  }
}

/** Why an editor command did nothing. */
export type EditorCommandProblem = "no-file" | "busy" | "no-repository" | "no-changes";

/** Tells the user why an editor command did nothing. */
export function editorCommandMessage(t: Localize, problem: EditorCommandProblem): string {
  switch (problem) {
    case "no-file":
      return t("Open a file of the workspace first.");
    case "busy":
      return t("Graft is still working on the last request. Wait for it or stop it first.");
    case "no-repository":
      return t(
        "No Git repository is open. If this folder is inside one, open the repository from the Source Control view.",
      );
    case "no-changes":
      return t("Nothing is staged, and no tracked file of the open folders has changed.");
  }
}

/** Tells the user why Graft's git does not read a repository's changes. */
export function diffRefusalMessage(t: Localize, refusal: DiffRefusal): string {
  switch (refusal.code) {
    case "repository-not-open":
      return t("The Git repository {top} is not open in the Source Control view.", refusal);
    case "repository-elsewhere":
      return t(
        "This Git repository leads to files outside its folder ({leads}), so Graft does not read its changes.",
        refusal,
      );
    case "runs-program":
      return t(
        "Git would have to run a program that the repository's own settings name ({settings}), so Graft does not read its changes.",
        { settings: refusal.settings.join(", ") },
      );
    case "git-waits":
      return t(
        "Git would wait for {path}, which is a pipe or a device, so Graft does not read the changes.",
        refusal,
      );
    case "git-silent":
      return t("Git gave no answer in {path}.", refusal);
    case "not-found":
      return t("Git was not found, so Graft cannot read the changes.");
    default:
      return t("Git could not read the changes: {detail}", {
        detail: ("detail" in refusal && refusal.detail) || refusal.code,
      });
  }
}

/** The request to edit only certain lines of a file. */
export function linesRequest(t: Localize, { first, last }: LineSpan, words: string): string {
  const place =
    first === last
      ? t("Change only line {line}:", { line: first })
      : t("Change only lines {first}-{last}:", { first, last });
  return `${place} ${words}`;
}
