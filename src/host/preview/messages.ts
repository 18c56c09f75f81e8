import type { Localize } from "../../base/localize.ts";
import { firstWords } from "../../base/text/clip.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { BlankChange, HunkDetail, WhitespaceChange } from "../../edits/review/hunkDetails.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import type { DecisionProblem } from "../../review/proposals/fileReviewDeps.ts";
import { decisionProblemMessage } from "../../review/proposals/messages.ts";
import { warningsText, warningText } from "../../turns/blockMessages.ts";
import { fileCount } from "../../turns/messages.ts";
import { changeCount } from "../messages.ts";

const QUOTED_CHARACTERS = 80;
/** What is told of an import: characters of its comment, and parts that are left out. */
const MAX_COMMENT = 300;
const MAX_REASONS = 4;
/** The most names in the question before many files are deleted. */
const MAX_DELETED = 5;

/** Asks before many files are deleted, by the first names. */
export function manyDeletionsQuestion(t: Localize, paths: readonly string[]): string {
  const names = paths.slice(0, MAX_DELETED).map(visibleText).join(", ");
  const more = paths.length - MAX_DELETED;
  const count = paths.length;
  return more > 0
    ? t("This deletes {count} files: {names} and {more} more. Delete them?", { count, names, more })
    : t("This deletes {count} files: {names}. Delete them?", { count, names });
}

/**
 * A request to change a hunk of a proposal: the user's words, then which lines of the proposal
 * (0-based, `end` exclusive) they mean.
 */
