import * as vscode from "vscode";
import { t, wordsLanguage } from "../localize.ts";
import type { PostToPanel } from "./chatBridge.ts";
import { ASKS_MS, PanelWatch } from "./panelWatch.ts";
import type { ShowBadge } from "./pendingIndicators.ts";

/** The host's side of a connected panel. */
export interface PanelConnection {
  /** Handles a message from the panel. */
  receive(message: unknown): void;
  /** Asks the panel for a sign of life. */
  ping(): void;
  /**
   * The panel is hidden or closed, which destroys its document. It says `ready` when it is shown
   * again.
   */
  hide(): void;
}

/** Connects a panel to its chat. `post` sends it a message without waiting. */
export type ConnectPanel = (post: PostToPanel) => Promise<PanelConnection>;

/** Where a panel's page is: a view or a tab. */
export interface PanelPlace {
  readonly webview: vscode.Webview;
  readonly visible: boolean;
  onDidDispose(listener: () => void): vscode.Disposable;
}

/** A panel's page; `kept` names what it keeps over a reload, apart from what other pages keep. */
interface PanelPage {
  readonly kind: "view" | "tab";
  readonly kept: string;
}

/** The ID of the view in package.json. */
export const CHAT_VIEW = "graft.chat";

/**
 * The chat view. Hiding it destroys its document, which asks for a snapshot when it is shown again.
 */
export function createChatView(
  extensionUri: vscode.Uri,
  connect: (post: PostToPanel, showBadge: ShowBadge) => Promise<PanelConnection>,
): vscode.WebviewViewProvider {
  return {
    async resolveWebviewView(view) {
      let ended = false;
      view.onDidDispose(() => {
        ended = true;
      });
      const showBadge: ShowBadge = (badge) => {
        if (!ended) view.badge = badge;
      };
      const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
      const opened = workspaceFile ? [workspaceFile] : workspaceFolders.map(({ uri }) => uri);
      const page = { kind: "view", kept: opened.join(" ") } as const;
      const connection = showPanel(view, extensionUri, page, (post) => connect(post, showBadge));
      view.onDidChangeVisibility(async () => {
        if (!view.visible) (await connection).hide();
      });
      await connection;
    },
  };
}

/**
 * Shows the panel's page in `place`, and connects it until that is gone. The caller hides it where
 * `place` is no longer visible.
 */
export function showPanel(
  place: PanelPlace,
  extensionUri: vscode.Uri,
  page: PanelPage,
  connect: ConnectPanel,
): Promise<PanelConnection> {
  const { webview } = place;
  const dist = vscode.Uri.joinPath(extensionUri, "dist", "webview");
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  let ended = false;
  const connection = connect((message) => {
    if (!ended) void webview.postMessage(message);
  });
  const offerReload = async () => {
    const reload = t("Reload chat");
    const chosen = await vscode.window.showWarningMessage(
      t("The Graft chat has not answered for half a minute."),
      reload,
    );
    if (chosen !== reload || ended) return;
    (await connection).hide();
    // A new nonce makes the HTML differ, so the page reloads.
    webview.html = chatHtml(webview, dist, page);
    watch.answered();
  };
  const watch = new PanelWatch(
    () => place.visible,
    async () => (await connection).ping(),
    offerReload,
  );
  const watching = setInterval(() => watch.tick(), ASKS_MS);
  webview.onDidReceiveMessage(async (message: unknown) => {
    watch.answered();
    (await connection).receive(message);
  });
  place.onDidDispose(async () => {
    ended = true;
    clearInterval(watching);
    (await connection).hide();
  });
  webview.html = chatHtml(webview, dist, page);
  return connection;
}

/**
 * The HTML of the page. It loads only its own styles, and its own scripts with this page's nonce.
 */
function chatHtml(webview: vscode.Webview, dist: vscode.Uri, { kind, kept }: PanelPage): string {
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  const source = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  // In a script element, only "<" could end it.
  const translations = JSON.stringify(vscode.l10n.bundle ?? {}).replaceAll("<", "\\u003c");
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    `img-src ${webview.cspSource} data:`,
    `font-src ${webview.cspSource}`,
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${wordsLanguage()}">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1.0">
  <meta property="csp-nonce" content="${nonce}">
  <link rel="stylesheet" href="${source("style.css")}" nonce="${nonce}">
  <title>Graft</title>
</head>
<body data-place="${kind}" data-kept="${encodeURIComponent(kept)}" data-scripts="${webview.asWebviewUri(dist)}">
  <main id="root"></main>
  <script type="application/json" nonce="${nonce}" id="l10n">${translations}</script>
  <script nonce="${nonce}" src="${source("main.js")}"></script>
</body>
</html>`;
}
