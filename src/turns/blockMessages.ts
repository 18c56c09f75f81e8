import type { Localize } from "../base/localize.ts";
import { sentence } from "../base/text/sentence.ts";
import { fileErrorMessage } from "../ports/messages.ts";
import type { BlockWarning } from "../ports/review.ts";
import { IMPORTS_PATH } from "../syntax/paths/elementPaths.ts";
import type { PathError } from "../syntax/syntax.ts";
import type { BlockReason, Excerpt } from "./blockReason.ts";
import type { EditBlock } from "./editBlock.ts";

/** How a block names lines and how it names an element. */
export const LINE_FORMAT = "`type:startline:endline`";
export const AST_FORMAT = "`type:ast-path:Namespace-Class-Method`";

const INVALID_ADDRESS = "The address of the block is not valid.";

/** The sentences of reasons that need only their own facts and the block's target. */
export const REASON_SENTENCES = {
  "no-element-named": "The address names no element after `ast-path:`.",
  "invalid-address": INVALID_ADDRESS,
  "line-zero": INVALID_ADDRESS,
  "first-line-missing": INVALID_ADDRESS,
  "last-line-missing": INVALID_ADDRESS,
  "not-a-line-number": INVALID_ADDRESS,
  "single-line": INVALID_ADDRESS,
  "reversed-lines": INVALID_ADDRESS,
  "file-name-in-address": INVALID_ADDRESS,
  "unknown-operation": "`{op}` is not an operation.",
  "needs-ast-path": "`{op}` works on AST paths only, not on lines.",
  "not-in-edit-mode": "`{file}` is not in edit mode.",
  "complete-file-expected": "Graft expected the complete file in one block.",
  "which-whole-file": "Several blocks may be the whole file.",
  "other-whole-file": "Another block replaces the whole file.",
  "unclear-end": "A bare fence in the body makes the end of the block unclear.",
  "unclear-indent": "The lines of the block are not indented like its fence.",
  "no-such-line": "Line {line} does not exist. The last line is {lineCount}.",
  "nothing-to-remove": "Line {line} holds no text to remove. The last line is {lineCount}.",
  "view-forgotten": "Graft no longer has the text in which the model saw {target}.",
  "views-differ": "The model read {target} in parts, and the file changed in between.",
  "own-changes-since":
    "The model saw {target} before its own changes to the file, which may have moved them.",
  "changed-by-earlier-block": "An earlier block, {target}, already changed these lines.",
  "outside-element": "These lines are not inside `{path}`, which is at lines {start}-{end}.",
  "other-element": "The block is for `{path}` but declares `{meant}`.",
  "file-operation": "`@file` only works with append and prepend.",
  "imports-operation": "`@imports` only works with a replacement, append or prepend.",
  "no-body": "`{path}` has no body to insert members into.",
  "not-removable": "`{path}` cannot be removed as a whole.",
  "path-reassigned":
    "`{path}` now names another element, at line {line}. The block is for the one that the model saw under it.",
  "repeated-block": "An earlier block already inserts this there.",
  "empty-body": "The block is empty, so there is nothing to insert.",
  unclosed: "The block was not closed, so it was skipped.",
  "length-limit": "The model reached its length limit inside this block, so it was skipped.",
  stopped: "Stopped before this was complete.",
  "broken-off": "Stopped before this was complete.",
  elision: "Looks like an elision: `{line}`. Not proposed.",
  "was-reasoning": "The model wrote this while thinking, so it is not proposed.",
  "session-replaced": "Edit mode was turned on again for this file.",
  "session-ended": "Edit mode ended before this was proposed.",
  "window-closed": "The window was closed or reloaded before the decision.",
  "edited-meanwhile": "These lines of the file changed meanwhile.",
  "already-there": "The file already has this text.",
  withdrawn: "The change was withdrawn before the decision.",
  "no-longer-proposed": "The change was withdrawn before the decision.",
  "review-closed": "The review was closed before the decision.",
  compared: "This waits in the chat that compares the models' answers.",
  "file-gone": "The file was deleted or moved away during the review.",
  "deletion-proposed": "A pending proposal deletes this file.",
  "proposals-elsewhere": "Proposed changes are open in another window.",
  "being-written":
    "Another chat or agent was writing this file, so this is not proposed. Ask for it again once that is done.",
  "file-changed": "The file changed after this was proposed.",
  "not-saved":
    "You accepted this, but the file was not saved, so it is pending again. Reject it if you discarded it on purpose.",
  "partly-accepted": "{accepted} of {hunks} hunks accepted.",
} as const satisfies Partial<Record<BlockReason["code"], string>>;

/** True where the review took nothing of an answer: nobody has rejected it. */
export function wasNotTaken(reason: BlockReason | null): boolean {
  return NOT_TAKEN.has(reason?.code ?? "");
}

