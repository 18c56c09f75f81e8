import type { Localize } from "../../base/localize.ts";
import type { SendProblem } from "../../review/candidates/candidateChats.ts";
import { countOfModels } from "../models/messages.ts";

/** Why a draft is not sent to several models; it stays in the composer. */
export type DraftProblem = SendProblem | { readonly code: "demo" | "command" };

/** Tells the user why, and what to do. */
export function draftProblemMessage(t: Localize, problem: DraftProblem): string {
  switch (problem.code) {
    case "demo":
      return t("Demo mode has one scripted model. Choose a model first.");
    case "command":
      return t("Only a message can go to several models. This command works in one chat.");
    case "busy":
      return t("Graft is still answering. Wait, or stop it first.");
    case "not-opened":
      return t("No chat could be opened for the models: {detail}", { detail: problem.detail });
    default:
      return countOfModels(t, problem.count);
  }
}

/** The tab that shows what a model makes of a file. */
export function answerTitle(t: Localize, path: string, model: string): string {
  const file = path.slice(path.lastIndexOf("/") + 1);
  return t("{file}: now and by {model}", { file, model });
}
