import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import * as esbuild from "esbuild";
import type { Browser, BrowserContext, Page } from "playwright-core";
import * as z from "zod/mini";
import { diagramScript, mathStyles } from "../../lazyScripts.mjs";
import {
  type HostMessage,
  type PanelAction,
  type PanelMessage,
  type PanelStatus,
  panelMessageSchema,
} from "../../src/protocol/messages.ts";
import type { TurnEvent } from "../../src/turns/turnEvent.ts";
import { isBuilt } from "../fakes/isBuilt.ts";
import { root } from "../harness/root.mjs";
import { PATIENCE } from "./workbench.ts";

const nonce = "ui-test-nonce";

/** The panel's script, its lazily loaded scripts, style sheets and fonts, by their names. */
export type PanelFiles = ReadonlyMap<
  string,
  { readonly body: Buffer; readonly contentType: string }
>;

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
};

/** The panel as for a release: out of dist, or built here where that is older than the sources. */
export async function buildPanel(): Promise<PanelFiles> {
  const files = new Map<string, { body: Buffer; contentType: string }>();
  const add = (name: string, body: Uint8Array) =>
    files.set(name, {
      body: Buffer.from(body),
      contentType: TYPES[path.extname(name)] ?? "application/octet-stream",
    });
  if (isBuilt("dist/webview/main.js", ["webview", "src"])) {
    const dist = path.join(root, "dist/webview");
    for (const entry of fs.readdirSync(dist, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isFile()) add(path.relative(dist, file), fs.readFileSync(file));
    }
    return files;
  }
  for (const [name, entry, more] of [
    ["main.js", "webview/main.ts", {}],
    ["highlight.js", "webview/highlight.ts", {}],
    ["math.js", "webview/math.ts", {}],
    ["math.css", "webview/styles/math.css", mathStyles],
    ["diagram.js", "webview/diagramFrame.ts", diagramScript],
    ["style.css", "webview/style.css", {}],
  ] as const) {
    const { outputFiles } = await esbuild.build({
      ...more,
      entryPoints: [entry],
      bundle: true,
      minify: true,
      write: false,
      format: "iife",
      target: "es2022",
      legalComments: "none",
      tsconfig: "webview/tsconfig.json",
      outdir: "/",
    });
    for (const { path: file, contents } of outputFiles)
      add(file.endsWith(".woff2") ? file.slice(1) : name, contents);
  }
  return files;
}

type Sent = PanelAction & { readonly type: "send" };

/** What a panel asked, without what names the message and the chat. */
type SentAction = Exclude<PanelAction, Sent> | Omit<Sent, "chatId" | "id">;

/** A status in which everything works. */
export const readyStatus: PanelStatus = {
  busy: false,
  model: "test-model",
  demo: false,
  chosen: true,
  offers: null,
  keyMissing: false,
  behind: [],
  pending: [],
  trusted: true,
  workspace: true,
};

