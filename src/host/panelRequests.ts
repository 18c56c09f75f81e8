import * as vscode from "vscode";
import type { ChatBridge } from "./chatBridge.ts";
import { openGraftSettings } from "./configuration.ts";
import type { Graft } from "./graft.ts";
import type { PanelApproval } from "./panelApproval.ts";
import { followableLink, type PanelHandlers } from "./panelMessages.ts";

/** What the panel's messages do in the editor. */
export function createPanelHandlers(graft: Graft, bridge: ChatBridge, approval: PanelApproval): PanelHandlers {
  return {
    ready: ({ chatId, lastSeq }) => bridge.ready(chatId, lastSeq),
    send: ({ text }) => graft.run("Sending", graft.chat.send(text)),
    stop: () => graft.chat.stop(),
    "new-chat": () => graft.startNewChat(),
    retry: ({ turnId }) => graft.run("Retrying", graft.chat.retry(turnId)),
    "open-file": ({ path, line }) => openFile(graft, path, line),
    "show-proposal": async ({ path }) => void (await graft.preview.show(path)),
    "accept-file": async ({ path }) => void (await withFile(graft, path, (uri) => graft.preview.acceptFile(uri))),
    "reject-file": async ({ path }) => void (await withFile(graft, path, (uri) => graft.preview.rejectFile(uri))),
    approve: ({ callId, allowed }) => approval.answer(callId, allowed),
    "set-api-key": () => graft.askApiKey(),
    "open-settings": () => openGraftSettings(),
    "manage-trust": async () => void (await vscode.commands.executeCommand("workbench.trust.manage")),
    copy: async ({ text }) => void (await vscode.env.clipboard.writeText(text)),
    "open-link": ({ url }) => openLink(url),
  };
}

async function openFile(graft: Graft, path: string, line: number | null): Promise<void> {
  await withFile(graft, path, async (uri) => {
    const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
    const selection = line === null ? {} : { selection: new vscode.Range(position, position) };
    try {
      await vscode.window.showTextDocument(uri, { preview: true, ...selection });
    } catch {
      void vscode.window.showErrorMessage(`${path} cannot be opened. It may have been deleted or is not a text file.`);
    }
  });
}

/** Hands on the URI of a path that came from the panel once it is proven to lie in the workspace; else tells the user why not. */
async function withFile(graft: Graft, path: string, use: (uri: vscode.Uri) => unknown): Promise<void> {
  const file = await graft.workspace.resolve(path);
  if (file.ok) await use(vscode.Uri.parse(file.value.uri, true));
  else void vscode.window.showErrorMessage(file.error.message);
}

async function openLink(url: string): Promise<void> {
  const link = followableLink(url);
  if (link === null) void vscode.window.showWarningMessage("Only http and https links are followed.");
  else await vscode.env.openExternal(vscode.Uri.parse(link, true));
}
