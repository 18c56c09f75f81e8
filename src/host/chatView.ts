import * as vscode from "vscode";
import type { Disposable } from "../base/disposable.ts";
import type { HostMessage } from "../protocol/messages.ts";

/** The panel's document while it exists. */
export interface Panel {
  /** Sends a message without waiting. */
  post(message: HostMessage): void;
  /** Receives every message from the panel, including those sent before the call. */
  listen(listener: (message: unknown) => void): void;
  /** Called when the panel is hidden, which destroys its document. It says `ready` when it is shown again. */
  onHidden(listener: () => void): void;
}

/** Connects a panel to the chat; the result is disposed of with the view. */
export type ConnectPanel = (panel: Panel) => Promise<Disposable>;

/** The view `graft.chat`. Hiding it destroys its document; when shown again it asks for everything. */
export class ChatView implements vscode.WebviewViewProvider {
  static readonly id = "graft.chat";
  private readonly extensionUri: vscode.Uri;
  private readonly connect: ConnectPanel;

  constructor(extensionUri: vscode.Uri, connect: ConnectPanel) {
    this.extensionUri = extensionUri;
    this.connect = connect;
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    const dist = vscode.Uri.joinPath(this.extensionUri, "dist", "webview");
    view.webview.options = { enableScripts: true, localResourceRoots: [dist] };
    const early: unknown[] = [];
    let deliver = (message: unknown) => {
      early.push(message);
    };
    let hidden = () => {};
    const subscriptions = [
      view.webview.onDidReceiveMessage((message: unknown) => deliver(message)),
      view.onDidChangeVisibility(() => {
        if (!view.visible) hidden();
      }),
    ];
    let ended = false;
    view.onDidDispose(() => {
      ended = true;
      for (const subscription of subscriptions) subscription.dispose();
    });
    view.webview.html = chatHtml(view.webview, dist);
    const connection = await this.connect({
      post: (message) => {
        if (!ended) void view.webview.postMessage(message);
      },
      listen: (listener) => {
        deliver = listener;
        for (const message of early.splice(0)) listener(message);
      },
      onHidden: (listener) => {
        hidden = listener;
      },
    });
    if (ended) connection.dispose();
    else subscriptions.push(connection);
  }
}

/** The page. Only its own scripts and styles load, and scripts only with this page's nonce. */
function chatHtml(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const source = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  // Inside a script element only "<" could end it.
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
<html lang="${vscode.env.language}">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1.0">
  <meta property="csp-nonce" content="${nonce}">
  <link rel="stylesheet" href="${source("style.css")}" nonce="${nonce}">
  <title>Graft</title>
</head>
<body data-highlight-src="${source("highlight.js")}">
  <div id="root"></div>
  <script type="application/json" nonce="${nonce}" id="l10n">${translations}</script>
  <script nonce="${nonce}" src="${source("main.js")}"></script>
</body>
</html>`;
}
