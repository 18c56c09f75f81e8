import { reasonText } from "../../src/turns/blockMessages.ts";
import { fileCount } from "../../src/turns/messages.ts";
import type { EditBlock } from "../../src/turns/turnEvent.ts";
import { t } from "../l10n.ts";

/** What accepting an edit block does: `Accept Shape-area (2 hunks)`. */
export function acceptText(change: string, hunks: number): string {
  return hunks > 1
    ? t("Accept {change} ({count} hunks)", { change, count: hunks })
    : t("Accept {change}", { change });
}

/** How many files a command changed: `43 files · npm run format`. */
export function changedByCommand(files: number, command: string): string {
  return `${fileCount(t, files)} · ${command}`;
}

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
      return t("prepend to {target}", { target });
    case "complete":
      return t("write {target}", { target });
    case "delete":
      return t("delete the file");
    case "rename":
      return t("rename to {target}", { target });
  }
}

/**
 * A file and what becomes of all of it: `old.ts → new.ts`, `old.ts deleted`; the new path in full
 * where it is in another folder.
 */
export function operationText(file: string, to: string | null): string {
  if (to === null) return t("{file} deleted", { file });
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
  const notes = [
    reasonText(edit, t),
    edit.rejection === undefined ? null : t("Your reason: {reason}", { reason: edit.rejection }),
  ];
  return notes.filter((note) => note !== null).join(" ") || null;
}

/** The address of an edit block without its syntax: `lines 3-9`, `line 4`, `Shape-area`. */
function editPlace({ target }: Pick<EditBlock, "target">): string {
  return target.replace(/^ast-path:/, "").replace(/^lines (\d+)-\1$/, "line $1");
}

const allowLabels = new Map([
  ["delete_file", t("Delete")],
  ["create_file", t("Create")],
  ["rename_file", t("Rename")],
  ["copy_file", t("Copy")],
  ["git_commit", t("Commit")],
  ["run_command", t("Run")],
]);

/** The button that allows a tool's call, and the one that denies it. */
export function allowLabel(tool: string): string {
  return allowLabels.get(tool) ?? t("Allow");
}

export function denyLabel(tool: string): string {
  return tool === "delete_file" ? t("Keep") : t("Deny");
}

/** What a permission covers when it is given for longer than one call. */
export function permissionCovers(tool: string, isCommand: boolean, server: string | null): string {
  if (server !== null) return t("all read-only tools of {server}", { server });
  return isCommand ? t("exactly this command") : tool;
}

/** Names the button that allows `what` for longer than one call. */
export function alwaysAllow(what: string, scope: "turn" | "session" | "workspace"): string {
  if (scope === "turn") return t("Always allow {what} in this turn", { what });
  return scope === "session"
    ? t("Always allow {what} in this session", { what })
    : t("Always allow {what} in this workspace", { what });
}
