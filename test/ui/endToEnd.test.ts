import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { applyPatch, structuredPatch } from "diff";
import { threeBlockReply } from "../fakes/model/recordedReply.ts";
import { replyModel, TOLD } from "../fakes/model/replyModel.ts";
import {
  ask,
  editorAction,
  lenses,
  modelWorkbench,
  openFile,
  openPanel,
  panel,
  runCommand,
  saveInFront,
  screenshot,
  until,
} from "./workbench.ts";

const reply = threeBlockReply();

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
    // Lenses that are just being redrawn cannot be clicked.
    await until("the second hunk is rejected", async () => {
      const [, second] = await lenses(page, "✗ Reject");
      return (
        second?.click({ timeout: 2_000 }).then(
          () => true,
          () => false,
        ) ?? false
      );
    });
    await blocks("rejected").waitFor();
    const rows = await panel(page).locator("li.block").allTextContents();
    rejected = rows.findIndex((text) => /rejected/i.test(text));
    await screenshot(page, "4-one-rejected");
    await editorAction(page, "Accept File");
    await page.locator(".tab", { hasText: "Graft proposal" }).waitFor({ state: "detached" });
    await page.locator(".tab.active", { hasText: path.basename(reply.path) }).waitFor();
  });

  it("changes exactly the accepted hunks and leaves saving to the user", async () => {
    const { page } = suite;
    assert.equal(onDisk(), reply.before);
    const right = accepted(...[0, 1, 2].filter((at) => at !== rejected));
    // VS Code empties a file before it writes it.
    await saveInFront(page, () => ![reply.before, ""].includes(onDisk()));
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
    await page.locator(".editor-instance .view-lines").first().click();
    await page.keyboard.press("Control+Z");
    await page.keyboard.press("Control+S");
    await until("the old text is back", () => onDisk() === reply.before);
  });

  it("edits with Start Edit Mode on File and a model without tools", async () => {
    const { page } = suite;
    const asked = suite.server.requests.length;
    await openFile(page, reply.path);
    await runCommand(page, "Graft: Start Edit Mode on File");
    const input = page.locator(".quick-input-widget input").first();
    await page.locator(".quick-input-widget", { hasText: "What should change" }).waitFor();
    await input.fill(reply.prompt);
    await input.press("Enter");
    await until("hunks are offered", async () => (await lenses(page, "✗ Reject")).length >= 2);
    assert.equal(suite.server.requests[asked]?.body.tools, undefined);
    assert.equal(onDisk(), reply.before);
    await screenshot(page, "6-edit-mode-on-file");
    await editorAction(page, "Accept File");
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
    assert.equal(await panel(page).locator(".card").count(), 2);
    assert.equal(await panel(page).locator("li.block").count(), 6);
    await screenshot(page, "7-after-reload");
  });

  it("undoes a turn's changes by keyboard and keeps the user's later edits", async () => {
    const { page } = suite;
    await openFile(page, reply.path);
    // The reload may have restored a backup from before the save.
    await runCommand(page, "File: Revert File");
    await page.locator(".tab.active.dirty").waitFor({ state: "detached" });
    await page.locator(".editor-instance .view-lines").first().click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("# written since");
    await panel(page)
      .getByRole("button", { name: "Undo this turn's changes", exact: true })
      .last()
      .press("Enter");
    const widget = page.locator(".quick-input-widget", { hasText: "Undo changes since" });
    await widget.getByText("keeps your later edits").waitFor();
    await screenshot(page, "8-restore");
    await page.keyboard.press("Enter");
    await panel(page)
      .locator(".note", { hasText: `Undid the changes since “${reply.prompt.slice(0, 20)}` })
      .waitFor();
    await openFile(page, reply.path);
    await page.keyboard.press("Control+S");
    await until("the file is restored", () => onDisk() === `${reply.before}# written since`);
    await screenshot(page, "9-restored");
  });

  it("applies changes at once with review after, and lists the file until it is kept", async () => {
    const { page } = suite;
    fs.writeFileSync(path.join(suite.workbench.folder, reply.path), reply.before);
    await runCommand(page, "Graft: New Chat");
    await until(
      "the new chat is shown",
      async () => (await panel(page).locator(".card").count()) === 0,
    );
    await ask(page, reply.prompt);
    await until("every block is applied", async () => (await blocks("applied").count()) === 3);
    assert.equal(onDisk(), reply.before);
    await page.locator(".tab", { hasText: "Graft proposal" }).waitFor({ state: "detached" });
    await openFile(page, reply.path);
    await page
      .locator(".editor-instance .dirty-diff-modified, .editor-instance .dirty-diff-added")
      .first()
      .waitFor();
    await runCommand(page, "Source Control: Focus on Changes View");
    const row = page.locator(".scm-view .monaco-list-row", { hasText: path.basename(reply.path) });
    await row.hover();
    await screenshot(page, "10-review-afterwards");
    await page.reload();
    await openPanel(page);
    await panel(page).locator("textarea:focus").waitFor();
    await runCommand(page, "Source Control: Focus on Changes View");
    await row.hover();
    await row.locator('.action-label[aria-label^="Keep"]').click();
    await row.waitFor({ state: "detached" });
    await saveInFront(page, () => onDisk() === reply.after);
  });
});