const policy = (origin: string) =>
  [
    "default-src 'none'",
    `style-src ${origin} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    `img-src ${origin} data:`,
    `font-src ${origin}`,
  ].join("; ");

/**
 * `themeStyle` is CSS that sets VS Code's color variables. `l10n` is the page's table of
 * translations.
 */
export interface PanelPageOptions {
  readonly themeStyle?: string;
  readonly bodyClass?: string;
  readonly width?: number;
  readonly height?: number;
  readonly l10n?: Readonly<Record<string, string>>;
}

const sentSchema = z.array(panelMessageSchema);

/**
 * The panel in a real browser, under the content security policy it has in VS Code. The test plays
 * the host.
 */
export class PanelPage {
  readonly page: Page;
  /** Errors and warnings of the browser: refused scripts and styles, exceptions, failed loads. */
  readonly complaints: string[] = [];
  private readonly context: BrowserContext;
  private readonly server: http.Server;
  private options: PanelPageOptions = {};
  private visits = 0;

  private constructor(page: Page, context: BrowserContext, files: PanelFiles) {
    this.page = page;
    this.context = context;
    // The browser keeps what comes from a server, and its compiled scripts, from panel to panel.
    this.server = http.createServer((request, response) => {
      const name = new URL(request.url ?? "", this.origin).pathname.slice(1);
      const file = files.get(name);
      if (name === "") response.setHeader("content-type", "text/html").end(this.html());
      else if (file)
        response
          .writeHead(200, { "content-type": file.contentType, "cache-control": "max-age=3600" })
          .end(file.body);
      else response.writeHead(404).end();
    });
  }

  private get origin(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  static async open(
    browser: Browser,
    files: PanelFiles,
    options: PanelPageOptions = {},
  ): Promise<PanelPage> {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const panel = new PanelPage(page, context, files);
    await new Promise<void>((done) => panel.server.listen(0, "127.0.0.1", done));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning")
        panel.complaints.push(message.text());
    });
    page.on("pageerror", (error) => panel.complaints.push(String(error)));
    page.on("request", (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin !== panel.origin || !(pathname === "/" || files.has(pathname.slice(1))))
        panel.complaints.push(`asked for ${request.url()}`);
    });
    await page.addInitScript(hostConnection);
    await panel.show(options);
    return panel;
  }

  /** Shows a new panel, which knows nothing of the one before: that is quicker than a new page. */
  async show(options: PanelPageOptions = {}): Promise<void> {
    this.options = options;
    const { width = 360, height = 720 } = options;
    await this.page.setViewportSize({ width, height });
    await this.page.goto(`${this.origin}/?${++this.visits}`);
  }

  /** Posts messages like the host, and waits until the panel has drawn them. */
  async post(...messages: readonly HostMessage[]): Promise<void> {
    await this.page.evaluate(
      `(async () => { for (const message of ${JSON.stringify(messages)}) window.postMessage(message, "*"); await window.drawn(); })()`,
    );
  }

  async snapshot(events: readonly TurnEvent[], status: PanelStatus = readyStatus): Promise<void> {
    await this.post({ type: "snapshot", chatId: "chat-1", events: [...events], status });
  }

  async events(events: readonly TurnEvent[]): Promise<void> {
    await this.post({
      type: "events",
      chatId: "chat-1",
      after: (events[0]?.seq ?? 1) - 1,
      events: [...events],
    });
  }

  /** What the panel has asked of the host, without the chat, and messages without their ids. */
  async sent(): Promise<SentAction[]> {
    return (await this.posted()).map((message) => {
      if (message.type === "new-chat" || message.type === "show-chat") return message;
      if (message.type === "send") {
        const { chatId: _, id: __, ...rest } = message;
        return rest;
      }
      const { chatId: _, ...action } = message;
      return action;
    });
  }

  /** All that the panel has sent to the host. */
  async posted(): Promise<PanelMessage[]> {
    return sentSchema.parse(await this.page.evaluate("window.sent"));
  }

  /** The markup of all turns, without the open state of details. */
  async markup(): Promise<string> {
    const markup: unknown = await this.page.evaluate("document.querySelector('.turns').innerHTML");
    return String(markup)
      .replaceAll(' open=""', "")
      .replaceAll(' class="card-code live"', ' class="card-code"');
  }

  async close(): Promise<void> {
    await this.context.close();
    this.server.closeAllConnections();
    this.server.close();
  }

  private html(): string {
    const { origin, options } = this;
    return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Graft</title><link rel="icon" href="data:,"><meta http-equiv="Content-Security-Policy" content="${policy(origin)}">
<meta property="csp-nonce" content="${nonce}"><link rel="stylesheet" href="${origin}/style.css">
<style nonce="${nonce}">${options.themeStyle ?? ""}</style></head>
<body class="${options.bodyClass ?? "vscode-dark"}" data-scripts="${origin}"><main id="root"></main>
<script type="application/json" nonce="${nonce}" id="l10n">${JSON.stringify(options.l10n ?? {})}</script>
<script nonce="${nonce}" src="${origin}/main.js"></script></body></html>`;
  }
}

const hostConnection = `
  window.sent = [];
  // Not in the frames of diagrams, which have none.
  if (window === top && sessionStorage.getItem("visit") !== location.search) {
    sessionStorage.clear();
    sessionStorage.setItem("visit", location.search);
  }
  window.acquireVsCodeApi = () => ({
    // What it has drawn is between the panel and the bridge.
    postMessage: (message) => message.type === "drawn" || window.sent.push(message),
    getState: () => JSON.parse(sessionStorage.getItem("state") ?? "null") ?? undefined,
    setState: (state) => (sessionStorage.setItem("state", JSON.stringify(state)), state),
  });
  window.drawn = () => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done())), 0));
`;
