import { english, type Localize } from "../base/localize.ts";
import { firstWords } from "../base/text/clip.ts";
import { pluralize } from "../base/text/sentence.ts";
import { fileErrorMessage } from "../ports/messages.ts";
import type { BlockWarning } from "../ports/review.ts";
import { pathErrorMessage } from "../syntax/messages.ts";
import {
  AST_FORMAT,
  changedText,
  LINE_FORMAT,
  numberedExcerpt,
  parameterText,
  reasonText,
  warningText,
  wasNotTaken,
} from "../turns/blockMessages.ts";
import type { BlockReason } from "../turns/blockReason.ts";
import type { EditBlock } from "../turns/editBlock.ts";
import { type Block, type BlockAdjustment, type BodySlip, isAlreadyThere } from "./block.ts";
import type { BlockedReason } from "./history/restoration.ts";
import type { HeldFailure } from "./propose/heldBlocks.ts";
import type { PatchConflict } from "./propose/locatePatches.ts";
import type { LineRange } from "./text/lineDiff.ts";

/** A command that still runs, and has rejected text of these files. */
export interface OutdatedCommand {
  readonly command: string;
  readonly paths: readonly string[];
}

/** Reports that blocks wait for the user. */
export function proposedReport(path: string, blocks: number, lineCount: number): string {
  return `${pluralize(blocks, "change")} to '${path}' ${blocks === 1 ? "is" : "are"} proposed and not accepted yet: where the user decides while you go on, you will be told. Your reads and further edits of the file see the proposed text, which has ${pluralize(lineCount, "line")}. On the disk nothing has changed; the result of a command says whether it ran on the proposed text.`;
}

/**
 * Reports to the model what became of proposals since it was told last; `lineCounts` are those of
 * their files now, as far as they are known, and `outdated` the commands with rejected text.
 */
export function decisionReport(
  edits: readonly EditBlock[],
  lineCounts: ReadonlyMap<string, number | null> = new Map(),
  outdated: readonly OutdatedCommand[] = [],
): string {
  const lines = edits.map((edit) => {
    const { path, target, op, rejection } = edit;
    const why = rejection === undefined ? "" : `. The user's reason: ${rejection}`;
    return `- '${path}', ${placeText(op, target)}: ${decisionText(edit)}${why}`;
  });
  const diffs = edits.flatMap(({ path, userDiff }) =>
    userDiff === undefined ? [] : [`The user changed the proposal for '${path}':\n${userDiff}`],
  );
  const counts = [...lineCounts].map(([path, count]) =>
    count === null
      ? `There is no file '${path}' now.`
      : `Your reads of '${path}' now show ${pluralize(count, "line")}.`,
  );
  return [
    `What became of your proposed changes since you were told last:\n${lines.join("\n")}`,
    ...(counts.length > 0 ? [counts.join("\n")] : []),
    ...outdated.map(outdatedText),
    ...diffs,
  ].join("\n\n");
}

function outdatedText({ command, paths }: OutdatedCommand): string {
  const files = paths.map((path) => `'${path}'`).join(", ");
  return `The command \`${firstWords(command, 80)}\` still runs and was started on your proposals: it may still use the rejected text of ${files}. To have it see the files as they are, end it and run it again; the user can restart it, too.`;
}

function placeText(op: EditBlock["op"], target: string): string {
  if (op === "rename") return `renaming to '${target}'`;
  if (op === "make-executable") return "making it executable";
  if (op === "make-plain") return "making it no longer executable";
  return op === "replace" || op === "complete" || op === "delete" ? target : `${target} (${op})`;
}

