import * as vscode from "vscode";
import type { Chat } from "../agent/chat/chat.ts";
import { sentence } from "../base/text/sentence.ts";
import type { App } from "./app.ts";
import { registerCommands } from "./commands.ts";
import { registerFixAction } from "./context/fixAction.ts";
import { registerLanguageModelTools } from "./guests/languageModelTools.ts";
import { registerMcpDefinition } from "./guests/mcpDefinition.ts";
import { openGuestDoor } from "./guests/openGuestDoor.ts";
import { t } from "./localize.ts";
import { registerSharedModels } from "./models/registerSharedModels.ts";
import { createChatTabs } from "./panel/chatTabs.ts";
import { CHAT_VIEW, createChatView } from "./panel/chatView.ts";
import type { Platform } from "./platform.ts";
import { closeProposalTabs, multiDiffTabs } from "./preview/diffTabs.ts";
import { hasPending } from "./storage/proposalsFolder.ts";

/** The API that the extension exports to other extensions and to tests. */
export interface GraftApi {
  readonly version: string;
  /** The duration of `activate`, in milliseconds. */
  readonly activationMs: number;
  /** The chat shown in the panel. The first call builds the app. */
  chat(): Promise<Chat>;
}

let composed: Promise<App> | null = null;

/** Registers the view and the commands. Builds the app when one of them is first used. */
export function activateGraft(context: vscode.ExtensionContext, platform: Platform): GraftApi {
  const started = performance.now();
  composed = null;
  const graft = () => {
    composed ??= build(context, platform).catch((error: unknown) => {
      composed = null;
      void vscode.window.showErrorMessage(
        t("Graft could not start: {reason}", { reason: sentence(error) }),
      );
      throw error;
    });
    return composed;
  };
  const view = createChatView(context.extensionUri, async (post, showBadge) =>
    (await graft()).connectPanel(post, showBadge),
  );
  const tabs = createChatTabs(context.extensionUri, graft);
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, view, {
      webviewOptions: { retainContextWhenHidden: false },
    }),
    tabs,
    registerCommands(graft, tabs),
    registerFixAction(),
    registerLanguageModelTools(graft),
    registerSharedModels(graft),
  );
  // A reloaded window restores proposal tabs under outdated names.
  void closeProposalTabs(() => true);
  void vscode.window.tabGroups.close(multiDiffTabs());
  // What is pending is shown at once; nothing else waits for the app.
  void hasPending(context).then((pending) => (pending ? graft() : null));
  context.subscriptions.push(openWhereCompleting(graft));
  const { agents: serve } = platform;
  if (serve) {
    const failed = (error: unknown) => console.error(`Graft listens for no agents: ${error}`);
    context.subscriptions.push(
      openGuestDoor(
        serve.guests,
        async (hello, folder) => (await graft()).guests.welcome(hello, folder),
        failed,
      ),
      registerMcpDefinition(context, serve.node),
    );
  }
  const { version }: { version: string } = context.extension.packageJSON;
  return {
    version,
    activationMs: performance.now() - started,
    chat: async () => (await graft()).chat,
  };
}

/** Builds the app where code is to be completed, be it from now on: that begins with a key press. */
function openWhereCompleting(graft: () => Promise<unknown>): vscode.Disposable {
  const name = "graft.completions.model";
  const open = () => {
    if (vscode.workspace.getConfiguration().get(name)) void graft().catch(() => undefined);
  };
  open();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(name)) open();
  });
}

/** Stops the running turn and saves the history before the window closes. */
export async function deactivate(): Promise<void> {
  await (await composed)?.dispose();
}

async function build(context: vscode.ExtensionContext, platform: Platform): Promise<App> {
  const { compose } = await import("./composition.ts");
  return compose(context, platform);
}
