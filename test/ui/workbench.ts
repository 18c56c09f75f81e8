import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from "playwright-core";
import { type ModelServer, startModelServer } from "../fakes/model/modelServer.ts";
import { launchChromium, reloadWithoutHost } from "../harness/browser.mjs";
import { createProfile, installExtension, startCodeServer } from "../harness/codeServer.mjs";
import { root } from "../harness/root.mjs";
import { screenshotsOfFailures } from "./screenshot.ts";

/** Milliseconds that a test waits for the UI: GRAFT_PATIENCE seconds. */
export const PATIENCE =
  Number(process.env.GRAFT_PATIENCE ?? process.env.GRAFT_LOAD_PATIENCE ?? 240) * 1000;

/** A real VS Code with the packed extension in a browser window. */
export interface Workbench {
  readonly page: Page;
  readonly browser: Browser;
  /** The URL of the workbench with the folder open. */
  readonly url: string;
  /** The open folder. */
  readonly folder: string;
  /** Everything the editor wrote: settings, storage and logs. */
  readonly home: string;
  /** Sets the user's settings to the initial ones and `more`. */
  set(more: Record<string, unknown>): void;
  /**
   * Ends the server or the browser as a crash would, or closes the tab or reloads it; then opens
   * the window again. After `power`, what the disk had not got is lost too. `another` opens a second
   * window of the folder, in front of the one that stays until the next call.
   */
  reopen(after: "server" | "power" | "browser" | "tab" | "reload" | "another"): Promise<void>;
  close(): Promise<void>;
}

/** How to start a workbench. */
export interface WorkbenchOptions {
  readonly settings: Record<string, unknown>;
  /** Paths and contents of the workspace's files. */
  readonly files: Readonly<Record<string, string>>;
  /** Folders of them that the window has instead of the one above. */
  readonly folders?: readonly string[];
  readonly width?: number;
  readonly height?: number;
  readonly env?: Record<string, string>;
  /** Pixels of the screen for one of CSS. */
  readonly scale?: number;
  /** Another extension to install, as a folder of test/fixtures. */
  readonly extension?: string;
  /** Further flags of Chromium. */
  readonly flags?: readonly string[];
  /** The workspace is not trusted until the user says so. */
  readonly restricted?: true;
}

/** On a busy machine a test lets the model wait for longer than a user would. */
const SLOW_SERVER = {
  "graft.timeouts.connect": 300,
  "graft.timeouts.firstToken": 900,
  "graft.timeouts.idle": 900,
};

/** A test that shows no sandbox sees the same question on every machine. */
const UNSANDBOXED = { "graft.commands.sandbox": "off" };

/** Installs out/graft.vsix into a fresh profile and opens a workspace. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const { restricted: trust = false } = options;
  const trusting = {
    "security.workspace.trust.enabled": true,
    "security.workspace.trust.startupPrompt": "never",
  };
  const profile = createProfile({
    settings: { ...SLOW_SERVER, ...UNSANDBOXED, ...options.settings, ...(trust && trusting) },
  });
  for (const [name, text] of Object.entries(options.files)) {
    const file = path.join(profile.workspace, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  if (options.extension !== undefined) {
    fs.symlinkSync(
      path.join(root, "test/fixtures", options.extension),
      path.join(profile.home, "extensions", `graft-tests.${options.extension}-0.0.1`),
      "dir",
    );
  }
  await installExtension(profile, path.join(root, "out/graft.vsix"));
  const env = options.env ?? {};
  let server = await startCodeServer(profile, { env, trust });
  let browser = await launchChromium(options.flags ?? []);
  const viewport = { width: options.width ?? 1280, height: options.height ?? 900 };
  const url = `${server.url}/?${openedPlace(profile.workspace, options.folders)}`;
  const newContext = async () => {
    const opened = await browser.newContext({ viewport, deviceScaleFactor: options.scale ?? 1 });
    reloadWithoutHost(opened);
    return opened;
  };
  let context = await newContext();
  const newPage = async () => {
    const opened = await context.newPage();
    opened.setDefaultTimeout(PATIENCE);
    return opened;
  };
  let page = await newPage();
  let beside: BrowserContext | null = null;
  const open = async () => {
    await page.goto(url);
    await page
      .locator('.activitybar .action-label[aria-label^="Graft"]')
      .waitFor({ timeout: PATIENCE });
  };
  await open();
  return {
    get page() {
      return page;
    },
    get browser() {
      return browser;
    },
    url,
    folder: profile.workspace,
    home: profile.home,
    set: profile.set,
    async reopen(after) {
      await beside?.close().catch(() => undefined);
      beside = null;
      if (after === "another") {
        beside = context;
        context = await newContext();
        page = await newPage();
      } else if (after === "server" || after === "power") {
        await server.crash();
        if (after === "power") loseUnsyncedWrites(profile.home);
        server = await startCodeServer(profile, { env, trust, port: server.port });
      } else if (after === "browser") {
        const gone = new Promise((resolve) => browser.once("disconnected", resolve));
        const session = await browser.newBrowserCDPSession();
        await session.send("Browser.crash").catch(() => undefined);
        await gone;
        browser = await launchChromium(options.flags ?? []);
        context = await newContext();
        page = await newPage();
      } else if (after === "tab") {
        await page.close();
        page = await newPage();
      }
      await open();
    },
    async close() {
      await browser.close();
      await server.stop();
      profile.remove();
    },
  };
}

/** What the address of a window says it has open. */
function openedPlace(workspace: string, folders: readonly string[] | undefined): string {
  if (!folders) return `folder=${workspace}`;
  const file = path.join(workspace, "all.code-workspace");
  fs.writeFileSync(file, JSON.stringify({ folders: folders.map((name) => ({ path: name })) }));
  return `workspace=${file}`;
}