function decisionText({ status, reason, undone }: EditBlock): string {
  if (undone) return "accepted and undone since";
  if (status === "applied")
    return reason?.code === "already-there" ? "the file has this text" : "accepted";
  if (status === "partly-applied")
    return "accepted in part; the user rejected the rest. Read it before you change it again";
  if (status === "pending") return "pending; your reads see it";
  if (status === "superseded")
    return `replaced: another chat or agent proposed other text there, ${replacementText(reason)}`;
  if (reason?.code === "was-reasoning")
    return "it stood in your reasoning; nothing of it is proposed";
  if (status === "withdrawn")
    return reason?.code === "taken-back" && reason.callId !== undefined
      ? "taken back by a command; nothing of it is proposed now"
      : "taken back by a later edit; nothing of it is proposed now";
  if (reason?.code === "file-changed")
    return "pending, but the file changed after you proposed this; ask the user before you go on";
  if (status === "conflict")
    return "pending, in conflict: the same lines of the file changed since you proposed it";
  if (reason === null || reason.code === "rejected-by-user") return "rejected by the user";
  return `not accepted: ${reasonText({ target: "it", status, reason, warnings: [] }, english) ?? "withdrawn"}`;
}

function replacementText(reason: BlockReason | null): string {
  switch (reason?.code === "superseded" ? reason.became : undefined) {
    case "applied":
      return "which was accepted";
    case "partly-applied":
      return "which was accepted in part. Read it before you change it again";
    case "rejected":
      return "which was not accepted. Yours did not come back: nothing is proposed there now";
    case "withdrawn":
      return "which was taken back since. Yours did not come back: nothing is proposed there now";
    default:
      return "which your reads see";
  }
}

/** Reports one block to the model; `name` tells it from the others. */
export function blockReport(block: Block, name: string): string {
  const { status, reason } = block;
  const warnings = block.warnings.map(modelWarning).join(" ");
  const warned = warnings === "" ? "" : ` (warning: ${warnings})`;
  const facts =
    warned + block.adjustments.map((adjustment) => `. ${adjustmentText(adjustment)}`).join("");
  if (status === "captured") return `${name} is complete and kept`;
  if (status === "pending") return `${name} proposed${facts}`;
  if (isAlreadyThere(block))
    return `${name}: the file has this text, so nothing is proposed for it`;
  if (status === "applied") return `${name} applied${facts}`;
  if (status === "partly-applied")
    return `${name} applied in part: ${modelReason(block) ?? "The user rejected the rest."}${facts}`;
  if (status === "rejected" && (reason === null || reason.code === "rejected-by-user"))
    return `${name} rejected by the user`;
  if (status === "incomplete" || status === "stopped")
    return `block for ${block.target} was not closed; nothing is proposed for it`;
  const isUndecided = "undecided" in block && block.undecided;
  const isDecided = status === "rejected" && !wasNotTaken(reason);
  const missed = isDecided || isUndecided ? "accepted" : "proposed";
  return `${name} was not ${missed}: ${modelReason(block) ?? status}${warned}`;
}

function modelWarning(warning: BlockWarning): string {
  if (warning.code === "edited-meanwhile")
    return "This element changed while you wrote. Read it before you change it again.";
  if (warning.code === "maybe-reasoning") return "You may have written this while thinking.";
  if (warning.code === "repeats-line")
    return `This also fits the neighboring line \`${warning.line}\`, so you may have meant other lines.`;
  if (warning.code !== "never-read") return warningText(warning, english);
  return "You did not read the text that this replaces, or too long ago. Read an element before you replace or remove it.";
}

const SLIPS: Readonly<Record<BodySlip, string>> = {
  "trailing-blanks": "blanks at line ends",
  "line-break": "a line break that the replacement lacked",
  indentation: "tabs and spaces",
  shifted: "the indentation",
};

