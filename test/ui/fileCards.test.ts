import assert from "node:assert/strict";
import type { EditBlock, EditStatus } from "../../src/turns/editBlock.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { editing } from "./editing.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";
import { words } from "./words.ts";

describe("A file's card in the panel", () => {
  const panel = withPanel();
  const focused = (): Promise<unknown> =>
    panel.page.evaluate(
      "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()",
    );
  const decide = (
    script: TurnScript,
    blockId: string,
    status: EditStatus,
    facts: Partial<EditBlock> = {},
  ): Promise<void> => {
    const edit = script.events
      .flatMap((event) =>
        event.type === "edit-update" && event.edit.blockId === blockId ? [event.edit] : [],
      )
      .at(-1);
    assert.ok(edit);
    return panel.events(script.edit({ ...edit, status, ...facts }).events.slice(-1));
  };

  it("shows the hidden characters of a file's name and folder", async () => {
    const name = "s\u200brc/readme\u202etxt.sh";
    await panel.snapshot(editing({ blockId: "one", path: name }).end().events);
    const file = panel.page.locator(".card .file");
    assert.equal(await file.textContent(), "readme\\u{202e}txt.sh s\\u{200b}rc");
    const told = await panel.page
      .locator(".card")
      .evaluate((card) => card.outerHTML.replaceAll(/ data-path="[^"]*"/g, ""));
    assert.equal(told.match(/.{30}[\u202e\u200b].{5}/)?.[0], undefined, "nor a label or a tooltip");
    await file.click();
    const sent = (await panel.sent()).at(-1);
    assert.ok(sent && "path" in sent && sent.path === name, "the file itself is opened");
  });

  it("collects the blocks of a turn where the file was written last, and leaves the decisions to the bar", async () => {
    const script = editing(
      { blockId: "one" },
      { blockId: "other", path: "b.ts" },
      { blockId: "two" },
    );
    await panel.snapshot(script.end().events);
    assert.equal(await panel.page.locator(".card").count(), 2);
    const card = panel.page.getByRole("group", { name: "Edits of src/shapes.ts" });
    assert.deepEqual(
      await panel.page.locator(".turn-agent .markdown, .card .file").allTextContents(),
      ["Text 1\n", "b.ts ", "Text 2\n", "shapes.ts src", "Text 3\n"],
    );
    assert.match(await words(card.locator(".card-head")), /\+4 −2 pending/);
    assert.equal(await card.getByRole("button", { name: /^(Accept|Reject)/ }).count(), 0);
    await decide(script, "one", "applied");
    assert.match(await words(card.locator(".card-head")), /\+4 −2 1 of 2 applied/);
    await decide(script, "two", "rejected");
    assert.match(await words(card.locator(".card-head")), /\+2 −1 1 of 2 applied/);
  });

  it("lets the user ask for a change of a block, also of the only one, and reject it with a reason", async () => {
    const script = editing(
      { blockId: "one" },
      { blockId: "other", path: "b.ts" },
      { blockId: "two" },
    );
    await panel.snapshot(script.end().events);
    const shapes = panel.page.getByRole("group", { name: "Edits of src/shapes.ts" });
    await shapes.getByRole("button", { name: "Ask for a change to two" }).click();
    await panel.page
      .getByRole("group", { name: "Edits of b.ts" })
      .getByRole("button", { name: "Ask for a change to other" })
      .click();
    assert.deepEqual((await panel.sent()).slice(1), [
      { type: "change-block", turnId: "turn-2", blockId: "two" },
      { type: "change-block", turnId: "turn-2", blockId: "other" },
    ]);
    const row = shapes.locator(".block", { hasText: "one" });
    const menu = (await row.getAttribute("data-vscode-context")) ?? "{}";
    assert.deepEqual(JSON.parse(menu), { graftBlock: true, turnId: "turn-2", blockId: "one" });
    await decide(script, "one", "rejected", { rejection: "Keep the name" });
    assert.match(await words(row), /Your reason: Keep the name/);
    assert.equal(await row.getAttribute("data-vscode-context"), null);
  });

  it("says what becomes of the whole file, in a deletion's or a renaming's row of its tool call", async () => {
    const script = new TurnScript().ask("Tidy up");
    const whole = { textStart: 0, textEnd: 0, status: "pending" as const };
    script.call("d", "delete_file", { path: "src/old.ts" }, "proposed", 3);
    script.edit({
      ...whole,
      blockId: "d-file",
      callId: "d",
      path: "src/old.ts",
      op: "delete",
      target: "deletion",
    });
    script.call("r", "rename_file", { from: "src/shapes.ts", to: "lib/forms.ts" }, "proposed", 3);
    script.edit({
      ...whole,
      blockId: "r-file",
      callId: "r",
      op: "rename",
      target: "lib/forms.ts",
    });
    await panel.snapshot(script.end().events);
    const card = (path: string) => panel.page.getByRole("group", { name: `Edits of ${path}` });
    // What becomes of the file is said once.
    assert.match(await words(card("src/old.ts")), /^Delete old\.ts src .*pending/);
    assert.match(await words(card("src/shapes.ts")), /^shapes\.ts → lib\/forms\.ts src /);
    for (const path of ["src/old.ts", "src/shapes.ts"])
      assert.ok(await card(path).locator(".block-name").isHidden(), path);
    await card("src/shapes.ts")
      .getByRole("button", { name: "shapes.ts → lib/forms.ts src" })
      .click();
    const reason = { code: "file-changed" as const };
    const conflict = { ...whole, status: "conflict" as const, undecided: true, reason };
    script.edit({
      ...conflict,
      blockId: "d-file",
      callId: "d",
      path: "src/old.ts",
      op: "delete",
      target: "deletion",
    });
    await panel.events(script.events.slice(-1));
    assert.match(await words(card("src/old.ts")), /The file changed after this was proposed\./);
    await card("src/old.ts").getByRole("button", { name: "Delete anyway" }).click();
    await decide(script, "r-file", "applied");
    await card("src/shapes.ts")
      .getByRole("button", { name: "shapes.ts → lib/forms.ts src" })
      .click();
    await card("src/shapes.ts")
      .getByRole("button", { name: "Undo this turn's changes to src/shapes.ts" })
      .click();
    assert.deepEqual((await panel.sent()).slice(1), [
      { type: "show-proposal", path: "src/shapes.ts" },
      { type: "accept-block", turnId: "turn-2", blockId: "d-file", overwrite: true },
      { type: "open-file", path: "lib/forms.ts", line: null },
      { type: "restore-files", turnId: "turn-2", path: "src/shapes.ts" },
    ]);
  });

  it("streams each block's code into its row and folds it when the block is complete", async () => {
    const source = "```ts:ast-path:two\nconst b = 2;\n";
    const script = editing({ blockId: "one", status: "captured" });
    await panel.snapshot(script.events, { ...readyStatus, busy: true });
    const textStart = script.events.reduce(
      (sum, event) => (event.type === "text-delta" ? sum + event.text.length : sum),
      0,
    );
    const mark = script.events.length;
    script.edit({ blockId: "two", target: "ast-path:two", index: 2, textStart }).text(source);
    await panel.events(script.since(mark));
    const code = panel.page.locator(".block", { hasText: "two" }).locator("code");
    assert.equal(await code.textContent(), "const b = 2;\n");
    assert.ok(await code.isVisible());
    assert.equal(await panel.page.locator(".card").count(), 1);
    script.text("```").edit({
      blockId: "two",
      target: "ast-path:two",
      textStart,
      textEnd: textStart + source.length + 3,
      status: "captured",
    });
    await panel.events(script.since(mark + 2));
    assert.ok(await code.isHidden());
  });

  it("is reached by keyboard, and keeps the focus where a decision takes its button away", async () => {
    const script = editing({ blockId: "one" }, { blockId: "two" });
    await panel.snapshot(script.end().events);
    await decide(script, "two", "conflict", { undecided: true });
    await panel.page.locator(".card .file").focus();
    for (const key of ["Tab", "Tab", "Tab"]) {
      if (/Ask for a change to one/.test(String(await focused()))) break;
      await panel.page.keyboard.press(key);
    }
    await panel.page.getByRole("button", { name: "Keep mine: two" }).focus();
    await panel.page.keyboard.press("Enter");
    assert.deepEqual((await panel.sent()).at(-1), {
      type: "reject-block",
      turnId: "turn-2",
      blockId: "two",
    });
    await decide(script, "two", "rejected", { undecided: false });
    assert.match(String(await focused()), /one|shapes\.ts/);
  });

  it("offers to save what was accepted and is not on the disk, and to bring back what a command took", async () => {
    const script = editing({ blockId: "one" }, { blockId: "two" });
    await panel.snapshot(script.end().events);
    const card = panel.page.getByRole("group", { name: "Edits of src/shapes.ts" });
    await decide(script, "one", "applied", { isUnsaved: true });
    await card.getByRole("button", { name: "Save src/shapes.ts" }).click();
    const taken = { code: "taken-back", callId: "call-1" } as const;
    await decide(script, "two", "withdrawn", { reason: taken });
    assert.match(await words(card), /accepted, not saved/);
    await card.getByRole("button", { name: /^Bring back/ }).click();
    assert.deepEqual((await panel.sent()).slice(-2), [
      { type: "save-file", path: "src/shapes.ts" },
      { type: "propose-anyway", turnId: "turn-2", blockId: "two" },
    ]);
    await decide(script, "one", "applied", { isUnsaved: undefined });
    assert.equal(await card.getByRole("button", { name: "Save src/shapes.ts" }).count(), 0);
  });

  it("says until the file is saved that an undo is not on the disk, with Save and Redo", async () => {
    const script = editing({ blockId: "one" });
    await decide(script, "one", "applied");
    await panel.snapshot(script.end().events);
    const card = panel.page.getByRole("group", { name: "Edits of src/shapes.ts" });
    const [save, redo] = [/^Save/, /^Redo/].map((name) => card.getByRole("button", { name }));
    const undone = { isUndoUnsaved: true, undone: true } as const;
    await decide(script, "one", "applied", undone);
    await save?.click();
    await redo?.click();
    assert.match(await words(card), /undone, not saved/);
    assert.deepEqual((await panel.sent()).slice(-2), [
      { type: "save-file", path: "src/shapes.ts" },
      { type: "redo-file", turnId: "turn-2", path: "src/shapes.ts" },
    ]);
    await decide(script, "one", "applied", { ...undone, isUndoUnsaved: undefined });
    assert.deepEqual([await save?.count(), await redo?.count()], [0, 1]);
    await decide(script, "one", "applied", { undone: undefined, isUndoUnsaved: true });
    assert.match(await words(card), /accepted, not saved/);
    assert.deepEqual([await save?.count(), await redo?.count()], [1, 0]);
  });

  it("says after Stop that finished edits are kept for review, until they are decided", async () => {
    const script = editing({ blockId: "one" });
    await panel.snapshot(script.events, { ...readyStatus, busy: true });
    assert.match(await words(panel.page.locator(".activity")), /Answering/);
    await panel.events(script.end("cancelled").events.slice(-1));
    const kept = panel.page.locator(".outcome", {
      hasText: "The finished edits are kept for review.",
    });
    await kept.waitFor();
    await decide(script, "one", "rejected");
    await kept.waitFor({ state: "detached" });
    assert.ok(await panel.page.locator(".outcome", { hasText: "Stopped" }).isVisible());
  });
});
