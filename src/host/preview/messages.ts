import type { Localize } from "../../base/localize.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import { fileErrorMessage } from "../../ports/messages.ts";
import { warningsText } from "../../turns/blockMessages.ts";
import { changeCount } from "../messages.ts";
import type { DecisionProblem } from "./fileReviewDeps.ts";

/** A request to change a hunk of a proposal: the user's words, then which lines of the proposal (0-based, `end` exclusive) they mean. */
export function hunkRequest(t: Localize, path: string, { start, end }: Hunk["proposed"], lines: readonly string[], words: string): string {
  if (start === end)
    return `${words}\n\n${t("This is about the lines that you propose to delete behind line {line} of {path}.", { line: start, path })}`;
  const about = t("This is about lines {first}-{last} of your proposal for {path}:", { first: start + 1, last: end, path });
  const fence = "`".repeat(Math.max(3, ...lines.map((line) => (/^\s*(`+)/.exec(line)?.[1]?.length ?? 0) + 1)));
  return [words, "", about, fence, ...lines, fence].join("\n");
}

/** Why a hunk should not be accepted unread, or null. */
export function cautionMessage(t: Localize, { conflict, warnings }: Pick<Hunk, "conflict" | "warnings">): string | null {
  return conflict ? t("You edited these lines; accepting overwrites your edit.") : warningsText(warnings, t);
}

/** What a hunk would do to the file's lines. */
export function hunkMessage(t: Localize, { real, proposed }: Pick<Hunk, "real" | "proposed">): string {
  const removed = lineCount(t, real.end - real.start);
  const added = lineCount(t, proposed.end - proposed.start);
  if (real.start === real.end) return t("Graft proposes to insert {added} here.", { added });
  if (proposed.start === proposed.end) return t("Graft proposes to delete {removed} here.", { removed });
  return t("Graft proposes to replace {removed} with {added}.", { removed, added });
}

/** A hunk in a few words, for a lens. */
export function hunkSummary(t: Localize, { real, proposed }: Pick<Hunk, "real" | "proposed">): string {
  const removed = lineCount(t, real.end - real.start);
  const added = lineCount(t, proposed.end - proposed.start);
  if (real.start === real.end) return t("Proposed: insert {added}", { added });
  if (proposed.start === proposed.end) return t("Proposed: delete {removed}", { removed });
  return t("Proposed: replace {removed} with {added}", { removed, added });
}

/** The title of a proposal's tab: the file's name first, and its folder where another pending file has the same name. */
export function diffTitle(t: Localize, path: string, pendingPaths: readonly string[]): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
  const isShared = pendingPaths.some((other) => other !== path && (other === name || other.endsWith(`/${name}`)));
  if (isShared && folder !== "") return t("{name} in {folder} (Graft proposal)", { name, folder });
  return t("{name} (Graft proposal)", { name });
}

/** What stands beside a line where lines would be inserted. */
export function insertionMessage(t: Localize, { proposed }: Pick<Hunk, "proposed">, below: boolean): string {
  const added = lineCount(t, proposed.end - proposed.start);
  return below ? t("+ {added} proposed below", { added }) : t("+ {added} proposed above", { added });
}

/** Tells of hunks that Accept File and Accept All leave for the user. */
export function remainingMessage(t: Localize, count: number, paths: string): string {
  return t("Still pending in {paths}: {changes} with a conflict or a warning.", { paths, changes: changeCount(t, count) });
}

/** Tells that a proposal was withdrawn because its file is gone. */
export function goneMessage(t: Localize, path: string, how: "deleted" | "moved"): string {
  return how === "deleted"
    ? t("{path} was deleted, so Graft withdrew its proposal.", { path })
    : t("{path} was moved out of the workspace, so Graft withdrew its proposal.", { path });
}

/** Why a decision on the hunks of the file `path` had no effect. */
export function decisionProblemMessage(t: Localize, problem: DecisionProblem, path: string): string {
  switch (problem.code) {
    case "still-streaming":
      return t("Graft is still writing the proposal for {path}. Decide when it is complete.", { path });
    case "out-of-step":
      return t("The diff of {path} was outdated, so nothing changed. It is up to date now; decide again.", { path });
    case "cannot-open":
      return t("Cannot open {path}, so nothing changed. The proposal is still pending.", { path });
    case "stale":
      return t("{path} changed on disk, and its editor does not show that yet. Revert the file in its editor, then decide again.", {
        path,
      });
    case "conflict":
      return t("You edited these lines of {path}, so nothing changed. Resolve the conflict in the diff.", { path });
    case "not-applied":
      return t("VS Code did not apply the change to {path}. The proposal is still pending; try again.", { path });
    case "cannot-create":
      return t("Cannot create {path}. It already exists, or its folder is not writable.", { path });
    case "file-error":
      return fileErrorMessage(problem.error, t);
  }
}

function lineCount(t: Localize, count: number): string {
  return count === 1 ? t("1 line") : t("{count} lines", { count });
}