function adjustmentText(adjustment: BlockAdjustment): string {
  switch (adjustment.code) {
    case "moved": {
      const { start, end } = adjustment.to;
      return `Its checks fit lines ${start}-${end}, so it was moved there`;
    }
    case "with-comment":
      return "It begins with a comment, so it also replaced the one above the element, as with-comment does";
    case "trailing-comment":
      return "It ends with a comment, so it also replaced the one after the element";
    case "kept-head":
      return `It lacked ${adjustment.kept.map((part) => `\`${part}\``).join(", ")}, which Graft kept; to drop that, replace the line it is in`;
    case "margin":
      return "Its first lines and the others had different margins, so Graft moved them to one";
    case "line-numbers":
      return "Its lines began with line numbers, which Graft left out";
    case "import-form":
      return "Graft wrote its imports in the form of the file's";
    case "repeats-imports":
      return `Graft left out imports that are already there: ${adjustment.lines.map((line) => `\`${line}\``).join(", ")}`;
    case "repaired":
      return `Graft fixed ${adjustment.slips.map((slip) => SLIPS[slip]).join(", ")} in its body`;
  }
}

/** Why a block was not proposed or accepted, for the model; mostly as the user reads it. */
function modelReason(block: Block): string | null {
  const { reason, target } = block;
  switch (reason?.code) {
    case "elision":
      return elisionReason(reason.line);
    case "not-in-edit-mode":
      return `\`${reason.file}\` is not in edit mode. Call \`edit_mode\` for it first.`;
    case "file-needed": {
      const files = reason.files.map((file) => `\`${file}\``).join(", ");
      return `Several files are in edit mode (${files}), and it does not fit exactly one. End its opener with the path of one of them, or call \`edit_mode\` first where it is for another file.`;
    }
    case "which-whole-file":
      return "Several blocks may be the whole file. Write the file's path after the language of the one that is.";
    case "unclear-end":
      return "A bare fence in its body leaves open where it ends. Write it again with a longer fence (````) around it.";
    case "unclear-indent":
      return "Its lines are not indented like its fence. Write it again without indenting the fence.";
    case "no-edit-mode": {
      const said =
        reason.file === null
          ? "No file is in edit mode."
          : `\`${reason.file}\` is not in edit mode.`;
      return `${said} ${reason.turnsOn === "model" ? "Call `edit_mode` for it first." : "Only the user can turn it on."}`;
    }
    case "view-forgotten":
      return `You saw ${target} too long ago, or before a reload of the window. Read them again.`;
    case "views-differ":
      return `You read ${target} in parts, and the file changed in between. Read them again.`;
    case "own-changes-since":
      return `You saw ${target} before your own changes to the file, which may have moved them. Read them again.`;
    case "checks-failed":
      return [
        "The lines do not begin as its checks say, and the checks fit no other place nearby. There is:",
        numberedExcerpt(reason, english),
      ].join("\n");
    case "changed-by-earlier-block":
      return `An earlier block, ${reason.target}, already changed these lines. Read them again.`;
    case "lines-changed":
      return changedText(
        "These lines changed after you read them. Read them again and change what is there now. You saw:",
        reason,
        english,
      );
    case "element-changed":
      return changedText(
        "It changed after you saw it. Read it again and change what is there now. You saw:",
        reason,
        english,
      );
    case "unresolved-path":
      return pathErrorMessage(reason.error);
    case "being-written":
      return "Another chat or agent was writing this file at that time, and may still. Read the file, which has what it proposed so far, then write your change again.";
    case "path-reassigned":
      return `\`${reason.path}\` now names another element, at line ${reason.line}, than the one that you saw under it. Read it again.`;
    case "was-reasoning":
      return "You wrote this while thinking.";
    default: {
      const advice = reason ? ADVICE[reason.code] : undefined;
      return [reasonText(block, english), advice].filter((text) => text).join(" ") || null;
    }
  }
}

const ADDRESS = "Lines are START:END, counted from 1, and a file name follows after a space.";

const ADVICE: Readonly<Partial<Record<BlockReason["code"], string>>> = {
  "invalid-address": ADDRESS,
  "single-line": ADDRESS,
  "reversed-lines": ADDRESS,
  "file-name-in-address": ADDRESS,
  "unknown-operation": "Use before, after or remove, and write a file name after a space.",
  "complete-file-expected": "Write it as one fenced block without an address.",
  "other-element": "Address it by that path.",
  "empty-body": "To delete, use `remove`.",
  "no-ast-paths": "Use `type:startline:endline`.",
  "shared-declaration": "Replace the whole declaration instead.",
};

function elisionReason(line: string): string {
  return `It leaves out code (\`${line}\`). Write the complete text, or address a smaller place.`;
}

