import * as vscode from "vscode";
import type { Result } from "../base/result.ts";
import { isGuestChat, isImportedChat } from "../ports/outsideChat.ts";
import type { FileRef } from "../ports/workspace.ts";
import type { App } from "./app.ts";
import { editorCommands } from "./context/editorCommands.ts";
import { t } from "./localize.ts";
import { type StartProblem, startProblemMessage } from "./messages.ts";
import { chooseAgentOption } from "./models/chooseAgentOption.ts";
import type { ChatTabs } from "./panel/chatTabs.ts";
import { OVERWRITE } from "./preview/hunkLenses.ts";
import type { EditTargetProblem } from "./workspace/editTarget.ts";

type AppCommand = (graft: App, ...args: readonly unknown[]) => unknown;

/** Registers the commands of package.json. `graft` builds the app on first use. */
export function registerCommands(graft: () => Promise<App>, tabs: ChatTabs): vscode.Disposable {
  const commands: Record<string, AppCommand> = {
    "graft.startEditMode": startEditMode,
    "graft.openChat": focusChat,
    "graft.newChat": newChat,
    ...editorCommands(focusChat),
    ...commandsForChats(tabs),
    "graft.stop": (graft) => graft.stop(graft.chat.chatId),
    "graft.talk": ({ voice }) => voice.talk(),
    "graft.hush": ({ voice }) => voice.act("hush"),
    "graft.closeMicrophone": ({ voice }) => voice.act("close"),
    "graft.showPermissions": (graft) => graft.showPermissions(),
    "graft.showLearned": (graft) => graft.showLearned(),
    "graft.diagnose": (graft) => graft.diagnose(),
    ...choosing,
    "graft.addConnection": ({ models }) => models.add(),
    "graft.testConnection": ({ models }) => models.test(),
    "graft.testEdits": (graft) => graft.testEdits(),
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
    ...running,
    ...sharing,
    "graft.restoreFiles": ({ restore }, turnId, path) =>
      restore.restoreFiles(stringOrNone(turnId) ?? null, stringOrNone(path) ?? null),
    "graft.chooseCheck": ({ checks, chat }) => checks.act("choose", chat),
    "graft.runCheck": ({ checks, chat }) => checks.act("run", chat),
    "graft.findBreakingChange": ({ checks, chat }) => checks.act("find", chat),
    "graft.fixNewErrors": ({ newProblems }) => newProblems.fix(),
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([id, run]) =>
      vscode.commands.registerCommand(id, async (...args: readonly unknown[]) =>
        run(await graft(), ...args),
      ),
    ),
  );
}

/** Who answers, and how. */
const choosing: Readonly<Record<string, (graft: App, given: unknown) => unknown>> = {
  "graft.chooseModel": ({ models }, given) => models.choose(given),
  "graft.chooseMode": async ({ chat, agents }) =>
    (await import("./chats/chooseMode.ts")).chooseMode(chat, agents.all),
  "graft.chooseAgentOption": ({ chat }) => chooseAgentOption(chat),
  "graft.chooseEffort": ({ models }) => models.chooseEffort(),
  "graft.sendToModels": (graft) => graft.sendDraftToModels(),
};

/** What runs in the background. */
const running: Record<string, AppCommand> = {
  "graft.stopBackgroundCommand": (graft) => graft.chooseCommandToStop(),
};

/** Proposals as files; the rest of it loads on use. */
const sharing: Record<string, AppCommand> = {
  "graft.exportProposals": async (graft) =>
    (await import("./preview/exportProposals.ts")).exportProposals(graft.sharing),
  "graft.importProposals": async (graft, file) =>
    (await import("./preview/importProposals.ts")).importProposals(
      graft.sharing,
      file instanceof vscode.Uri ? file : undefined,
    ),
};

/** What can be done with a chat, by default with the one shown. */
function commandsForChats(tabs: ChatTabs): Record<string, AppCommand> {
  return {
    "graft.openEarlierChat": ({ chatCommands }, chatId) =>
      chatCommands.openChat(stringOrNone(chatId)),
    "graft.openChatInEditor": (app, chatId) =>
      tabs.open(app, stringOrNone(chatId) ?? app.chats.shown.chatId),
    "graft.searchChats": ({ bridge, chatCommands }, words) =>
      chatCommands.search((found) => bridge.find(found), stringOrNone(words)),
    "graft.renameChat": ({ chatCommands }, chatId, title) =>
      chatCommands.rename(stringOrNone(chatId), stringOrNone(title)),
    "graft.deleteChat": ({ chatCommands }, chatId) => chatCommands.remove(stringOrNone(chatId)),
    "graft.exportChat": ({ chatCommands }, chatId, format) =>
      chatCommands.export(stringOrNone(chatId), stringOrNone(format)),
  };
}

async function focusChat(graft: App): Promise<void> {
  await vscode.commands.executeCommand("graft.chat.focus");
  graft.bridge.focusComposer();
}

async function changeHunk(graft: App, target: unknown, hunkId: unknown): Promise<void> {
  const { commands } = graft.preview;
  const block = asBlock(target);
  const asked = await (block
    ? commands.askForBlockChange(block.turnId, block.blockId)
    : commands.askForChange(asFile(target), stringOrNone(hunkId)));
  if (asked === null) return;
  const chat = (await chatToChange(graft, asked.chatId)) ?? graft.chat;
  if (chat === graft.chats.shown) await focusChat(graft);
  graft.run("Sending", chat.send(asked.request));
}

/**
 * The chat that proposed something, which is shown for its answer; null where none did, or it cannot
 * be opened, which is told.
 */
async function chatToChange({ chats, chatCommands }: App, chatId: string | null) {
  if (chatId === null || isGuestChat(chatId) || isImportedChat(chatId)) return null;
  if (!chats.isVisible(chatId)) await chatCommands.openChat(chatId);
  return chats.find(chatId);
}

async function newChat(graft: App): Promise<void> {
  await graft.chats.startNew();
  await focusChat(graft);
}

/**
 * Starts edit mode on a menu's file, a path, or the active editor's file. `given` is the
 * instruction if it is text, because a menu passes other selected files there. Otherwise asks the
 * user. `attached` is added to the message. A panel names its chat, which must be open. Settles with
 * the reason if nothing was started.
 */
async function startEditMode(
  graft: App,
  target: unknown,
  given: unknown,
  attached: unknown,
  chatId: unknown,
): Promise<StartProblem["code"] | undefined> {
  const named = stringOrNone(chatId);
  const chat = named === undefined ? graft.chat : graft.chats.find(named);
  if (!chat || chat.busy) return refuseStart({ code: "busy" });
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
  if (named === undefined) await focusChat(graft);
  graft.run("Start Edit Mode on File", chat.startEditMode(path, instruction.trim(), refs));
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