const NOT_TAKEN: ReadonlySet<string> = new Set<BlockReason["code"]>([
  ...(["being-written", "deletion-proposed", "proposals-elsewhere"] as const),
]);

/** Why a block is in its state; null where the state says it all. */
export function reasonText(
  block: Pick<EditBlock, "target" | "status" | "reason" | "warnings">,
  t: Localize,
): string | null {
  const { reason, target } = block;
  if (reason === null) return null;
  switch (reason.code) {
    case "rejected-by-user":
      return null;
    case "no-edit-mode":
      return reason.file === null
        ? t("No file is in edit mode.")
        : t("`{file}` is not in edit mode.", { file: reason.file });
    case "file-needed":
      return t(
        "Several files are in edit mode ({files}), and nothing says which of them this is for.",
        { files: reason.files.join(", ") },
      );
    case "superseded":
      return reason.ofOthers
        ? t("Another chat or agent proposed other text here.")
        : t("A later edit changed this text.");
    case "taken-back":
      return reason.callId === undefined
        ? t("A later edit restored the file's own text.")
        : t("A command that ran on the proposals took this back.");
    case "other-form":
      return otherFormText(reason.form, t);
    case "internal":
      return t("Graft failed on this block: {said}", { said: sentence(reason.said) });
    case "mode-mismatch":
      return mismatchNotice(target, reason, t);
    case "lines-changed":
      return changedText(linesChangedText(target, t), reason, t);
    case "element-changed":
      return changedText(elementChangedText(target, t), reason, t);
    case "checks-failed":
      return `${t("The lines do not begin as the block says. There is:")}\n${numberedExcerpt(reason, t)}`;
    case "no-ast-paths":
      return noPathsText(reason.why, t);
    case "unresolved-path":
      return pathFault(reason.error, t);
    case "shared-declaration":
      return sharedText(reason, t);
    case "overlap":
      return overlapText(reason.targets, t);
    case "turn-ended":
      return block.status === "incomplete"
        ? t("The turn ended before the block was closed.")
        : t("The turn ended before the decision.");
    case "not-accepted-automatically":
      return block.warnings.length > 0
        ? t("Not accepted automatically.")
        : t("Not accepted automatically, because it adjoins a change with a warning.");
    case "write-failed":
      return fileErrorMessage(reason.error, t);
    default:
      return t(REASON_SENTENCES[reason.code], { target, ...reason });
  }
}

function linesChangedText(target: string, t: Localize): string {
  const facts = { target: capitalized(target) };
  return t("{target} changed after the model read them. The model saw:", facts);
}

function elementChangedText(target: string, t: Localize): string {
  return t("{target} changed after the model saw it. The model saw:", { target });
}

function noPathsText(why: "too-large" | "unreadable", t: Localize): string {
  return why === "too-large"
    ? t("AST paths do not work in this file because it is too large.")
    : t("AST paths do not work in this file because Graft cannot read its syntax.");
}

function sharedText(
  { path, others }: BlockReason & { code: "shared-declaration" },
  t: Localize,
): string {
  const facts = { path, others: others.map((other) => `\`${other}\``).join(", ") };
  return t("`{path}` is declared together with {others}, which would go too.", facts);
}

function pathFault(error: PathError, t: Localize): string {
  switch (error.code) {
    case "not-found": {
      const nearest = error.candidates.map(({ path }) => `\`${path}\``).join(", ");
      const missing = t("The file has no element `{path}`.", { path: error.path });
      return nearest === "" ? missing : `${missing} ${t("The nearest: {nearest}.", { nearest })}`;
    }
    case "ambiguous":
      return t("`{path}` fits {count} elements, so Graft cannot tell which one is meant.", {
        path: error.path,
        count: error.count,
      });
    case "syntax-error":
      return t("`{path}` contains a syntax error, so Graft cannot tell where it ends.", {
        path: error.element.path,
      });
    case "reassigned":
      return t("An earlier block removed or renamed `{path}`.", error);
    case "boundary-changed":
      return t("An earlier block moved the start or the end of `{path}`.", error);
    case "no-imports":
      return t("`{path}` cannot be used here: this language has no import section.", {
        path: IMPORTS_PATH,
      });
    case "unparsed":
      return t("AST paths do not work in this file because Graft cannot read its syntax.");
  }
}

function otherFormText(form: (BlockReason & { code: "other-form" })["form"], t: Localize): string {
  switch (form) {
    case "quoted":
      return t("The block is in a quote.");
    case "indented":
      return t("The fence of the block is indented.");
    case "one-line":
      return t("The closing fence of the block needs a line of its own.");
    case "after-text":
      return t("The fence of the block needs a line of its own.");
    case "no-address":
      return t("The block names its file but no place in it.");
    case "inside-block":
      return t("The block is inside another code block.");
    case "search-replace":
      return t("Search and replace markers are not an edit block.");
    case "diff":
      return t("A diff is not an edit block.");
  }
}