/** The part of a report that lists the blocks ignored for their mode; null without any. */
export function ignoredReport(blocks: readonly Block[]): string | null {
  const ignored = blocks.flatMap(({ reason, target }) =>
    reason?.code === "mode-mismatch" ? [{ reason, target }] : [],
  );
  const [first] = ignored;
  if (!first) return null;
  const sentences = ignored.map(({ reason: { active, useLineNumbers }, target }) =>
    active === "lines"
      ? `Change to \`${target}\` was ignored: AST path format was specified, but line number mode is active (${parameterText(useLineNumbers)}). Use format: ${LINE_FORMAT} instead.`
      : `Change at ${target} was ignored: Line number format was specified, but AST path mode is active (${parameterText(useLineNumbers)}). Use format: ${AST_FORMAT} instead.`,
  );
  const format =
    first.reason.active === "lines"
      ? `Use line number format: ${LINE_FORMAT}`
      : `Use AST path format: ${AST_FORMAT}`;
  return [
    `${ignored.length} code block(s) were ignored due to mode mismatch:`,
    ...sentences.map((sentence) => `  • ${sentence}`),
    "",
    `All code blocks in a session must use the same format. ${format}`,
  ].join("\n");
}

/** Why a search and replace has no place, for the model. */
export function patchConflictText(conflict: PatchConflict): string {
  const { edit } = conflict;
  return `${edit === null ? "" : `Edit ${edit}: `}${conflictText(conflict)}`;
}

/** Why a search and replace that has a place is not proposed, for the model. */
export function patchRefusalText(block: Block): string {
  return `The replacement was refused. ${modelReason(block) ?? block.status}`;
}

function conflictText(conflict: PatchConflict): string {
  switch (conflict.code) {
    case "unchanged":
      return "search and replace are the same, so nothing would change.";
    case "overlap":
      return `conflict at line ${conflict.line}: edit ${conflict.other} changes the same text. Make one edit of the two.`;
    case "ambiguous": {
      const { count, lines, more } = conflict;
      const named = `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more ? ", …" : ""}`;
      return `conflict at line ${lines[0]}: the text is there ${count} times (${named}). Search for more of the lines around the place that is meant.`;
    }
    case "inside-word":
      return `conflict at line ${conflict.line}: the search text begins or ends in the middle of a word. Search for whole words.`;
    case "not-found": {
      const { nearest } = conflict;
      if (nearest === null)
        return "conflict at line 1: neither the text nor anything like it is in the file; it may be in another one.";
      const there = numberedExcerpt(nearest, english);
      return `conflict at line ${nearest.first}: the text is not there exactly as given, blanks included. The nearest text in the file is:\n${there}`;
    }
  }
}

/** Why a held block cannot be proposed, for the user. */
export function heldFailureText(failure: HeldFailure, t: Localize): string {
  switch (failure.code) {
    case "turn-running":
      return t("Graft is still responding. Wait until it is done, or stop it, and try again.");
    case "forgotten":
      return t("Graft no longer has this change. Ask for it again.");
    case "stopped":
      return t("Stopped. Nothing was proposed.");
    case "file":
      return fileErrorMessage(failure.error, t);
    case "no-ast-paths":
      return t("AST paths do not work in {path} as it is now. Ask for the change again.", failure);
    case "file-changed":
      return t(
        "{path} changed after this edit was written, so it no longer has a place. Ask for the change again.",
        failure,
      );
    case "no-place": {
      const { path, target, reason } = failure;
      const why = reasonText({ target, status: "refused", reason, warnings: [] }, t) ?? "";
      return t("The change to {target} of {path} cannot be proposed. {why}", { path, target, why });
    }
  }
}

/** Why a file's changes cannot be taken back, to follow "cannot be restored:". */
export function blockedText(reason: BlockedReason, t: Localize): string {
  switch (reason.code) {
    case "deleted":
      return t("it was deleted or renamed since");
    case "created-again":
      return t("a file of this name was created since");
    case "created-and-edited":
      return t("Graft created it, and it changed since");
    case "lines-changed": {
      const lines = reason.lines.map(lineText).join(", ");
      if (lines === "") return t("the same lines changed since");
      return reason.lines.length === 1 && !lines.includes("-")
        ? t("line {lines} changed since", { lines })
        : t("lines {lines} changed since", { lines });
    }
  }
}

/** 1-based and inclusive; removed lines are named by the line that stands there now. */
function lineText({ start, end }: LineRange): string {
  return end - start > 1 ? `${start + 1}-${end}` : `${start + 1}`;
}
