import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { startModelServer } from "../fakes/model/modelServer.ts";
import { openLoadWindow, pressFor, send } from "../load/screen.ts";
import { screenshot, screenshotsOfFailures } from "./screenshot.ts";
import { openPanel, PATIENCE, panel, until, type Workbench } from "./workbench.ts";

const FILES = ["one.txt", "two.txt", "three.txt"];
const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
const BEFORE = text(LINES);
const AFTER = text(LINES.with(8, "LINE 9"));

/** Answers each request by a block for each file. */
function startModel() {
  return startModelServer(({ body }) => {
    // Reports on edits are messages of the user, too.
    const asked = body.messages.findLastIndex(
      ({ role, content }) => role === "user" && JSON.stringify(content).includes("Change them"),
    );
    const steps = body.messages.slice(asked).filter(({ role }) => role === "assistant").length;
    if (steps === 0)
      return {
        toolCalls: FILES.map((file_path) => ({
          name: "edit_mode",
          args: { file_path, use_line_numbers: true },
        })),
      };
    const blocks = FILES.map((file) => `\`\`\`text:9:9 ${file}\nLINE 9\n\`\`\`\n`);
    return { text: steps === 1 ? blocks.join("\n") : "Done." };
  });
}

describe("two windows of one workspace, in a real VS Code", () => {
  let workbench: Workbench;
  let server: Awaited<ReturnType<typeof startModelServer>>;
  let other: Page;

  const onDisk = (file: string) => fs.readFileSync(path.join(workbench.folder, file), "utf8");
  const bar = (page: Page) => panel(page).locator(".review-bar");
  const waits = (page: Page, files: string) =>
    bar(page).locator(".review-files", { hasText: files }).waitFor({ timeout: PATIENCE });
  const isElsewhere = (page: Page) => bar(page).getByRole("button", { name: /take over/i });
  const isHere = (page: Page) => bar(page).getByRole("button", { name: "Review changes" });

  /** Opens the folder in another window. */
  async function openOther(): Promise<Page> {
    const context = await workbench.browser.newContext({ viewport: { width: 1300, height: 1000 } });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.goto(workbench.url);
    await openPanel(page);
    return page;
  }

  async function accept(page: Page, file: string): Promise<void> {
    const folded = bar(page).locator(".review-toggle[aria-expanded=false]");
    const button = bar(page).getByRole("button", { name: `Accept file ${file}` });
    await until(`${file} is accepted`, async () => {
      for (const each of [folded, button])
        if (await each.isVisible()) await each.click({ timeout: 5_000 }).catch(() => undefined);
      await pressFor(page, "saveAll");
      return onDisk(file) === AFTER;
    });
  }

  before(async function () {
    this.timeout(600_000);
    server = await startModel();
    workbench = await openLoadWindow(Object.fromEntries(FILES.map((file) => [file, BEFORE])), {
      "graft.baseUrl": server.url,
      "graft.model": "test-model",
    });
    await openPanel(workbench.page);
    await send(workbench.page, "Change them.");
    await waits(workbench.page, "3 files");
    other = await openOther();
    console.log("    both windows are open");
  });

  after(async () => {
    await workbench?.close();
    await server?.close();
  });
  screenshotsOfFailures(() => workbench.page);
  afterEach(async function () {
    if (this.currentTest?.state === "failed" && !other.isClosed())
      await screenshot(other, "failed-other-window");
  });

  it("both show what is pending, and a decision in one shows in the other", async () => {
    const { page } = workbench;
    await waits(other, "3 files");
    await isElsewhere(other).waitFor();
    await isHere(page).waitFor();
    await accept(page, "one.txt");
    await waits(other, "2 files");
  });

  it("a decision in the other window takes the proposals over, and shows in the first", async () => {
    const { page } = workbench;
    await accept(other, "two.txt");
    await isHere(other).waitFor();
    await isElsewhere(page).waitFor();
    await waits(page, "1 file");
    // The card of the first window's chat has both.
    await until("the card says so", async () =>
      (await panel(page).locator(".card, .file-card").allInnerTexts())
        .join("\n")
        .includes("one.txt"),
    );
  });

  it("the first window takes them back, and nothing is left in either", async () => {
    const { page } = workbench;
    await isElsewhere(page).click();
    await isHere(page).waitFor();
    await isElsewhere(other).waitFor();
    assert.equal(onDisk("three.txt"), BEFORE);
    await accept(page, "three.txt");
    await bar(page).waitFor({ state: "hidden" });
    await bar(other).waitFor({ state: "hidden" });
  });

  for (const how of ["browser", "tab"] as const) {
    it(`what is pending is there after the ${how} was killed, and can be decided`, async () => {
      await other.close().catch(() => undefined);
      for (const file of FILES) fs.writeFileSync(path.join(workbench.folder, file), BEFORE);
      await send(workbench.page, `Change them again, ${how}.`);
      await waits(workbench.page, "3 files");
      await workbench.reopen(how);
      await openPanel(workbench.page);
      await waits(workbench.page, "3 files");
      await until("all is accepted", async () => {
        await pressFor(workbench.page, "acceptAll");
        await pressFor(workbench.page, "saveAll");
        return FILES.every((file) => onDisk(file) === AFTER);
      });
      await bar(workbench.page).waitFor({ state: "hidden" });
    });
  }
});