/** A warning as the card, the diff and the report show it. */
export function warningText(warning: BlockWarning, t: Localize): string {
  switch (warning.code) {
    case "elision":
      return t("Looks like an elision: `{line}`.", warning);
    case "deletion":
      return t("Deletes {removed} lines and writes {written}.", warning);
    case "syntax":
      return t("Adds a syntax error.");
    case "edited-meanwhile":
      return t("This element changed while the model wrote.");
    case "maybe-reasoning":
      return t("The model may have written this while thinking.");
    case "never-read":
      return warning.forgotten
        ? t("Graft no longer knows whether the model read this text.")
        : t("The model did not read the text that this replaces.");
    case "repeats-line":
      return t(
        "This also fits the neighboring line `{line}`, so the model may have meant other lines.",
        warning,
      );
    case "loses-return":
      return t("Drops the return in `{line}`.", warning);
    case "unchecked-end":
      return t("No check confirms which lines it is for.");
    case "whitespace":
      return t("Its whitespace differs from the lines around it: `{line}`.", warning);
    case "cuts-brackets":
      return t("Leaves a bracket or comment unmatched. It may be for other lines.");
    case "cuts-element":
      return t("Cuts `{path}` in two. It may be for other lines.", warning);
    case "typo":
      return t("Writes `{word}` where the file has `{known}`. It may be a typo.", warning);
    case "loses-element":
      return t("Replaces `{path}` with something else.", warning);
    case "doubles-element":
      return t("Adds a second `{path}`.", warning);
    case "loses-members":
      return t("Drops {names} from `{path}`.", {
        path: warning.path,
        names: warning.names.map((name) => `\`${name}\``).join(", "),
      });
    case "loses-head":
      return t("Drops `{lost}` from the declaration.", warning);
    case "loses-comment":
      return t("Drops the comment after `{line}`.", warning);
    case "doubles-comment":
      return t("May repeat a comment: `{line}`.", warning);
    case "doubles-lines":
      return t("Adds lines that are already there: `{line}`.", warning);
  }
}

/** All warnings in one text; null without any. */
export function warningsText(warnings: readonly BlockWarning[], t: Localize): string | null {
  return warnings.length === 0
    ? null
    : warnings.map((warning) => warningText(warning, t)).join(" ");
}

/** How the parameter of the session was given. */
export function parameterText(useLineNumbers: boolean | null): string {
  return useLineNumbers === null
    ? "use_line_numbers not set"
    : `use_line_numbers=${useLineNumbers}`;
}

/** Three lines: what was ignored, the active mode, the required format. */
function mismatchNotice(
  target: string,
  reason: BlockReason & { code: "mode-mismatch" },
  t: Localize,
): string {
  const facts = { target, parameter: parameterText(reason.useLineNumbers) };
  if (reason.active === "lines") {
    return [
      t(
        "Ignored: Change to `{target}` - AST path format specified but line number mode is active. Use `type:startline:endline` format instead.",
        facts,
      ),
      t("Active mode: line numbers ({parameter})", facts),
      t("Required format: {format}", { format: LINE_FORMAT }),
    ].join("\n");
  }
  return [
    t(
      "Ignored: Change at {target} - Line number format specified but AST path mode is active. Use `type:ast-path:Namespace-Class-Method` format instead.",
      facts,
    ),
    t("Active mode: AST paths ({parameter})", facts),
    t("Required format: {format}", { format: AST_FORMAT }),
  ].join("\n");
}

function overlapText(targets: readonly string[], t: Localize): string {
  const [first = ""] = targets;
  const count = targets.length;
  if (targets.every((target) => target === first)) {
    return t("{count} blocks change {target}. All of them were skipped.", { count, target: first });
  }
  const facts = { targets: targets.slice(0, -1).join(", "), last: targets.at(-1) ?? "" };
  return t("These changes overlap, so all were skipped: {targets} and {last}.", facts);
}

/** What there was, after words that say so, and what there is now. */
export function changedText(
  said: string,
  { before, now }: Readonly<Record<"before" | "now", Excerpt>>,
  t: Localize,
): string {
  return [said, excerptText(before, t), t("Now there is:"), excerptText(now, t)].join("\n");
}

/** The first lines of a text, indented. */
function excerptText({ lines, more }: Excerpt, t: Localize): string {
  const shown = lines.length > 0 ? lines : [t("(nothing)")];
  const rest = more > 0 ? [t("… {count} more", { count: more })] : [];
  return [...shown, ...rest].map((line) => `  ${line}`).join("\n");
}

/** The same with line numbers. */
export function numberedExcerpt(
  { first, lines }: { readonly first: number; readonly lines: Excerpt },
  t: Localize,
): string {
  return excerptText(
    { ...lines, lines: lines.lines.map((line, index) => `${first + index}\t${line}`) },
    t,
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
