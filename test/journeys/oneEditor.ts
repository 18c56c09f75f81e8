// The one VS Code of all journeys: each opens a folder of its own in it.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import {
  type ModelServer,
  type ModelStep,
  type RecordedRequest,
  startModelServer,
} from "../fakes/model/modelServer.ts";
import { selfSigned, type TestCertificate } from "../fakes/model/selfSigned.ts";
import { screenshotsOfFailures } from "../ui/screenshot.ts";
import {
  openWorkbench,
  PATIENCE,
  panel,
  soon,
  until,
  type Workbench,
  waits,
} from "../ui/workbench.ts";
import { packIfStale } from "./packIfStale.ts";
import { repliesByPrompt } from "./repliesByPrompt.ts";
import { pressChord } from "./review.ts";

/** What a journey starts from. */
export interface Start {
  /** Paths and contents of its folder's files. */
  readonly files: Readonly<Record<string, string>>;
  /** What the model answers, step by step, by the words of a prompt. */
  readonly replies?: Readonly<Record<string, readonly ModelStep[]>>;
  /** The user has just installed Graft and chosen no model. */
  readonly isNewUser?: true;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A window that has just opened a folder, with the chat in the side bar. */
export interface Journey {
  readonly page: Page;
  /** Everything the editor wrote, for all journeys. */
  readonly home: string;
  /** The path of a file of the folder. */
  at(name: string): string;
  /** The text of a file on the disk. */
  onDisk(name: string): string;
  /** What the model was asked in this journey. */
  requests(): readonly RecordedRequest[];
  /** What it was told last. */
  lastTold(): string;
  /** Opens a second window of the folder, as another tab of the browser. */
  openAnother(): Promise<Page>;
}

/** What makes drawing and typing steady, and leaves Graft as it is. */
const STEADY = {
  "editor.minimap.enabled": false,
  "editor.cursorBlinking": "solid",
  "editor.hover.enabled": "off",
  "editor.occurrencesHighlight": "off",
  "editor.autoClosingBrackets": "never",
  "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
  "editor.stickyScroll.enabled": false,
  "breadcrumbs.enabled": false,
  "workbench.localHistory.enabled": false,
  "workbench.reduceMotion": "on",
  "files.autoSave": "off",
  "graft.diff.inline": "never",
};
/** A server with a key in the environment would be offered. */
const NO_KEYS = Object.fromEntries(
  ["OPENAI", "ANTHROPIC", "GEMINI", "GOOGLE", "OPENROUTER"].map((name) => [`${name}_API_KEY`, ""]),
);
/** Opens the chat, after Ctrl+K. */
const OPEN_CHAT = "g";
/** A first start of VS Code on a busy machine. */
const OPENING_MS = 180_000;

/** What the window trusts for the address of OpenAI. */
export const openAiCertificate: TestCertificate = selfSigned(["api.openai.com"]);

const opened = {} as { workbench: Workbench; server: ModelServer; page: Page };
const others: Page[] = [];
let trusted = "";
let replies: NonNullable<Start["replies"]> = {};
let folders = 0;
let hasFailed = false;

before(async function () {
  this.timeout(OPENING_MS);
  await packIfStale();
  opened.server = await startModelServer((request) => repliesByPrompt(replies)(request));
  trusted = fs.mkdtempSync(path.join(os.tmpdir(), "graft-trusted-"));
  const authorities = path.join(trusted, "authorities.pem");
  fs.writeFileSync(authorities, openAiCertificate.cert);
  opened.workbench = await openWorkbench({
    files: {},
    settings: STEADY,
    width: 1400,
    env: { ...NO_KEYS, SSL_CERT_FILE: authorities },
  });
  opened.page = opened.workbench.page;
});

after(async () => {
  await opened.workbench?.close();
  await opened.server?.close();
  if (trusted !== "") fs.rmSync(trusted, { recursive: true });
});

beforeEach(() => waits.clear());
afterEach(function () {
  hasFailed = this.currentTest?.state === "failed";
  if (!hasFailed) return;
  for (const what of waits) console.log(`      waited at the failure until ${what}`);
});
screenshotsOfFailures(() => others.at(-1) ?? opened.page);

/** Opens a new folder in the window. Nothing of the journeys before is in it. */
export async function begin(start: Start): Promise<Journey> {
  const { workbench, server } = opened;
  for (const other of others.splice(0)) await other.close();
  const page = await emptyPage();
  await forgetEverything(page.context(), page, workbench.url);
  replies = start.replies ?? {};
  const model = { "graft.baseUrl": server.url, "graft.model": "test-model" };
  workbench.set({ ...(start.isNewUser ? {} : model), ...start.settings });
  const folder = `${workbench.folder}-${++folders}`;
  const at = (name: string) => path.join(folder, name);
  for (const [name, text] of Object.entries(start.files)) {
    fs.mkdirSync(path.dirname(at(name)), { recursive: true });
    fs.writeFileSync(at(name), text);
  }
  const url = workbench.url.replace(workbench.folder, folder);
  await openFolder(page, url);
  const asked = server.requests.length;
  const requests = () => server.requests.slice(asked);
  return {
    page,
    home: workbench.home,
    at,
    onDisk: (name) => fs.readFileSync(at(name), "utf8"),
    requests,
    lastTold: () => JSON.stringify(requests().at(-1)?.body.messages ?? []),
    async openAnother() {
      const other = await newPage(page.context());
      others.push(other);
      await openFolder(other, url);
      return other;
    },
  };
}

/** The page without the window before. One whose time is over may still be acted on: it is closed. */
async function emptyPage(): Promise<Page> {
  const { page } = opened;
  if (hasFailed) {
    opened.page = await newPage(page.context());
    await page.close();
  } else await page.goto("about:blank");
  return opened.page;
}

async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  return page;
}

/**
 * Waits until a message can be typed in the chat, which a reload brings back. Its key is pressed only
 * while another view is shown: a second one, while the first is still about to give the composer the
 * focus, would be typed there.
 */
export async function untilChatReady(page: Page): Promise<void> {
  const composer = panel(page).locator(".composer textarea");
  const title = page.locator(".part.sidebar .title-label", { hasText: "Graft" });
  await until("a message can be typed in the chat", async () => {
    if (!(await soon(title, "visible", 2_000))) {
      await pressChord(page, OPEN_CHAT);
      return false;
    }
    if (!(await soon(composer, "visible", 2_000))) return false;
    await composer.focus({ timeout: 5_000 }).catch(() => undefined);
    // Before the first model is chosen it is disabled.
    return soon(panel(page).locator(".composer textarea:is(:focus, :disabled)"), "visible", 1_000);
  });
}

/** Opens a folder, and the chat in it. */
async function openFolder(page: Page, url: string): Promise<void> {
  await page.goto(url);
  const icon = page.locator('.activitybar .action-label[aria-label^="Graft"]');
  await until("Graft's icon is there", () => icon.isVisible());
  await pressChord(page, OPEN_CHAT);
  await untilChatReady(page);
}

/** What the browser keeps for the editor: choices, keys and the state of windows. Its cache stays. */
async function forgetEverything(context: BrowserContext, page: Page, url: string): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", {
    origin: new URL(url).origin,
    storageTypes: "indexeddb,local_storage,cookies",
  });
  await session.detach();
}