export function hunkRequest(
  t: Localize,
  path: string,
  { start, end }: Hunk["proposed"],
  lines: readonly string[],
  words: string,
): string {
  if (start === end)
    return `${words}\n\n${t("This is about the lines that you propose to delete after line {line} of {path}.", { line: start, path })}`;
  const about = t("This is about lines {first}-{last} of your proposal for {path}:", {
    first: start + 1,
    last: end,
    path,
  });
  const fence = "`".repeat(
    Math.max(3, ...lines.map((line) => (/^\s*(`+)/.exec(line)?.[1]?.length ?? 0) + 1)),
  );
  return [words, "", about, fence, ...lines, fence].join("\n");
}

/** Why a hunk should not be accepted unread, or null. */
export function cautionMessage(
  t: Localize,
  { conflict, warnings }: Pick<Hunk, "conflict" | "warnings">,
): string | null {
  return conflict
    ? t("These lines of the file changed meanwhile; accepting overwrites that.")
    : warningsText(warnings, t);
}

/** A hunk in a few words. */
export function hunkSummary(
  t: Localize,
  { real, proposed }: Pick<Hunk, "real" | "proposed">,
  detail?: HunkDetail,
): string {
  const removed = lineCount(t, real.end - real.start);
  const added = lineCount(t, proposed.end - proposed.start);
  if (detail?.kind === "whitespace")
    return t("Proposed: change whitespace in {lines}", {
      lines: lineCount(t, detail.whitespace.length),
    });
  if (detail?.kind === "final-newline")
    return detail.finalNewline === "added"
      ? t("Proposed: add the final newline")
      : t("Proposed: remove the final newline");
  if (real.start === real.end) return t("Proposed: insert {added}", { added });
  if (proposed.start === proposed.end) return t("Proposed: delete {removed}", { removed });
  return t("Proposed: replace {removed} with {added}", { removed, added });
}

/** What a hunk removes and adds, beside its lens in a diff. */
export function hunkLabel(
  t: Localize,
  hunk: Pick<Hunk, "real" | "proposed">,
  detail: HunkDetail | undefined,
): string {
  if (detail?.kind === "whitespace") return t("Whitespace only");
  if (detail?.kind === "final-newline" && detail.finalNewline)
    return finalNewlineNote(t, detail.finalNewline);
  const [removed, added] = [
    hunk.real.end - hunk.real.start,
    hunk.proposed.end - hunk.proposed.start,
  ];
  return [...(removed > 0 ? [`−${removed}`] : []), ...(added > 0 ? [`+${added}`] : [])].join(" ");
}

/** A note for each run of lines whose whitespace changes alike, with the run's first line. */
export function whitespaceNotes(
  t: Localize,
  changes: readonly WhitespaceChange[],
): readonly { readonly change: WhitespaceChange; readonly text: string }[] {
  const runs: { change: WhitespaceChange; text: string; count: number }[] = [];
  for (const change of changes) {
    const text = whitespaceNote(t, change);
    const last = runs.at(-1);
    if (
      last?.text === text &&
      change.real === last.change.real + last.count &&
      change.proposed === last.change.proposed + last.count
    )
      last.count++;
    else runs.push({ change, text, count: 1 });
  }
  return runs.map(({ change, text, count }) => ({
    change,
    text: count === 1 ? text : `${text} (${lineCount(t, count)})`,
  }));
}

function whitespaceNote(t: Localize, { leading, trailing }: WhitespaceChange): string {
  const change = (each: BlankChange) => ({
    before: blanks(t, each.before),
    after: blanks(t, each.after),
  });
  const notes = [];
  if (leading) notes.push(t("indentation: {before} → {after}", change(leading)));
  if (trailing) notes.push(t("trailing whitespace: {before} → {after}", change(trailing)));
  return notes.join(", ");
}

/** Tells of a newline at the end of the file, which has no line of its own. */
export function finalNewlineNote(t: Localize, change: "added" | "removed"): string {
  return change === "added" ? t("final newline added") : t("final newline removed");
}

/** Quotes removed lines that the diff may not show. */
export function removedLinesNote(
  t: Localize,
  removed: readonly string[],
  where: "above" | "below" | "here",
): string {
  const arrow = { above: "↑ ", below: "↓ ", here: "" }[where];
  const lines = removed.map((line) => line.trim() || t("blank line")).join(" ⏎ ");
  return (
    arrow + t("removed: {lines}", { lines: visibleText(firstWords(lines, QUOTED_CHARACTERS)) })
  );
}

function blanks(t: Localize, text: string): string {
  const count = text.length;
  if (count === 0) return t("none");
  if (/^ +$/.test(text)) return count === 1 ? t("1 space") : t("{count} spaces", { count });
  if (/^\t+$/.test(text)) return count === 1 ? t("1 tab") : t("{count} tabs", { count });
  const [, tabs = "", spaces = ""] = /^(\t+)( +)$/.exec(text) ?? [];
  if (tabs !== "") return `${blanks(t, tabs)} + ${blanks(t, spaces)}`;
  return count === 1 ? t("1 whitespace character") : t("{count} whitespace characters", { count });
}

/**
 * The title of a proposal's tab: the file's name first, and its folder where another pending file
 * has the same name.
 */
export function diffTitle(t: Localize, path: string, pendingPaths: readonly string[]): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
  const isShared = pendingPaths.some(
    (other) => other !== path && (other === name || other.endsWith(`/${name}`)),
  );
  if (isShared && folder !== "") return t("{name} in {folder} (Graft proposal)", { name, folder });
  return t("{name} (Graft proposal)", { name });
}

/** Tells of hunks that Accept File and Accept All leave for the user. */
export function remainingMessage(t: Localize, files: readonly LeftOut[]): string {
  return t("Not accepted with the rest: {files}.", {
    files: files.map((file) => leftOutText(t, file)).join("; "),
  });
}

/** Asks for what {@link remainingMessage} named, once it was shown. */
export function acceptTooMessage(t: Localize, files: readonly LeftOut[]): string {
  return t("Accept these, too? {files}.", {
    files: files.map((file) => leftOutText(t, file)).join("; "),
  });
}

function leftOutText(t: Localize, { path, isProtected, hunks }: LeftOut): string {
  const warnings = hunks.flatMap((hunk) => (hunk.conflict ? [] : hunk.warnings));
  const conflicts = hunks.filter(({ conflict }) => conflict).length;
  const said = [...new Set(warnings.map((warning) => warningText(warning, t)))];
  const left = said.length - MAX_REASONS;
  const words = [
    ...(isProtected ? [t("protected")] : []),
    ...(conflicts > 0
      ? [conflicts === 1 ? t("1 conflict") : t("{count} conflicts", { count: conflicts })]
      : []),
    ...(hunks.some(({ isShared }) => isShared) ? [t("also of another chat")] : []),
  ];
  const facts = [
    ...(words.length > 0 ? [words.join(", ")] : []),
    ...said.slice(0, MAX_REASONS).map((text) => text.replace(/\.$/, "")),
    ...(left > 0 ? [t("{count} more", { count: left })] : []),
  ];
  const changes = changeCount(t, hunks.length);
  return t("{path}: {changes} ({facts})", { path, changes, facts: facts.join(". ") });
}

/** Hunks of a file that are not accepted with the rest. */
export interface LeftOut {
  readonly path: string;
  readonly isProtected: boolean;
  /** `isShared`: another chat wrote it, too. */
  readonly hunks: readonly (Pick<Hunk, "conflict" | "warnings"> & {
    readonly isShared?: boolean;
  })[];
}

/** Tells of changes that were not rejected for one chat alone. */
export function sharedHunksMessage(t: Localize, paths: readonly string[]): string {
  return t(
    "Not rejected: another chat wrote in the same changes of {paths}. Decide on these one by one.",
    { paths: paths.join(", ") },
  );
}

/** The tab of a file that is proposed to be deleted. */
export function deletionTitle(t: Localize, path: string): string {
  return t("{name} (proposed deletion)", {
    name: visibleText(path.slice(path.lastIndexOf("/") + 1)),
  });
}

/** A file whose proposal could not be accepted. */
export interface FailedAccept {
  readonly path: string;
  readonly problem: DecisionProblem;
}

/** Tells which of several files were changed, which were not, and why. */
export function acceptFailureMessage(
  t: Localize,
  changed: readonly string[],
  failed: readonly FailedAccept[],
): string {
  const reasons = failed
    .map(({ path, problem }) => decisionProblemMessage(t, problem, path))
    .join(" ");
  if (changed.length === 0) return reasons;
  const unchanged = failed.map(({ path }) => path).join(", ");
  return t("Only some files changed: {changed}. Not changed: {unchanged}. {reasons}", {
    changed: changed.join(", "),
    unchanged,
    reasons,
  });
}

/** How many of some files are done. */
export function progressMessage(t: Localize, done: number, files: number): string {
  return t("{done} of {files} files", { done, files });
}

/** Tells what was accepted before the user stopped it. */
export function stoppedMessage(t: Localize, changed: number, left: number): string {
  return t("Stopped. Files with accepted changes: {changed}. Files still pending: {left}.", {
    changed,
    left,
  });
}

/** Tells that files changed after an accept, so that it was not taken back in them. */
export function leftAcceptedMessage(t: Localize, paths: readonly string[]): string {
  return t("{paths} changed again or cannot be written, so the accepted changes stay there.", {
    paths: paths.join(", "),
  });
}

function lineCount(t: Localize, count: number): string {
  return count === 1 ? t("1 line") : t("{count} lines", { count });
}

/** Tells what was exported to the file `name`, and which files were not, since they may hold keys. */
export function exportedMessage(
  t: Localize,
  name: string,
  files: number,
  secret: readonly string[],
): string {
  const told = t("Graft exported the proposals for {files} to {name}.", {
    files: fileCount(t, files),
    name,
  });
  if (secret.length === 0) return told;
  const paths = secret.join(", ");
  return `${told} ${t("Left out, since they may hold keys: {paths}.", { paths })}`;
}

/** What came of an import, in numbers. */
interface Imported {
  readonly name: string;
  readonly comment: string;
  readonly files: number;
  readonly changes: number;
  readonly conflicts: number;
  /** Files that have all of it, and proposals that wait for another one of their file. */
  readonly done: number;
  readonly waiting: number;
}

/** Tells what was imported. */
export function importedMessage(t: Localize, imported: Imported): string {
  const { name, comment, files, changes, conflicts, done, waiting } = imported;
  const parts = [
    files === 0
      ? t("{name} has nothing to review here.", { name })
      : t("{name}: {changes} in {files} to review.", {
          ...{ name, changes: changeCount(t, changes), files: fileCount(t, files) },
        }),
    ...(conflicts > 0
      ? [t("Based on other lines than here: {changes}.", { changes: changeCount(t, conflicts) })]
      : []),
    ...(waiting > 0
      ? [
          t("Pending after you decide the current proposals: {files}.", {
            files: fileCount(t, waiting),
          }),
        ]
      : []),
    ...(done > 0 ? [t("Already here: {files}.", { files: fileCount(t, done) })] : []),
    ...(comment ? [`"${visibleText(firstWords(comment, MAX_COMMENT))}"`] : []),
  ];
  return parts.join(" ");
}

/** Tells what an import left out, by its reasons. */
export function leftOutMessage(t: Localize, reasons: readonly string[]): string {
  const told = reasons.slice(0, MAX_REASONS).map(visibleText);
  const more = reasons.length - told.length;
  const rest = more > 0 ? [t("And {count} more; the log has all.", { count: more })] : [];
  return [...told, ...rest].join(" ");
}
