import * as vscode from "vscode";
import type { Result } from "../base/result.ts";
import type { FileRef } from "../ports/workspace.ts";
import type { App } from "./app.ts";
import { editorCommands } from "./context/editorCommands.ts";
import { t } from "./localize.ts";
import { type StartProblem, startProblemMessage } from "./messages.ts";
import { OVERWRITE } from "./preview/hunkLenses.ts";
import type { EditTargetProblem } from "./workspace/editTarget.ts";

/** Registers the commands of package.json. `graft` builds the app on first use. */
export function registerCommands(graft: () => Promise<App>): vscode.Disposable {
  const commands: Record<string, (graft: App, ...args: readonly unknown[]) => unknown> = {
    "graft.startEditMode": startEditMode,
    "graft.openChat": focusChat,
    "graft.newChat": newChat,
    ...editorCommands(focusChat),
    "graft.openEarlierChat": ({ chatCommands }, chatId) => chatCommands.open(stringOrNone(chatId)),
    "graft.renameChat": ({ chatCommands }, chatId, title) =>
      chatCommands.rename(stringOrNone(chatId), stringOrNone(title)),
    "graft.deleteChat": ({ chatCommands }, chatId) => chatCommands.remove(stringOrNone(chatId)),
    "graft.exportChat": ({ chatCommands }, chatId, format) =>
      chatCommands.export(stringOrNone(chatId), stringOrNone(format)),
    "graft.stop": (graft) => graft.stop(),
    "graft.talk": ({ voice }) => voice.talk(),
    "graft.hush": ({ voice }) => voice.act("hush"),
    "graft.closeMicrophone": ({ voice }) => voice.act("close"),
    "graft.showPermissions": (graft) => graft.showPermissions(),
    "graft.showLearned": (graft) => graft.showLearned(),
    "graft.diagnose": (graft) => graft.diagnose(),
    "graft.chooseModel": ({ models }, given) => models.choose(given),
    "graft.addConnection": ({ models }) => models.add(),
    "graft.testConnection": ({ models }) => models.test(),
    "graft.setApiKey": ({ models }) => models.setKey(),
    "graft.clearApiKey": ({ models }) => models.clearKey(),
    "graft.acceptHunk": ({ preview }, file, hunkId, conflict) =>
      preview.commands.acceptHunk(asFile(file), stringOrNone(hunkId), conflict === OVERWRITE),
    "graft.rejectHunk": ({ preview }, file, hunkId) =>
      preview.commands.rejectHunk(asFile(file), stringOrNone(hunkId)),
    "graft.rejectHunkWithReason": ({ preview }, target, hunkId) => {
      const block = asBlock(target);
      if (block) return preview.commands.rejectBlock(block.turnId, block.blockId, true);
      return preview.commands.rejectHunk(asFile(target), stringOrNone(hunkId), true);
    },
    "graft.changeHunk": changeHunk,
    "graft.acceptFile": ({ preview }, file) => preview.commands.acceptFile(asFile(file)),
    "graft.rejectFile": ({ preview }, file) => preview.commands.rejectFile(asFile(file)),
    "graft.acceptAll": ({ preview }) => preview.commands.acceptAll(),
    "graft.rejectAll": ({ preview }) => preview.commands.rejectAll(),
    "graft.nextChange": ({ preview }) => preview.commands.step("next"),
    "graft.previousChange": ({ preview }) => preview.commands.step("previous"),
    "graft.showProposals": ({ preview }, file, hunkId) =>
      preview.commands.show(asFile(file), stringOrNone(hunkId)),
    "graft.reviewAll": ({ preview }) => preview.commands.reviewAll(),
    "graft.restoreFiles": ({ restore }, turnId, path) =>
      restore.restoreFiles(stringOrNone(turnId) ?? null, stringOrNone(path) ?? null),
    "graft.chooseCheck": ({ checks }) => checks.act("choose"),
    "graft.runCheck": ({ checks }) => checks.act("run"),
    "graft.findBreakingChange": ({ checks }) => checks.act("find"),
    "graft.fixNewErrors": ({ newProblems }) => newProblems.fix(),
    "graft.keepChanges": ({ applied }, ...resources) => applied.keep(asResources(resources)),
    "graft.restoreChanges": ({ restore }, ...resources) =>
      restore.restoreApplied(asResources(resources)),
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([id, run]) =>
      vscode.commands.registerCommand(id, async (...args: readonly unknown[]) =>
        run(await graft(), ...args),
      ),
    ),
  );
}

