import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import * as z from "zod/mini";
import type { ModelHandler } from "../fakes/model/modelServer.ts";
import { screenshot } from "./screenshot.ts";
import {
  ask,
  modelWorkbench,
  openPanel,
  openWorkbench,
  PATIENCE,
  panel,
  runCommand,
  until,
  type Workbench,
} from "./workbench.ts";

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
const BASE = text(LINES);
const NAME = "proposals.graft.json";

const answer: ModelHandler = ({ body }) => {
  const steps = body.messages.filter(({ role }) => role === "assistant").length;
  const files = ["one.txt", "two.txt"];
  if (steps === 0)
    return {
      toolCalls: files.map((file_path) => ({
        name: "edit_mode",
        args: { file_path, use_line_numbers: true },
      })),
    };
  const block = (file: string, line: number) =>
    `\`\`\`text:${line}:${line} ${file}\nLINE ${line}\n\`\`\`\n`;
  if (steps === 1) return { text: files.map((file) => block(file, 2) + block(file, 9)).join("\n") };
  return { text: "Done." };
};

describe("proposals as a file, in a real VS Code", () => {
  const from = modelWorkbench(answer, { "one.txt": BASE, "two.txt": BASE });
  let shared = "";

  const bar = (page: Page) => panel(page).locator(".review-bar");
  const waits = (page: Page, files: string) =>
    bar(page).locator(".review-files", { hasText: files }).waitFor({ timeout: PATIENCE });
  const toast = (page: Page, words: string) =>
    page.locator(".notification-toast", { hasText: words }).first().waitFor();

  const input = (page: Page) => page.locator(".quick-input-widget input").first();

  /** What the open dialog has in its box; nothing where none is open. */
  const named = async (page: Page) =>
    (await input(page).isVisible()) ? input(page).inputValue() : "";

  /** Names a file in the dialog for files, once that is open: it begins with a path. */
  async function nameFile(page: Page, file: string): Promise<void> {
    await until("the dialog asks for a file", async () => (await named(page)).startsWith("/"));
    // While it still lists a folder, it may put that into the box again.
    await until("the dialog has the file", async () => {
      if ((await named(page)) !== file)
        await input(page)
          .fill(file, { timeout: 5_000 })
          .catch(() => undefined);
      if ((await named(page)) === file)
        await input(page)
          .press("Enter", { timeout: 5_000 })
          .catch(() => undefined);
      return !(await input(page).isVisible());
    });
  }

  it("are exported with what is to be said about them, and without this machine's places", async () => {
    const { page, workbench } = from;
    await openPanel(page);
    await ask(page, "Change both.");
    await waits(page, "2 files");
    const file = path.join(workbench.folder, NAME);
    await runCommand(page, "Graft: Export Proposals");
    await page.getByText("What should the reviewer know?").waitFor();
    await input(page).fill("Please look at line 9.");
    await input(page).press("Enter");
    await nameFile(page, file);
    await toast(page, "exported the proposals for 2 files");
    await screenshot(page, "sharing-1-export");
    shared = fs.readFileSync(file, "utf8");
    assert.ok(!shared.includes(workbench.folder));
    assert.ok(!shared.includes(from.server.url));
    const { comment, files } = z
      .object({ comment: z.string(), files: z.array(z.object({ path: z.string() })) })
      .parse(JSON.parse(shared));
    assert.equal(comment, "Please look at line 9.");
    assert.deepEqual(
      files.map((each) => each.path),
      ["one.txt", "two.txt"],
    );
  });

  describe("on another machine", () => {
    let to: Workbench;
    const onDisk = (file: string) => fs.readFileSync(path.join(to.folder, file), "utf8");
    const importFile = async (name: string) => {
      await runCommand(to.page, "Graft: Import Proposals");
      await nameFile(to.page, path.join(to.folder, name));
    };

    before(async () => {
      to = await openWorkbench({
        // One file has another line at its head, the other one other words in a proposed line.
        files: {
          "one.txt": text(["first", ...LINES]),
          "two.txt": text(LINES.with(1, "other words")),
          [NAME]: shared,
          "broken.json": "no JSON",
          "outside.json": shared.replaceAll("one.txt", "../one.txt"),
        },
        settings: { "graft.diff.inline": "never" },
      });
      await openPanel(to.page);
    });
    after(() => to?.close());
    afterEach(async function () {
      if (this.currentTest?.state === "failed") await screenshot(to.page, "failed-other-machine");
    });

    it("are refused where they are none, and where they lead outside", async () => {
      await importFile("broken.json");
      await toast(to.page, "broken.json is not JSON");
      await runCommand(to.page, "Notifications: Clear All");
    });

    it("are rebased on its files, with a conflict where both changed a line", async () => {
      const { page } = to;
      await importFile(NAME);
      await toast(page, "4 changes in 2 files to review");
      await waits(page, "2 files");
      await screenshot(page, "sharing-2-imported");
      assert.equal(onDisk("one.txt"), text(["first", ...LINES]));
      await bar(page).locator(".review-toggle").click();
      await bar(page).locator(".review-facts", { hasText: "1 conflict" }).waitFor();
      await screenshot(page, "sharing-3-conflict");
    });

    it("are accepted like any, but for the conflict, which stays with both texts", async () => {
      const { page } = to;
      const accepted = text(["first", ...LINES.with(1, "LINE 2").with(8, "LINE 9")]);
      await until("what has no conflict is accepted", async () => {
        await runCommand(page, "Graft: Accept All");
        await runCommand(page, "File: Save All");
        return onDisk("one.txt") === accepted;
      });
      await waits(page, "1 file");
      await until("the other file has what has no conflict", async () => {
        await runCommand(page, "File: Save All");
        return onDisk("two.txt") === text(LINES.with(1, "other words").with(8, "LINE 9"));
      });
      await runCommand(page, "Graft: Show Proposed Changes");
      await page.locator(".codelens-decoration a", { hasText: "Take proposed" }).first().waitFor();
      await screenshot(page, "sharing-4-left");
    });

    it("leave out by name what leads outside", async () => {
      const { page } = to;
      await runCommand(page, "Notifications: Clear All");
      await importFile("outside.json");
      await toast(page, "../one.txt is outside the workspace");
      assert.equal(fs.existsSync(path.join(to.folder, "..", "one.txt")), false);
    });
  });
});
