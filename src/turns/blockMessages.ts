import type { Localize } from "../base/localize.ts";
import { sentence } from "../base/text/sentence.ts";
import { fileErrorMessage } from "../ports/messages.ts";
import type { BlockWarning } from "../ports/review.ts";
import { pathErrorMessage } from "../syntax/messages.ts";
import type { BlockReason, Excerpt } from "./blockReason.ts";
import type { EditBlock } from "./turnEvent.ts";

/** How a block names lines and how it names an element. */
export const LINE_FORMAT = "`type:startline:endline`";
export const AST_FORMAT = "`type:ast-path:Namespace-Class-Method`";

/** What a reason is told about. */
type ReasonedBlock = Pick<EditBlock, "target" | "status" | "reason"> & { readonly warnings: readonly BlockWarning[] };

/** Why a block is in its state; null where the state says it all. */
export function reasonText(block: ReasonedBlock, t: Localize): string | null {
  const { reason, target } = block;
  switch (reason?.code) {
    case undefined:
    case "rejected-by-user":
      return null;
    case "no-element-named":
      return t("The address names no element after `ast-path:`.");
    case "invalid-address":
    case "line-zero":
    case "first-line-missing":
    case "last-line-missing":
    case "not-a-line-number":
    case "single-line":
    case "reversed-lines":
    case "file-name-in-address":
      return t("The address is not valid. Lines are START:END, counted from 1, and a file name follows after a space.");
    case "unknown-operation":
      return t("`{op}` is not an operation. Use before, after or remove, and write a file name after a space.", reason);
    case "needs-ast-path":
      return t("`{op}` works on AST paths only, not on lines.", reason);
    case "not-in-edit-mode":
      return t("`{file}` is not in edit mode.", reason);
    case "no-edit-mode":
      return reason.file === null ? t("No file is in edit mode.") : t("`{file}` is not in edit mode.", { file: reason.file });
    case "complete-file-expected":
      return t("The complete file is expected (complete_file). Write it as one fenced block without an address.");
    case "file-needed":
      return t("Several files are in edit mode ({files}), and nothing says which of them this is for.", { files: reason.files.join(", ") });
    case "which-whole-file":
      return t("Several blocks may be the whole file.");
    case "other-whole-file":
      return t("Another block is the whole file.");
    case "other-form":
      return otherFormText(reason.form, t);
    case "unclear-end":
      return t("A bare fence in the body leaves open where the block ends.");
    case "unclear-indent":
      return t("The lines of the block are not indented like its fence.");
    case "internal":
      return t("Graft failed on this block: {said}", { said: sentence(reason.said) });
    case "mode-mismatch":
      return mismatchNotice(target, reason, t);
    case "no-such-line":
      return t("Line {line} does not exist. The last line is {lineCount}.", reason);
    case "nothing-to-remove":
      return t("Line {line} holds no text to remove. The last line is {lineCount}.", reason);
    case "view-forgotten":
      return t("Graft no longer knows the text in which the model saw {target}.", { target });
    case "views-differ":
      return t("The model read {target} in parts, and the file changed in between.", { target });
    case "own-changes-since":
      return t("The model saw {target} before its own changes to the file, which may have moved them.", { target });
    case "lines-changed":
      return changedText(t("{target} changed after the model read them. The model saw:", { target: capitalized(target) }), reason, t);
    case "element-changed":
      return changedText(t("{target} changed after the model saw it. The model saw:", { target }), reason, t);
    case "checks-failed":
      return [t("The lines do not begin as the block says. There is:"), numberedExcerpt(reason, t)].join("\n");
    case "outside-element":
      return t("These lines are not inside `{path}`, which is at lines {start}-{end}.", reason);
    case "changed-by-earlier-block":
      return t("An earlier block, {target}, already changed these lines.", { target: reason.target });
    case "no-ast-paths":
      return reason.why === "too-large"
        ? t("AST paths do not work in this file because it is too large. Use `type:startline:endline`.")
        : t("AST paths do not work in this file because Graft cannot read its syntax. Use `type:startline:endline`.");
    case "unresolved-path":
      return pathErrorMessage(reason.error, t);
    case "other-element":
      return t("`{path}` is the definition, but the block declares `{meant}`. Address it by that path.", reason);
    case "file-operation":
      return t("`@file` takes append and prepend only.");
    case "imports-operation":
      return t("`@imports` takes a replacement, append and prepend only.");
    case "no-body":
      return t("`{path}` has no body to insert members into.", reason);
    case "not-removable":
      return t("`{path}` cannot be removed as a whole.", reason);
    case "path-reassigned":
      return t("`{path}` now names another element, at line {line}. The block is for the one that the model saw under it.", reason);
    case "shared-declaration": {
      const others = reason.others.map((other) => `\`${other}\``).join(", ");
      const facts = { path: reason.path, others };
      return t("`{path}` is declared together with {others}, which would go too. Replace the whole declaration instead.", facts);
    }
    case "overlap":
      return overlapText(reason.targets, t);
    case "repeated-block":
      return t("An earlier block already inserts this there.");
    case "empty-body":
      return t("The block is empty, so there is nothing to insert. To delete, use `remove`.");
    case "unclosed":
      return t("The block was not closed, so it was skipped.");
    case "length-limit":
      return t("The model reached its length limit inside this block, so it was skipped.");
    case "stopped":
    case "broken-off":
      return t("Stopped before this was complete.");
    case "elision":
      return t("Looks like an elision: `{line}`. Not proposed.", reason);
    case "session-replaced":
      return t("Edit mode was turned on again for this file.");
    case "session-ended":
      return t("Edit mode ended before this was proposed.");
    case "turn-ended":
      return block.status === "incomplete" ? t("The turn ended before the block was closed.") : t("The turn ended before the decision.");
    case "window-closed":
      return t("The window was closed or reloaded before the decision.");
    case "edited-meanwhile":
      return t("You edited these lines of the file.");
    case "already-there":
      return t("The file already has this text.");
    case "not-accepted-automatically":
      return block.warnings.length > 0
        ? t("Not accepted automatically.")
        : t("Not accepted automatically, because it adjoins a change with a warning.");
    case "withdrawn":
    case "no-longer-proposed":
      return t("The change was withdrawn before the decision.");
    case "review-closed":
      return t("The review was closed before the decision.");
    case "file-gone":
      return t("The file was deleted or moved away during the review.");
    case "deletion-proposed":
      return t("The file is proposed to be deleted.");
    case "file-changed":
      return t("The file changed after this was proposed.");
    case "not-saved":
      return t("Accepted, not saved. The file lost the change, so it is pending again.");
    case "partly-accepted":
      return t("{accepted} of {hunks} hunks accepted.", reason);
    case "write-failed":
      return fileErrorMessage(reason.error, t);
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
      return t("You edited this element while the model wrote.");
    case "never-read":
      return warning.forgotten
        ? t("Graft no longer knows whether the model read this text.")
        : t("The model did not read the text that this replaces.");
    case "repeats-line":
      return t("Fits the line next to its lines: `{line}`. It may be for other lines.", warning);
    case "unchecked-end":
      return t("No check confirms which lines it is for.");
    case "whitespace":
      return t("Its white space differs from the lines around it: `{line}`.", warning);
    case "cuts-brackets":
      return t("Leaves a bracket or comment without its other end. It may be for other lines.");
    case "cuts-element":
      return t("Cuts `{path}` in two. It may be for other lines.", warning);
    case "typo":
      return t("Writes `{word}` where the file has `{known}`. It may be a typo.", warning);
    case "loses-element":
      return t("Replaces `{path}` with something else.", warning);
    case "doubles-element":
      return t("Adds a second `{path}`.", warning);
    case "loses-members":
      return t("Drops {names} from `{path}`.", { path: warning.path, names: warning.names.map((name) => `\`${name}\``).join(", ") });
    case "loses-head":
      return t("Drops `{lost}` from the declaration.", warning);
    case "doubles-comment":
      return t("May repeat a comment: `{line}`.", warning);
    case "doubles-lines":
      return t("Adds lines that are already there: `{line}`.", warning);
  }
}

