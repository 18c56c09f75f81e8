import { visibleLine } from "../../src/base/text/visibleText.ts";
import { reasonText } from "../../src/turns/blockMessages.ts";
import type { EditBlock } from "../../src/turns/editBlock.ts";
import type { ToolCallState } from "../../src/turns/turn.ts";
import { t } from "../l10n.ts";
import { toolLabel } from "../messages.ts";
import type { ShownOperation } from "./editState.ts";

/** What an edit block does and where: `replace lines 3-9`, `insert after Shape-area`. */
export function editAction(edit: Pick<EditBlock, "op" | "target">): string {
  const target = editPlace(edit);
  switch (edit.op) {
    case "replace":
      return t("replace {target}", { target });
    case "before":
      return t("insert before {target}", { target });
    case "after":
      return t("insert after {target}", { target });
    case "with-comment":
      return t("replace with comment {target}", { target });
    case "remove":
      return t("remove {target}", { target });
    case "append":
      return t("append to {target}", { target });
    case "prepend":
      return t("insert at the start of {target}", { target });
    case "complete":
      return t("write {target}", { target });
    case "delete":
      return t("delete the file");
    case "rename":
      return t("rename to {target}", { target });
    case "make-executable":
      return t("make executable");
    case "make-plain":
      return t("make no longer executable");
  }
}

/**
 * A file and what is to become of all of it: `old.ts → new.ts`, `Delete old.ts`; the new path in
 * full where it is in another folder.
 */
export function operationText(file: string, { to, executable }: ShownOperation): string {
  if (executable !== undefined)
    return executable
      ? t("Make {file} executable", { file })
      : t("Make {file} no longer executable", { file });
  if (to === null) return t("Delete {file}", { file });
  return t("{file} → {to}", { file, to });
}

/**
 * What an edit block changes, as short as possible: `Shape-area`, `lines 3-9`, `remove Shape-area`.
 */
export function editName(edit: Pick<EditBlock, "op" | "target">): string {
  const { op } = edit;
  return op === "replace" || op === "with-comment" || op === "complete"
    ? editPlace(edit)
    : editAction(edit);
}

/**
 * Why an edit block is in its state, with the user's reason for rejecting it; null where the state
 * says it all.
 */
export function decisionNote(
  edit: Pick<EditBlock, "target" | "status" | "reason" | "warnings" | "rejection">,
): string | null {
  const reason = reasonText(edit, t);
  const isFaulty = edit.status === "refused" || edit.status === "ignored";
  const notes = [
    reason,
    isFaulty && reason !== null ? t("Graft tells the model, which can try again.") : null,
    edit.rejection === undefined ? null : t("Your reason: {reason}", { reason: edit.rejection }),
  ];
  const isLong = reason?.includes("\n") ?? false;
  return notes.filter((note) => note !== null).join(isLong ? "\n" : " ") || null;
}

/** The address of an edit block without its syntax: `lines 3-9`, `line 4`, `Shape-area`. */
function editPlace({ target }: Pick<EditBlock, "target">): string {
  return visibleLine(target)
    .replace(/^ast-path:/, "")
    .replace(/^lines (\d+)-\1$/, "line $1");
}

const allowLabels = new Map([
  ["delete_file", t("Delete")],
  ["create_file", t("Create")],
  ["rename_file", t("Rename")],
  ["copy_file", t("Copy")],
  ["git_commit", t("Commit")],
  ["run_command", t("Run")],
  ["open_file", t("Open")],
]);

/** The button that allows a tool's call, and the one that denies it. */
export function allowLabel(tool: string): string {
  return allowLabels.get(tool) ?? t("Allow");
}

export function denyLabel(tool: string): string {
  return tool === "delete_file" ? t("Keep") : t("Deny");
}

/** A question that the model put to the user, in one line. */
export function modelAsks(question: string): string {
  return t("The model asks: {question}", { question });
}

/** What a call is shown with, besides its question. */
export function argumentsLabel(tool: string): string {
  if (tool === "create_file") return t("Content");
  return tool === "fetch_url" || tool === "open_file" ? t("Address") : t("Arguments");
}

/** What a permission covers when it is given for longer than one call. */
export function permissionCovers(
  call: Pick<ToolCallState, "name" | "origin">,
  isCommand: boolean,
  server: string | null,
  host: string | null = null,
): string {
  if (host !== null) return t("all pages of {host}", { host });
  if (server !== null) return t("all read-only tools of {server}", { server });
  return isCommand ? t("this exact command") : toolLabel(call);
}

/** Names the button that allows `what` for longer than one call. */
export function alwaysAllow(
  what: string,
  scope: "turn" | "session" | "chat" | "workspace",
): string {
  if (scope === "turn") return t("Allow {what} in this turn", { what });
  if (scope === "chat") return t("Allow {what} in this chat", { what });
  return scope === "session"
    ? t("Allow {what} in this session", { what })
    : t("Allow {what} in this workspace", { what });
}