/** A loss of power takes the ends of the logs, which Graft does not wait for the disk with. */
function loseUnsyncedWrites(home: string): void {
  const storage = path.join(home, "data/User/globalStorage");
  const files = fs.readdirSync(storage, { recursive: true, encoding: "utf8" });
  for (const log of files.filter((file) => file.endsWith(".jsonl"))) {
    const place = path.join(storage, log);
    fs.truncateSync(place, Math.floor(fs.statSync(place).size / 2));
  }
}

/** A workbench whose chat asks a model of the test. */
export interface ModelWorkbench {
  readonly server: ModelServer;
  readonly workbench: Workbench;
  readonly page: Page;
}

/**
 * Opens a workbench on `files` before the tests of a suite, with a model that gives `replies`, and
 * closes it after them.
 */
export function modelWorkbench(
  replies: Parameters<typeof startModelServer>[0],
  files: WorkbenchOptions["files"],
  more: WorkbenchOptions["settings"] = {},
  extension?: WorkbenchOptions["extension"],
  env?: WorkbenchOptions["env"],
): ModelWorkbench {
  const opened = {} as { server: ModelServer; workbench: Workbench; page: Page };
  before(async () => {
    opened.server = await startModelServer(replies);
    const settings = {
      "graft.baseUrl": opened.server.url,
      "graft.model": "test-model",
      "graft.diff.inline": "never",
      ...more,
    };
    opened.workbench = await openWorkbench({
      files,
      settings,
      ...(extension !== undefined && { extension }),
      ...(env !== undefined && { env }),
    });
    opened.page = opened.workbench.page;
  });
  after(async () => {
    await opened.workbench?.close();
    await opened.server?.close();
  });
  screenshotsOfFailures(() => opened.page);
  return opened;
}

/** The document of the chat panel. */
export function panel(page: Page): FrameLocator {
  return page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
}

const VIEW = '[src*="purpose=webviewView"]';
const panelIn = (frame: string) => (page: Page) =>
  page.frameLocator(`iframe.webview.ready${frame}`).frameLocator("iframe#active-frame");
/** The panel in the side bar, where tabs of the editor show panels too. */
export const side = panelIn(VIEW);
/** The panel in the only tab of the editor that shows one. */
export const tab = panelIn(`:not(${VIEW})`);

/** The box for requests. */
export function composer(page: Page): Locator {
  return panel(page).getByRole("textbox", { name: "Message to Graft" });
}

/**
 * Shows the chat view by command: a click on its icon would hide a view that a reload brings back.
 * Waits for the focus, which the composer gets later than it is shown, unless it is disabled.
 */
export async function openPanel(page: Page): Promise<void> {
  await page
    .locator('.activitybar .action-label[aria-label^="Graft"]')
    .waitFor({ timeout: PATIENCE });
  await until("the composer has the focus", async () => {
    await runCommand(page, "Graft: Open Chat");
    return soon(panel(page).locator(".composer textarea:is(:focus, :disabled)"));
  });
}

/** Waits until no turn of the shown chat runs: what is sent during one is queued. */
export async function turnOver(page: Page): Promise<void> {
  await panel(page).locator('.composer-bar [title="Send"]').waitFor();
}

/** Types a request into the panel once the turn before is over, and sends it with Enter. */
export async function ask(page: Page, text: string): Promise<void> {
  await turnOver(page);
  await send(page, text);
}