/** All warnings in one text; null without any. */
export function warningsText(warnings: readonly BlockWarning[], t: Localize): string | null {
  return warnings.length === 0 ? null : warnings.map((warning) => warningText(warning, t)).join(" ");
}

/** How the parameter of the session was given. */
export function parameterText(useLineNumbers: boolean | null): string {
  return useLineNumbers === null ? "use_line_numbers not set" : `use_line_numbers=${useLineNumbers}`;
}

/** Three lines: what was ignored, the active mode, the required format. */
function mismatchNotice(target: string, reason: BlockReason & { code: "mode-mismatch" }, t: Localize): string {
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
  const facts = { targets: capitalized(targets.slice(0, -1).join(", ")), last: targets.at(-1) ?? "" };
  return t("{targets} and {last} overlap. All of them were skipped.", facts);
}

/** What there was, after words that say so, and what there is now. */
export function changedText(said: string, { before, now }: Readonly<Record<"before" | "now", Excerpt>>, t: Localize): string {
  return [said, excerptText(before, t), t("Now there is:"), excerptText(now, t)].join("\n");
}

/** The first lines of a text, indented. */
function excerptText({ lines, more }: Excerpt, t: Localize): string {
  const shown = lines.length > 0 ? lines : [t("(nothing)")];
  const rest = more > 0 ? [t("… {count} more", { count: more })] : [];
  return [...shown, ...rest].map((line) => `  ${line}`).join("\n");
}

/** The same with line numbers. */
export function numberedExcerpt({ first, lines }: { readonly first: number; readonly lines: Excerpt }, t: Localize): string {
  return excerptText({ ...lines, lines: lines.lines.map((line, index) => `${first + index}\t${line}`) }, t);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
