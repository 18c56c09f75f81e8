import * as vscode from "vscode";
import type { Chat } from "../agent/chat/chat.ts";
import { sentence } from "../base/text/sentence.ts";
import type { App } from "./app.ts";
import { registerCommands } from "./commands.ts";
import { registerFixAction } from "./context/fixAction.ts";
import { t } from "./localize.ts";
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
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, view, {
      webviewOptions: { retainContextWhenHidden: false },
    }),
    registerCommands(graft),
    registerFixAction(),
  );
  // A reloaded window restores proposal tabs under outdated names.
  void closeProposalTabs(() => true);
  void vscode.window.tabGroups.close(multiDiffTabs());
  // What is pending is shown at once; nothing else waits for the app.
  void hasPending(context).then((pending) => (pending ? graft() : null));
  const { version }: { version: string } = context.extension.packageJSON;
  return {
    version,
    activationMs: performance.now() - started,
    chat: async () => (await graft()).chat,
  };
}

/** Stops the running turn and saves the history before the window closes. */
export async function deactivate(): Promise<void> {
  await (await composed)?.dispose();
}

async function build(context: vscode.ExtensionContext, platform: Platform): Promise<App> {
  const { compose } = await import("./composition.ts");
  return compose(context, platform);
}
