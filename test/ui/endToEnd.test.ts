import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { applyPatch, structuredPatch } from "diff";
import { threeBlockReply } from "../fakes/model/recordedReply.ts";
import { replyModel, TOLD } from "../fakes/model/replyModel.ts";
import { acceptFile, lenses, saveInFront, typeLastLine } from "./editorInFront.ts";
import { screenshot } from "./screenshot.ts";
import {
  ask,
  fillBox,
  modelWorkbench,
  openFile,
  openPanel,
  panel,
  runCommand,
  soon,
  turnOver,
  until,
} from "./workbench.ts";

const reply = threeBlockReply();
/** What the user writes at the end of the file. */
const SINCE = "# written since";

/** The file with the hunks of these 0-based numbers accepted. */
function accepted(...hunks: number[]): string {
  const patch = structuredPatch("before", "after", reply.before, reply.after, "", "", {
    context: 0,
  });
  assert.equal(patch.hunks.length, 3);
  const result = applyPatch(reply.before, {
    ...patch,
    hunks: patch.hunks.filter((_hunk, at) => hunks.includes(at)),
  });
  assert.ok(result !== false);
  return result;
}

describe("an edit from request to disk, in a real VS Code with the packed extension", () => {
  let resume: () => void = () => undefined;
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const suite = modelWorkbench(
    replyModel(reply, { resume: resumed }),
    { [reply.path]: reply.before },
    {
      "diffEditor.renderSideBySide": false,
      "diffEditor.hideUnchangedRegions.enabled": true,
      "editor.formatOnSave": false,
    },
  );
  /** The 0-based number of the block whose hunk the test rejects: the second visible one. */
  let rejected = -1;
  const onDisk = () => fs.readFileSync(path.join(suite.workbench.folder, reply.path), "utf8");
  /** The blocks that are in a state, in all turns. */
  const blocks = (status: string) =>
    panel(suite.page).locator(`li.block:has([data-status="${status}"])`);

  /** Presses a button that undoes, and agrees to what it says about the files. */
  async function undo(name: string, said: string): Promise<void> {
    const { page } = suite;
    const button = panel(page).getByRole("button", { name, exact: true }).last();
    const widget = page.locator(".quick-input-widget", { hasText: "Undo changes since" });
    await until("the files are shown", async () => {
      await button.press("Enter");
      return soon(widget.getByText(said).first());
    });
    await screenshot(page, "8-restore");
    await until("that is agreed to", async () => {
      await widget
        .locator(".quick-input-box input")
        .press("Enter", { timeout: 10_000 })
        .catch(() => undefined);
      return soon(widget, "hidden");
    });
  }

  /** Opens the file after a reload, which may have restored a backup from before the last save. */
  async function openAsSaved(): Promise<void> {
    const { page } = suite;
    await openFile(page, reply.path);
    await runCommand(page, "File: Revert File");
    await page.locator(".tab.active.dirty").waitFor({ state: "detached" });
  }

  it("streams into the diff without touching the file", async () => {
    const { page } = suite;
    await openFile(page, reply.path);
    await openPanel(page);
    await screenshot(page, "1-empty-chat");
    await ask(page, reply.prompt);
    const card = panel(page).locator(".card").first();
    await card.waitFor();
    await page.locator(".tab.active", { hasText: "Graft proposal" }).waitFor();
    await page.locator(".monaco-diff-editor .line-insert").first().waitFor();
    await screenshot(page, "2-streaming");
    assert.match((await card.textContent()) ?? "", /streaming|writing/i);
    assert.equal(onDisk(), reply.before);
    resume();
  });

  it("offers Accept and Reject on every hunk of the complete answer", async () => {
    const { page } = suite;
    await until("hunks are offered", async () => (await lenses(page, "✗ Reject")).length >= 2);
    await until(
      "every block waits for review",
      async () => (await blocks("pending").count()) === 3,
    );
    await panel(page).getByText(TOLD, { exact: true }).waitFor();
    await panel(page).getByRole("group", { name: "Changes to review", exact: true }).waitFor();
    await screenshot(page, "3-review");
    assert.equal(onDisk(), reply.before);
  });

  it("rejects one hunk and accepts the rest by mouse", async () => {
    const { page } = suite;
    // Lenses that are just being redrawn cannot be clicked. A click more would reject one more.
    await until("the second hunk is rejected", async () => {
      const [, second] = await lenses(page, "✗ Reject");
      await second?.click({ timeout: 10_000 }).catch(() => undefined);
      return soon(blocks("rejected"), "visible", 40_000);
    });
    const rows = await panel(page).locator("li.block").allTextContents();
    rejected = rows.findIndex((text) => /rejected/i.test(text));
    await screenshot(page, "4-one-rejected");
    await acceptFile(page, path.basename(reply.path));
    await page.locator(".tab", { hasText: "Graft proposal" }).waitFor({ state: "detached" });
    await page.locator(".tab.active", { hasText: path.basename(reply.path) }).waitFor();
    await until("the rest is accepted", async () => (await blocks("applied").count()) === 2);
  });

  it("changes exactly the accepted hunks, and saves them", async () => {
    const right = accepted(...[0, 1, 2].filter((at) => at !== rejected));
    await until("all of it is saved", () => onDisk() === right);
  });

  it("reports the outcome of each block to the model with the next request", async () => {
    const { page } = suite;
    const asked = suite.server.requests.length;
    await ask(page, "What did I decide?");
    await panel(page).getByText(TOLD, { exact: true }).nth(1).waitFor();
    await screenshot(page, "5-done");
    const report = suite.server.requests[asked]?.body.messages.at(-1)?.content ?? "";
    const targets = [...reply.answer.matchAll(/^```\w+:(\d+):(\d+)/gm)].map(
      ([, start, end]) => `${start}-${end}`,
    );
    for (const [at, target] of targets.entries()) {
      assert.match(
        report,
        new RegExp(`${target}.* ${at === rejected ? "rejected by the user" : "accepted"}`),
      );
    }
  });

  it("reverts everything with one undo", async () => {
    const { page } = suite;
    // The focus may go to the chat later than the click into the editor.
    await until("it is undone", async () => {
      await page.locator(".editor-instance .view-lines").first().click();
      await page.keyboard.press("Control+Z");
      return soon(page.locator(".tab.active.dirty"));
    });
    await saveInFront(page, () => onDisk() === reply.before);
  });

  it("edits with Start Edit Mode on File and a model without tools", async () => {
    const { page } = suite;
    const asked = suite.server.requests.length;
    await openFile(page, reply.path);
    await runCommand(page, "Graft: Start Edit Mode on File");
    await fillBox(page, "What should change", reply.prompt);
    // Told of what is pending, before it is accepted.
    await panel(page).getByText(TOLD, { exact: true }).nth(2).waitFor();
    await until("hunks are offered", async () => (await lenses(page, "✗ Reject")).length >= 2);
    assert.equal(suite.server.requests[asked]?.body.tools, undefined);
    assert.equal(onDisk(), reply.before);
    await screenshot(page, "6-edit-mode-on-file");
    await acceptFile(page, path.basename(reply.path));
    await page.locator(".tab", { hasText: "Graft proposal" }).waitFor({ state: "detached" });
    await saveInFront(page, () => onDisk() === reply.after);
    assert.equal(suite.server.requests.length, asked + 2);
    assert.match(
      suite.server.requests.at(-1)?.body.messages.at(-1)?.content ?? "",
      /proposed and not accepted yet/,
    );
  });

  it("shows the turns again after a reload", async () => {
    const { page } = suite;
    // For the last test: the window reads changed settings when it loads.
    suite.workbench.set({ "graft.edits.review": "after" });
    await page.reload();
    await openPanel(page);
    await panel(page).getByText(reply.prompt.slice(0, 40)).first().waitFor();
    await until(
      "both cards are there",
      async () => (await panel(page).locator(".card").count()) === 2,
    );
    await until("their blocks", async () => (await panel(page).locator("li.block").count()) === 6);
    await screenshot(page, "7-after-reload");
  });

  it("undoes a turn's changes by keyboard and keeps the user's later edits", async () => {
    const { page } = suite;
    await openAsSaved();
    await typeLastLine(page, SINCE);
    await undo("Undo this turn's changes", "keeps later edits");
    await panel(page)
      .locator(".note", { hasText: `Undid the changes since “${reply.prompt.slice(0, 20)}` })
      .waitFor();
    await openFile(page, reply.path);
    await saveInFront(page, () => onDisk() === `${reply.before}${SINCE}`);
    await screenshot(page, "9-restored");
  });

  it("accepts changes at once with review after, and takes them back on their card", async () => {
    const { page } = suite;
    await runCommand(page, "Graft: New Chat");
    await until(
      "the new chat is shown",
      async () => (await panel(page).locator(".card").count()) === 0,
    );
    await ask(page, reply.prompt);
    await until("every block is applied", async () => (await blocks("applied").count()) === 3);
    await until("they are saved", () => onDisk() === `${reply.after}${SINCE}`);
    await page.locator(".tab", { hasText: "Graft proposal" }).waitFor({ state: "detached" });
    await panel(page)
      .getByRole("group", { name: "Changes to review" })
      .waitFor({ state: "hidden" });
    await screenshot(page, "10-accepted-at-once");
    await panel(page).getByText(TOLD, { exact: true }).waitFor();
    await turnOver(page);
    // The card and the journal outlast the window.
    await page.reload();
    await openAsSaved();
    await openPanel(page);
    const note = panel(page).locator(".note", { hasText: "Undid the changes since" });
    const back = `Undo this turn's changes to ${reply.path}`;
    await until("the file is as before, without a question", async () => {
      await panel(page).getByRole("button", { name: back, exact: true }).last().press("Enter");
      return soon(note);
    });
    await openFile(page, reply.path);
    await saveInFront(page, () => onDisk() === `${reply.before}${SINCE}`);
  });
});