/** Types a message into the panel and sends it with Enter, also while a turn runs. */
export async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await sendDraft(page);
}

/** Sends what is in the composer with Enter, which may come while an image is still read. */
export async function sendDraft(page: Page): Promise<void> {
  await until("the message is sent", async () => {
    await composer(page).press("Enter");
    return (await composer(page).inputValue()) === "";
  });
}

/**
 * Types `typed` into the composer and takes a row of its list, until it holds `taken`. The list
 * closes where the focus goes elsewhere; Enter would then send, so Tab takes the row.
 */
export async function takeFromList(
  page: Page,
  typed: string,
  row: string,
  taken: string,
): Promise<void> {
  const option = panel(page).locator("[role=option]:visible").getByText(row, { exact: true });
  await until(`“${row}” is taken from the list`, async () => {
    await composer(page).fill(typed);
    if (!(await soon(option))) return false;
    await composer(page).press("Tab");
    return (await composer(page).inputValue()) === taken;
  });
}

/**
 * Runs a command by its title, which may register late, once VS Code is no longer busy with another
 * one.
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  await until(`“${title}” is run`, async () => {
    if (!(await takeRow(page, "F1", `>${title}`, title))) return false;
    // A click on a list that is just redrawn is lost. Some commands open the next list at once.
    const input = page.locator(".quick-input-widget input").first();
    const isOpen = async () =>
      (await input.isVisible()) && (await input.inputValue()) === `>${title}`;
    return until("the palette is gone", async () => !(await isOpen()), 15_000).then(
      () => true,
      () => false,
    );
  });
}

/** Opens a file by name. */
export async function openFile(page: Page, name: string): Promise<void> {
  const file = path.basename(name);
  await until(
    `${name} is open`,
    async () =>
      (await takeRow(page, "Control+P", name, file)) &&
      soon(page.locator(".tab.active", { hasText: file })),
  );
}

/**
 * Opens a list by its key and clicks the row with these words. False where the list closed
 * meanwhile, as it does where something else takes the focus.
 */
async function takeRow(page: Page, key: string, text: string, words: string): Promise<boolean> {
  // A command fails where its extension does not run any more, or not yet.
  const failed = page.locator(".monaco-dialog-box", { hasText: "resulted in an error" });
  if (await failed.isVisible()) await page.keyboard.press("Escape");
  await page.keyboard.press(key);
  // Only a row that was found marks what was typed: the rows from before are about to change.
  const row = page
    .locator(".quick-input-list .monaco-list-row:has(.highlight)", { hasText: words })
    .first();
  const input = page.locator(".quick-input-widget input").first();
  // A list that is open since the last try looks for a text again only where that changes.
  return input
    .fill(text.startsWith(">") ? ">" : "", { timeout: 10_000 })
    .then(() => input.fill(text, { timeout: 10_000 }))
    .then(() => row.waitFor({ timeout: 10_000 }))
    .then(() => row.click({ timeout: 30_000 }))
    .then(
      () => true,
      () => false,
    );
}

/** Types into the box with these words and accepts it. */
export async function fillBox(page: Page, words: string, text: string): Promise<void> {
  // By its words: the box from before may be about to close.
  const box = page.locator(".quick-input-widget", { hasText: words });
  const input = box.locator(".quick-input-box input");
  await input.fill(text);
  await input.press("Enter");
}

/** What is waited for now, outermost first: a test whose time is over was there. */
export const waits = new Set<string>();

/** Waits until `check` returns true, for `patience` milliseconds. */
export async function until(
  what: string,
  check: () => Promise<boolean> | boolean,
  patience = PATIENCE,
): Promise<void> {
  const deadline = Date.now() + patience;
  waits.add(what);
  try {
    // A look keeps the window busy: what takes long is looked at less often.
    for (let pause = 50; !(await check()); pause = Math.min(pause * 1.5, 250)) {
      if (Date.now() > deadline)
        throw new Error(`Timed out after ${patience / 1000} s waiting until ${what}`);
      await delay(pause);
    }
  } finally {
    waits.delete(what);
  }
}

/**
 * Whether something comes, or goes, within a while: after a click or a key in a loop that repeats
 * it. Whether the click itself settles tells nothing: it may be reported as late although it was
 * made.
 */
export function soon(
  target: Locator,
  state: "visible" | "hidden" | "attached" = "visible",
  timeout = 15_000,
): Promise<boolean> {
  return target.waitFor({ state, timeout }).then(
    () => true,
    () => false,
  );
}
