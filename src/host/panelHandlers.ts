import * as vscode from "vscode";
import { heldFailureText } from "../edits/messages.ts";
import type { ChatBridge } from "./chatBridge.ts";
import { openGraftSettings } from "./configuration.ts";
import type { Graft } from "./graft.ts";
import { t } from "./localize.ts";
import type { PanelApproval } from "./panelApproval.ts";
import { followableLink, type PanelHandlers } from "./panelMessages.ts";
import type { PanelQuestion } from "./panelQuestion.ts";

/** What the panel's messages do in the editor. */
export function createPanelHandlers(graft: Graft, bridge: ChatBridge, approval: PanelApproval, question: PanelQuestion): PanelHandlers {
  return {
    ready: ({ chatId, lastSeq }) => bridge.ready(chatId, lastSeq),
    send: ({ text }) => graft.run("Sending", graft.chat.send(text)),
    unqueue: ({ id, edit }) => {
      const text = graft.chat.unqueue(id);
      if (edit && text !== null) bridge.compose(text);
    },
    "send-queued": () => graft.run("Sending", graft.chat.sendQueued()),
    resend: ({ turnId, text }) => graft.run("Sending", graft.chat.resend(turnId, text)),
    "show-branch": ({ turnId }) => graft.chat.showBranch(turnId),
    stop: () => graft.chat.stop(),
    "new-chat": () => graft.startNewChat(),
    "open-elsewhere": () => graft.openChatElsewhere(),
    retry: ({ turnId }) => graft.run("Retrying", graft.chat.retry(turnId)),
    "open-file": ({ path, line }) => openFile(graft, path, line),
    "show-proposal": ({ path }) => graft.preview.show(path),
    "accept-file": ({ path }) => graft.preview.acceptFile(path),
    "reject-file": ({ path }) => graft.preview.rejectFile(path),
    "restore-files": async ({ turnId, path }) => void (await graft.restoreFiles(turnId, path)),
    "propose-anyway": ({ turnId, blockId }) => graft.run("Proposing", proposeAnyway(graft, turnId, blockId)),
    answer: ({ callId, values }) => question.answer(callId, values),
    approve: ({ callId, allowed, scope }) => approval.answer(callId, allowed, scope),
    "start-edit-mode": async () => void (await vscode.commands.executeCommand("graft.startEditMode")),
    "set-api-key": () => graft.askApiKey(),
    "open-settings": () => openGraftSettings(),
    "manage-trust": async () => void (await vscode.commands.executeCommand("workbench.trust.manage")),
    copy: async ({ text }) => void (await vscode.env.clipboard.writeText(text)),
    "open-link": ({ url }) => openLink(url),
  };
}

async function proposeAnyway(graft: Graft, turnId: string, blockId: string): Promise<void> {
  const turn = graft.chat.tree.turns.get(turnId);
  const edit = turn?.role === "agent" ? turn.edits.get(blockId) : undefined;
  const waits = edit !== undefined && graft.preview.pendingPaths.includes(edit.path);
  const failure = waits ? null : await graft.chat.proposeHeld(turnId, blockId);
  const problem = waits
    ? `Decide on the other changes to ${edit.path} first; then this one can be proposed.`
    : failure && heldFailureText(failure, t);
  if (problem !== null) void vscode.window.showWarningMessage(problem);
}

async function openFile(graft: Graft, path: string, line: number | null): Promise<void> {
  const file = await graft.workspace.resolve(path);
  if (!file.ok) {
    void vscode.window.showErrorMessage(file.error.message);
    return;
  }
  const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  const selection = line === null ? {} : { selection: new vscode.Range(position, position) };
  try {
    await vscode.window.showTextDocument(vscode.Uri.parse(file.value.uri, true), { preview: true, ...selection });
  } catch {
    void vscode.window.showErrorMessage(`${path} cannot be opened. It may have been deleted, or it is not a text file.`);
  }
}

async function openLink(url: string): Promise<void> {
  const link = followableLink(url);
  if (link === null) void vscode.window.showWarningMessage("Only http and https links are followed.");
  else await vscode.env.openExternal(vscode.Uri.parse(link, true));
}
