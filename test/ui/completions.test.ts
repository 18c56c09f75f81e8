import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { type FillInServer, startFillInServer } from "../fakes/model/fillInServer.ts";
import { saveInFront, typeLastLine } from "./editorInFront.ts";
import { notification } from "./notification.ts";
import { screenshot, screenshotsOfFailures } from "./screenshot.ts";
import { openFile, openWorkbench, runCommand, soon, until, type Workbench } from "./workbench.ts";

const GHOST = ".ghost-text-decoration, .ghost-text";

describe("completions while typing, in a real VS Code", () => {
  let workbench: Workbench;
  let able: FillInServer;
  let unable: FillInServer;

  const ghost = (page: Page) => page.locator(GHOST).first();
  const onDisk = (file: string) => fs.readFileSync(path.join(workbench.folder, file), "utf8");
  /** The window reads changed settings when it loads. */
  async function choose(model: string): Promise<void> {
    workbench.set({ "graft.completions.model": model });
    await workbench.reopen("reload");
  }

  /** Types the last line of the file in front, and waits until the server is asked about it. */
  async function typeUntilAsked(page: Page, server: FillInServer, words: string): Promise<void> {
    const isAsked = () => server.asked.some((body) => body.includes(words));
    await until("the server is asked", async () => {
      // Again where the setting comes after the last key.
      await typeLastLine(page, words);
      return until("it is asked by itself", isAsked, 15_000).then(
        () => true,
        () => false,
      );
    });
  }

  before(async () => {
    able = await startFillInServer("a + b;");
    unable = await startFillInServer(null);
    workbench = await openWorkbench({
      files: {
        "../data/Machine/settings.json": JSON.stringify({
          "graft.connections": [
            { name: "able", kind: "ollama", baseUrl: able.url },
            { name: "unable", kind: "ollama", baseUrl: unable.url },
          ],
        }),
        "add.js": "function add(a, b) {\n",
        "other.js": "// Other code.\n",
        ".env": "API_KEY=very-secret\n",
        "src/credentials.json": '{ "token": "very-secret" }\n',
      },
      settings: {
        "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
        "editor.autoClosingBrackets": "never",
        "editor.formatOnSave": false,
        "chat.disableAIFeatures": false,
        "files.autoSave": "off",
      },
    });
  });
  after(async () => {
    await workbench?.close();
    await able?.close();
    await unable?.close();
  });
  screenshotsOfFailures(() => workbench.page);

  it("ask nobody before a model is named", async () => {
    const { page } = workbench;
    await openFile(page, "other.js");
    await typeLastLine(page, "let typedWhileOff = ");
    await runCommand(page, "Trigger Inline Suggestion");
    assert.deepEqual(able.asked, []);
  });

  it("are shown as ghost text once one is named, and Tab takes them", async () => {
    const { page } = workbench;
    await choose("able/coder");
    await openFile(page, "add.js");
    await typeUntilAsked(page, able, "  return ");
    const line = page.locator(".view-line", { hasText: "return a + b;" });
    const taken = line.filter({ hasNot: page.locator(GHOST) });
    await until("Tab takes it", async () => {
      if (await taken.isVisible()) return true;
      // It goes with the focus.
      if (!(await soon(ghost(page)))) await typeLastLine(page, "  return ");
      if (!(await soon(ghost(page)))) return false;
      await screenshot(page, "completions-1-ghost");
      await page.keyboard.press("Tab");
      return soon(taken);
    });
    await saveInFront(page, () => onDisk("add.js").includes("a + b;"));
    assert.match(onDisk("add.js"), /^function add\(a, b\) \{\n {2}return a \+ b;/);
    assert.ok(!able.asked.some((body) => body.includes("typedWhileOff")));
  });

  it("send nothing of files that may hold keys", async () => {
    const { page } = workbench;
    for (const file of [".env", "src/credentials.json"]) {
      await openFile(page, file);
      await typeLastLine(page, "MORE");
      await runCommand(page, "Trigger Inline Suggestion");
    }
    // Asked after them.
    await openFile(page, "other.js");
    await typeUntilAsked(page, able, "let typedAfterKeys = ");
    assert.ok(!able.asked.some((body) => /very-secret|MORE/.test(body)));
  });

  it("tell once that a server cannot fill in, and what helps", async () => {
    const { page } = workbench;
    await choose("unable/coder");
    await openFile(page, "add.js");
    await typeUntilAsked(page, unable, "let first = ");
    await notification(page, "cannot fill in");
    await screenshot(page, "completions-2-unable");
    await typeUntilAsked(page, unable, "let second = ");
    await runCommand(page, "Notifications: Show Notifications");
    const told = page.locator(".notifications-center .notification-list-item", {
      hasText: "cannot fill in",
    });
    await told.first().waitFor();
    assert.equal(await told.count(), 1);
  });
});
