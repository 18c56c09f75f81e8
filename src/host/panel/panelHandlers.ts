import * as vscode from "vscode";
import { guardedFailureText } from "../../edits/messages.ts";
import { fileErrorMessage } from "../../ports/messages.ts";
import type { App } from "../app.ts";
import { t } from "../localize.ts";
import { decisionProblemMessage } from "../preview/messages.ts";
import type { AppliedFile } from "../restore/appliedReview.ts";
import { openGraftSettings } from "../settings/configuration.ts";
import type { PanelApproval } from "./panelApproval.ts";
import { followableLink, type PanelHandlers } from "./panelMessages.ts";
import type { PanelQuestion } from "./panelQuestion.ts";

/** What the panel's messages do in the editor. */
export function createPanelHandlers(graft: App, approval: PanelApproval, question: PanelQuestion): PanelHandlers {
  const { applied, bridge, chats, preview, restore, run } = graft;
  return {
    ready: ({ chatId, lastSeq }) => bridge.ready(chatId, lastSeq),
    send: ({ text }) => run("Sending", graft.chat.send(text)),
    unqueue: ({ id, edit }) => {
      const text = graft.chat.unqueue(id);
      if (edit && text !== null) bridge.compose(text);
    },
    "send-queued": () => run("Sending", graft.chat.sendQueued()),
    resend: ({ turnId, text }) => run("Sending", graft.chat.resend(turnId, text)),
    "show-branch": ({ turnId }) => graft.chat.showBranch(turnId),
    stop: () => graft.chat.stop(),
    "new-chat": async () => void (await chats.startNew()),
    "open-elsewhere": async () => {
      const message = t("The chat is still open in the other window. Close that window, or start a new chat in it.");
      if (!(await chats.openElsewhere())) void vscode.window.showInformationMessage(message);
    },
    retry: ({ turnId }) => run("Retrying", graft.chat.retry(turnId)),
    "open-file": ({ path, line }) => openFile(graft, path, line),
    "show-proposal": ({ path }) => preview.commands.show(path ?? undefined),
    "accept-file": ({ path }) => preview.commands.acceptFile(path),
    "reject-file": ({ path }) => preview.commands.rejectFile(path),
    "accept-block": ({ turnId, blockId, overwrite }) => preview.commands.acceptBlock(turnId, blockId, overwrite),
    "reject-block": ({ turnId, blockId }) => preview.commands.rejectBlock(turnId, blockId),
    "accept-all": () => preview.commands.acceptAll(),
    "reject-all": () => preview.commands.rejectAll(),
    "restore-files": async ({ turnId, path }) => void (await restore.restoreFiles(turnId, path)),
    "propose-anyway": ({ turnId, blockId }) => run("Proposing", proposeAnyway(graft, turnId, blockId)),
    answer: ({ callId, values }) => question.answer(callId, values),
    approve: ({ callId, allowed, scope, acceptAll }) => approval.answer(callId, allowed, scope, acceptAll),
    "start-edit-mode": async () => void (await vscode.commands.executeCommand("graft.startEditMode")),
    "show-changes": async ({ path }) => {
      for (const file of appliedAt(graft, path)) await applied.show(file);
    },
    "keep-changes": ({ path }) => applied.keep(appliedAt(graft, path).map(({ uri }) => uri)),
    "undo-changes": async ({ path }) => void (await restore.restoreApplied(appliedAt(graft, path).map(({ uri }) => uri))),
    "set-api-key": () => graft.askApiKey(),
    "open-settings": () => openGraftSettings(),
    "manage-trust": async () => void (await vscode.commands.executeCommand("workbench.trust.manage")),
    copy: async ({ text }) => void (await vscode.env.clipboard.writeText(text)),
    "open-link": ({ url }) => openLink(url),
  };
}

/** The files with applied changes at `path`, or all. */
function appliedAt({ applied }: App, path: string | null): readonly AppliedFile[] {
  return applied.all.filter((file) => path === null || file.path === path);
}

async function proposeAnyway({ chat, preview }: App, turnId: string, blockId: string): Promise<void> {
  const turn = chat.tree.turns.get(turnId);
  const path = turn?.role === "agent" ? turn.edits.get(blockId)?.path : undefined;
  if (path !== undefined && preview.pendingReviews.some((review) => review.path === path && review.streaming)) {
    void vscode.window.showWarningMessage(decisionProblemMessage(t, { code: "still-streaming" }, path));
    return;
  }
  const failure = await chat.proposeHeld(turnId, blockId);
  if (failure) void vscode.window.showWarningMessage(guardedFailureText(failure, t));
}

async function openFile({ workspace }: App, path: string, line: number | null): Promise<void> {
  const file = await workspace.resolve(path);
  if (!file.ok) {
    void vscode.window.showErrorMessage(fileErrorMessage(file.error, t));
    return;
  }
  const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  const selection = line === null ? {} : { selection: new vscode.Range(position, position) };
  try {
    await vscode.window.showTextDocument(vscode.Uri.parse(file.value.uri, true), { preview: true, ...selection });
  } catch {
    void vscode.window.showErrorMessage(t("Cannot open {path}. It was deleted, or it is not a text file.", { path }));
  }
}

async function openLink(url: string): Promise<void> {
  const link = followableLink(url);
  if (link === null) void vscode.window.showWarningMessage(t("Graft opens only http and https links."));
  else await vscode.env.openExternal(vscode.Uri.parse(link, true));
}