async function focusChat(graft: App): Promise<void> {
  await vscode.commands.executeCommand("graft.chat.focus");
  graft.bridge.focusComposer();
}

async function changeHunk(graft: App, target: unknown, hunkId: unknown): Promise<void> {
  const { commands } = graft.preview;
  const block = asBlock(target);
  const request = await (block
    ? commands.askForBlockChange(block.turnId, block.blockId)
    : commands.askForChange(asFile(target), stringOrNone(hunkId)));
  if (request === null) return;
  await focusChat(graft);
  graft.run("Sending", graft.chat.send(request));
}

async function newChat(graft: App): Promise<void> {
  await graft.chats.startNew();
  await focusChat(graft);
}

/**
 * Starts edit mode on a menu's file, a path, or the active editor's file. `given` is the
 * instruction if it is text, because a menu passes other selected files there. Otherwise asks the
 * user. `attached` is added to the message. Settles with the reason if nothing was started.
 */
async function startEditMode(
  graft: App,
  target: unknown,
  given: unknown,
  attached: unknown,
): Promise<StartProblem["code"] | undefined> {
  if (graft.chat.busy) return refuseStart({ code: "busy" });
  const { findEditTarget } = await import("./workspace/editTarget.ts");
  const found = await findEditTarget(target, graft.workspace);
  const file =
    found.ok || found.error.code !== "no-file" || given !== undefined
      ? found
      : await browseForFile(graft);
  if (file === null) return undefined;
  if (!file.ok) return refuseStart(file.error);
  const { path } = file.value;
  const instruction = typeof given === "string" ? given : await askInstruction(path);
  if (instruction === undefined) return undefined;
  if (instruction.trim() === "") return refuseStart({ code: "no-instruction" });
  const { attachmentRefsSchema } = await import("../turns/attachment.ts");
  const refs = attachmentRefsSchema.safeParse(attached).data ?? [];
  await focusChat(graft);
  graft.run("Start Edit Mode on File", graft.chat.startEditMode(path, instruction.trim(), refs));
  return undefined;
}

/** Lets the user pick a file if none is open. Null if they cancel. */
async function browseForFile({
  workspace,
}: App): Promise<Result<FileRef, EditTargetProblem> | null> {
  const { findEditTarget } = await import("./workspace/editTarget.ts");
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const picked = await vscode.window.showOpenDialog({
    title: t("Graft: choose the file to edit"),
    ...(folder && { defaultUri: folder.uri }),
  });
  return picked?.[0] ? findEditTarget(picked[0], workspace) : null;
}

function askInstruction(path: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t("Graft: edit {path}", { path }),
    prompt: t("What should change? Nothing changes until you accept."),
    placeHolder: t("Add a doc comment to each exported function"),
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === "" ? startProblemMessage(t, { code: "no-instruction" }) : null,
  });
}

function refuseStart(problem: StartProblem): StartProblem["code"] {
  void vscode.window.showErrorMessage(startProblemMessage(t, problem));
  return problem.code;
}

/**
 * A CodeLens passes text, and an editor menu passes the URI of its document. A proposal's URI
 * stands for the active diff.
 */
function asFile(value: unknown): string | undefined {
  if (value instanceof vscode.Uri)
    return value.scheme.startsWith("graft-proposal") ? undefined : value.toString();
  return stringOrNone(value);
}

/**
 * The files that the Source Control view passes. Undefined, which means all files, for a group or
 * nothing.
 */
function asResources(values: readonly unknown[]): readonly vscode.Uri[] | undefined {
  const uris = values.flatMap((value) =>
    typeof value === "object" &&
    value !== null &&
    "resourceUri" in value &&
    value.resourceUri instanceof vscode.Uri
      ? [value.resourceUri]
      : [],
  );
  return uris.length > 0 ? uris : undefined;
}

/** The block of a row in the panel, from the data of its context menu. */
function asBlock(value: unknown): { readonly turnId: string; readonly blockId: string } | null {
  if (typeof value !== "object" || value === null || !("turnId" in value) || !("blockId" in value))
    return null;
  const { turnId, blockId } = value;
  return typeof turnId === "string" && typeof blockId === "string" ? { turnId, blockId } : null;
}

function stringOrNone(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
