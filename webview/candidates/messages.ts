import { visibleLine } from "../../src/base/text/visibleText.ts";
import type {
  CombinedProblem,
  ComparedAnswers,
  ComparedPart,
} from "../../src/protocol/candidateMessages.ts";
import type { OpenChatState } from "../../src/protocol/messages.ts";
import { fileCount, turnErrorMessage } from "../../src/turns/messages.ts";
import type { AgentTurn, TurnCandidate } from "../../src/turns/turn.ts";
import type { IconName } from "../iconShapes.ts";
import { t } from "../l10n.ts";
import { STILL_ANSWERING } from "../messages.ts";
import type { RowVersion } from "./choices.ts";

/** What became of a model's answer. */
export interface CandidateState {
  readonly icon: IconName;
  readonly tone: "busy" | "good" | "bad" | "wait" | "soft";
  readonly text: string;
  /** Why it failed; "" otherwise. */
  readonly detail: string;
}

/** What became of a model's answer; `chat` is what its chat does now. */
export function candidateState(
  { end }: TurnCandidate,
  { endReason }: Pick<AgentTurn, "endReason">,
  chat: OpenChatState["state"] | null,
): CandidateState {
  if (end === null) {
    if (endReason !== null) return state("stopped", "soft", t("interrupted"));
    return chat === "waiting"
      ? state("question", "wait", t("asks you in its chat"))
      : state("spinner", "busy", t("answering…"));
  }
  const files = end.files.length > 0 ? fileCount(t, end.files.length) : "";
  const withFiles = (text: string) => (files === "" ? text : `${text} · ${files}`);
  switch (end.reason) {
    case "done":
      return files === ""
        ? state("check", "soft", t("no changes"))
        : state("check", "good", withFiles(t("done")));
    case "error":
      return {
        ...state("warning", "bad", withFiles(t("failed"))),
        detail: end.error ? turnErrorMessage(end.error, t) : "",
      };
    case "cancelled":
      return state("stopped", "soft", withFiles(t("stopped")));
    case "interrupted":
      return state("stopped", "soft", withFiles(t("interrupted")));
    case "length":
      return state("warning", "wait", withFiles(t("cut off")));
    case "step-limit":
      return state("warning", "wait", withFiles(t("step limit reached")));
  }
}

function state(
  icon: IconName,
  tone: CandidateState["tone"],
  text: CandidateState["text"],
): CandidateState {
  return { icon, tone, text, detail: "" };
}

/** What a row is about. */
export function rowTitle({ part, paths }: ComparedPart): string {
  const names = paths.map(visibleLine).join(", ");
  switch (part) {
    case "element":
      return names;
    case "own":
      return t("{element}: the lines around its members", { element: names });
    case "outside":
      return t("Outside of elements, such as imports");
    case "file":
      return t("The whole file");
  }
}

/** What the user takes with a version of a row. */
export function versionText(
  { candidate, effect, candidates }: RowVersion,
  models: readonly string[],
): string {
  const facts = { models: candidates.map((at) => models[at] ?? "").join(", ") };
  if (candidate === null)
    return candidates.length === 0 ? t("As it is") : t("As it is ({models})", facts);
  switch (effect) {
    case "added":
      return t("{models}: added", facts);
    case "removed":
      return t("{models}: removed", facts);
    default:
      return t("{models}: changed", facts);
  }
}

/** Why a file is taken as a whole; "" where it is not. */
export function wholeText({ whole }: ComparedAnswers): string {
  switch (whole) {
    case null:
      return "";
    case "new-file":
      return t("A new file, which is taken as a whole.");
    case "deleted":
      return t("A model deletes this file, so it is taken as a whole.");
    case "no-grammar":
      return t("Graft has no grammar for this file, so it is taken as a whole.");
    case "syntax":
      return t("A version of this file has syntax errors, so it is taken as a whole.");
    case "moved":
      return t("A model moves elements, so the file is taken as a whole.");
    case "uncertain":
      return t("The elements cannot be told apart for certain, so the file is taken as a whole.");
  }
}

/** Whose changes of a file are left out since the user changed the same lines; "" for nobody's. */
export function leftOutText({ leftOut }: ComparedAnswers, models: readonly string[]): string {
  const names = leftOut.map((at) => models[at] ?? "").join(", ");
  return names === ""
    ? ""
    : t("Left out: {models}. These changes meet lines that were edited between the answers.", {
        models: names,
      });
}

/** The files that a model moves, or makes a program or none; "" for none. */
export function leftText({ model, end }: TurnCandidate): string {
  const files = (end?.left ?? []).map(visibleLine).join(", ");
  return files === ""
    ? ""
    : t("{model} also moves files or changes their modes, which cannot be taken here: {files}", {
        model: visibleLine(model),
        files,
      });
}

/** Why something that was chosen is not proposed, and what to choose otherwise. */
export function combinedProblemText({ code, path, detail }: CombinedProblem): string {
  const facts = { file: visibleLine(path), element: visibleLine(detail) };
  switch (code) {
    case "busy":
      return STILL_ANSWERING;
    case "nothing":
      return t("Nothing is chosen yet. Take a model's version of at least one part.");
    case "syntax":
      return t(
        "{file}: the chosen parts have a syntax error together. Take parts that belong together from one model.",
        facts,
      );
    case "not-as-chosen":
      return detail === ""
        ? t("{file}: the chosen parts do not fit together. Take the file from one model.", facts)
        : t(
            "{file}: {element} does not fit the other chosen parts. Take it and its neighbors from one model.",
            facts,
          );
    case "changed-meanwhile":
      return t(
        "{file}: the same lines were edited since, or have a pending change. Decide on that first, or take other parts.",
        facts,
      );
    case "refused":
      return detail;
  }
}
