import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from "playwright-core";
import { type ModelServer, startModelServer } from "../fakes/model/modelServer.ts";
import { launchChromium } from "../harness/browser.mjs";
import { createProfile, installExtension, startCodeServer } from "../harness/codeServer.mjs";
import { root } from "../harness/root.mjs";

/** Milliseconds that a test waits for the UI. */
export const PATIENCE = Number(process.env.GRAFT_LOAD_PATIENCE ?? 120) * 1000;

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
  readonly width?: number;
  readonly height?: number;
  readonly env?: Record<string, string>;
  /** Pixels of the screen for one of CSS. */
  readonly scale?: number;
  /** Another extension to install, as a folder of test/fixtures. */
  readonly extension?: string;
  /** Further flags of Chromium. */
  readonly flags?: readonly string[];
}

/** Installs out/graft.vsix into a fresh profile and opens a workspace. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const profile = createProfile({ settings: options.settings });
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
  let server = await startCodeServer(profile, { env });
  let browser = await launchChromium(options.flags ?? []);
  const viewport = { width: options.width ?? 1280, height: options.height ?? 900 };
  const url = `${server.url}/?folder=${profile.workspace}`;
  const newContext = () => browser.newContext({ viewport, deviceScaleFactor: options.scale ?? 1 });
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
        server = await startCodeServer(profile, { env, port: server.port });
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

/** The box for requests. */
export function composer(page: Page): Locator {
  return panel(page).getByRole("textbox", { name: "Message to Graft" });
}

/**
 * Shows the chat view by command: a click on its icon would hide a view that a reload brings back.
 */
export async function openPanel(page: Page): Promise<void> {
  await page
    .locator('.activitybar .action-label[aria-label^="Graft"]')
    .waitFor({ timeout: PATIENCE });
  await runCommand(page, "Graft: Open Chat");
  await composer(page).waitFor({ timeout: PATIENCE });
}

/** Types a request into the panel and sends it with Enter. */
export async function ask(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

/**
 * Runs a command by its title. Opens the palette until it lists the command, which may register
 * late. The palette closes where something else takes the focus.
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  const input = page.locator(".quick-input-widget input").first();
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first();
  const list = async () => {
    await page.keyboard.press("F1");
    await input.fill(`>${title}`, { timeout: 10_000 });
    await row.click({ timeout: 10_000 });
  };
  for (let attempt = 1; ; attempt++) {
    const failed = await list().then(
      () => null,
      (error: unknown) => error,
    );
    if (failed === null) return;
    if (attempt === 10) throw failed;
    await page.keyboard.press("Escape");
  }
}

/**
 * Opens a file by name. The list closes where something else takes the focus; then it is opened
 * again.
 */
export async function openFile(page: Page, name: string): Promise<void> {
  const file = path.basename(name);
  const pick = async () => {
    await page.keyboard.press("Control+P");
    await page.locator(".quick-input-widget input").first().fill(name, { timeout: 5_000 });
    await page
      .locator(".quick-input-list .monaco-list-row", { hasText: file })
      .first()
      .click({ timeout: 5_000 });
  };
  for (let attempt = 1; ; attempt++) {
    const failed = await pick().then(
      () => null,
      (error: unknown) => error,
    );
    if (failed === null) break;
    if (attempt === 5) throw failed;
    await page.keyboard.press("Escape");
  }
  await page.locator(".tab.active", { hasText: file }).waitFor();
}

/**
 * Saves the file in front by its key, until `isSaved`: after the last decision the focus goes to the
 * chat, perhaps later than the click into the editor.
 */
export async function saveInFront(page: Page, isSaved: () => boolean): Promise<void> {
  await until("the file is saved", async () => {
    await page.locator(".editor-instance .view-lines").first().click();
    await page.keyboard.press("Control+S");
    return isSaved();
  });
}

/** The visible CodeLenses with this text, from top to bottom. */
export async function lenses(page: Page, text: string): Promise<Locator[]> {
  const found = await page.locator(".codelens-decoration a", { hasText: text }).all();
  const placed = await Promise.all(
    found.map(async (lens) => ({
      lens,
      box: (await lens.isVisible()) ? await lens.boundingBox() : null,
    })),
  );
  const shown = placed.flatMap(({ lens, box }) => (box ? [{ lens, y: box.y }] : []));
  return shown.sort((a, b) => a.y - b.y).map(({ lens }) => lens);
}

/** Clicks an action in the editor's title bar. */
export async function editorAction(page: Page, name: string): Promise<void> {
  await page.locator(`.editor-actions .action-label[aria-label^="${name}"]`).click();
}

/** Waits until `check` returns true. */
export async function until(what: string, check: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (!(await check())) {
    if (Date.now() > deadline)
      throw new Error(`Timed out after ${PATIENCE / 1000} s waiting until ${what}`);
    await delay(50);
  }
}

/** Saves the page as out/screenshots/<name>.png. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const dir = path.join(root, "out/screenshots");
  fs.mkdirSync(dir, { recursive: true });
  await page.screenshot({ path: path.join(dir, `${name}.png`) });
}

/** Takes a screenshot when a test of the surrounding `describe` fails. */
export function screenshotsOfFailures(page: () => Page): void {
  afterEach(async function () {
    if (this.currentTest?.state === "failed")
      await screenshot(page(), `failed-${this.currentTest.title.replace(/\W+/g, "-")}`);
  });
}

/** VS Code's themes by name, and the class that the panel's body has in each. */
const THEMES = {
  "Default Light Modern": "vscode-light",
  "Default High Contrast": "vscode-high-contrast",
  "Default High Contrast Light": "vscode-high-contrast-light",
  "Default Dark Modern": "vscode-dark",
};

/**
 * Screenshots of the page in four themes, and with a side bar of 240 px, as
 * out/screenshots/<name>.png. Only with GRAFT_SCREENSHOTS set: they are for people to look at.
 * Needs the extension `themeSwitch`.
 */
export async function gallery({ page, home }: Workbench, name: string): Promise<void> {
  if (!process.env.GRAFT_SCREENSHOTS) return;
  for (const [theme, bodyClass] of Object.entries(THEMES)) {
    fs.writeFileSync(path.join(home, "theme.txt"), theme);
    await panel(page).locator(`body.${bodyClass}`).waitFor();
    await screenshot(page, `${name}, ${bodyClass.slice("vscode-".length)}`);
  }
  const drag = async (from: number, to: number) => {
    await page.mouse.move(from, 400);
    await page.mouse.down();
    await page.mouse.move(to, 400, { steps: 4 });
    await page.mouse.up();
  };
  const end = async () =>
    Number(
      await page.locator(".part.sidebar").evaluate((each) => each.getBoundingClientRect().right),
    );
  const wide = await end();
  await drag(wide, wide - 60);
  await screenshot(page, `${name} 240 px`);
  await drag(await end(), wide);
}
