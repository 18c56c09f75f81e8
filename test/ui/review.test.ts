import assert from "node:assert/strict";
import type { PendingFile } from "../../src/protocol/messages.ts";
import type { EditBlock, EditStatus } from "../../src/turns/turnEvent.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";
import { words } from "./words.ts";

const counts = { hunks: 1, conflicts: 0, warnings: 0, blocks: 1, accepted: 0, several: [], streaming: false, applied: false };
const util: PendingFile = { ...counts, path: "packages/zod/src/v4/core/util.ts", added: 44, removed: 49, hunks: 7, blocks: 7, accepted: 2 };
const shapes: PendingFile = { ...counts, path: "src/shapes.ts", added: 3, removed: 2 };
const readme: PendingFile = { ...counts, path: "README.md", added: 1, removed: 1, conflicts: 1 };

/** A turn with blocks of one file, named by their blocks' ids, with text between them. */
function editing(...blocks: readonly (Partial<EditBlock> & { readonly blockId: string })[]): TurnScript {
  const script = new TurnScript().ask("Change");
  let at = 0;
  blocks.forEach((block, index) => {
    const source = "```ts:ast-path:x\nconst a = 1;\n```";
    script.text(source).text(`\nText ${index + 1}\n`);
    const place = { textStart: at, textEnd: at + source.length, index: index + 1 };
    script.edit({ target: `ast-path:${block.blockId}`, status: "pending", addedLines: 2, removedLines: 1, ...place, ...block });
    at += source.length + `\nText ${index + 1}\n`.length;
  });
  return script;
}

describe("Review in the panel", function () {
  this.timeout(60_000);
  const panel = withPanel();
  const bar = () => panel.page.getByRole("group", { name: "Changes to review", exact: true });
  const focused = (): Promise<unknown> =>
    panel.page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent");
  const decide = (script: TurnScript, blockId: string, status: EditStatus): Promise<void> => {
    const edit = script.events
      .flatMap((event) => (event.type === "edit-update" && event.edit.blockId === blockId ? [event.edit] : []))
      .at(-1);
    assert.ok(edit);
    return panel.events(script.edit({ ...edit, status }).events.slice(-1));
  };

  describe("the bar above the composer", () => {
    it("sums up what is pending, and is hidden when nothing is", async () => {
      await panel.snapshot([]);
      assert.ok(await bar().isHidden());
      await panel.post({ type: "status", status: { ...readyStatus, pending: [util, shapes, readme] } });
      assert.match(await words(bar()), /^3 files \+48 −52 1 conflict/);
      await bar().getByText("Review", { exact: true }).click();
      await bar().getByText("Accept all").click();
      await bar().getByText("Reject all").click();
      assert.deepEqual((await panel.sent()).slice(1), [
        { type: "show-proposal", path: null },
        { type: "accept-all" },
        { type: "reject-all" },
      ]);
      await panel.post({ type: "status", status: readyStatus });
      assert.ok(await bar().isHidden());
    });

    it("unfolds to the files, each with its own decision, by keyboard as one tab stop", async () => {
      await panel.snapshot([], { ...readyStatus, pending: [util, shapes] });
      const toggle = bar().locator(".review-toggle");
      await toggle.press("Enter");
      assert.equal(await toggle.getAttribute("aria-expanded"), "true");
      assert.match(await words(bar().locator(".review-file").first()), /^util\.ts packages\/zod\/src\/v4\/core \+44 −49 2 of 7 ✓/);
      await bar().locator("vscode-button").last().focus();
      await panel.page.keyboard.press("Tab");
      assert.equal(await focused(), util.path);
      await panel.page.keyboard.press("Enter");
      await panel.page.keyboard.press("ArrowRight");
      await panel.page.keyboard.press("Enter");
      await panel.page.keyboard.press("ArrowDown");
      await panel.page.keyboard.press("ArrowRight");
      assert.equal(await focused(), "Reject file src/shapes.ts");
      await panel.page.keyboard.press("Enter");
      assert.deepEqual((await panel.sent()).slice(1), [
        { type: "show-proposal", path: util.path },
        { type: "accept-file", path: util.path },
        { type: "reject-file", path: "src/shapes.ts" },
      ]);
      await panel.page.keyboard.press("Tab");
      assert.equal(await focused(), "Message to Graft");
    });

    it("keeps or undoes changes that were applied first, beside proposals", async () => {
      const applied = { ...shapes, blocks: 0, applied: true };
      await panel.snapshot([], { ...readyStatus, pending: [applied] });
      await bar().locator(".review-toggle").click();
      assert.match(await words(bar().locator(".review-file")), /^shapes\.ts src \+3 −2 applied/);
      await bar().getByText("Review", { exact: true }).click();
      await bar().getByText("Keep all").click();
      await bar().getByRole("button", { name: "Undo changes to src/shapes.ts" }).click();
      await panel.post({ type: "status", status: { ...readyStatus, pending: [shapes, applied] } });
      assert.match(await words(bar()), /^1 file/);
      await bar().getByRole("button", { name: "Keep changes to src/shapes.ts" }).click();
      await bar().getByText("Reject all").click();
      assert.deepEqual((await panel.sent()).slice(1), [
        { type: "show-changes", path: "src/shapes.ts" },
        { type: "keep-changes", path: null },
        { type: "undo-changes", path: "src/shapes.ts" },
        { type: "keep-changes", path: "src/shapes.ts" },
        { type: "reject-all" },
        { type: "undo-changes", path: null },
      ]);
    });

    it("moves the focus from a decided file to the next, and after the last into the composer", async () => {
      await panel.snapshot([], { ...readyStatus, pending: [util, shapes, readme] });
      await bar().locator(".review-toggle").click();
      await panel.page.getByRole("button", { name: `Accept file ${util.path}` }).focus();
      await panel.post({ type: "status", status: { ...readyStatus, pending: [shapes, readme] } });
      assert.equal(await focused(), "Accept file src/shapes.ts");
      await panel.post({ type: "status", status: { ...readyStatus, pending: [] } });
      assert.equal(await focused(), "Message to Graft");
    });

    it("does not offer a decision on a file that is being written", async () => {
      await panel.snapshot([], { ...readyStatus, busy: true, pending: [{ ...shapes, streaming: true }] });
      await bar().locator(".review-toggle").click();
      assert.equal(await bar().getByRole("button", { name: "Accept file src/shapes.ts" }).count(), 0);
    });

    it("fits into 240 pixels with the file names readable", async () => {
      await panel.page.setViewportSize({ width: 240, height: 700 });
      const script = editing({ blockId: "a", path: util.path }, { blockId: "b", path: util.path });
      await panel.snapshot(script.events, { ...readyStatus, pending: [util, shapes, readme] });
      await bar().locator(".review-toggle").click();
      const clipped = await panel.page.evaluate(
        "[...document.querySelectorAll('.file-name, .composer, .review-bar, .card')].filter((e) => e.scrollWidth > e.clientWidth).length",
      );
      assert.equal(clipped, 0);
    });
  });

  describe("a file's card", () => {
    it("collects the blocks of a turn where the file was written last, with a decision for each", async () => {
      const script = editing({ blockId: "one" }, { blockId: "other", path: "b.ts" }, { blockId: "two" });
      await panel.snapshot(script.end().events);
      assert.equal(await panel.page.locator(".card").count(), 2);
      const card = panel.page.getByRole("group", { name: "Edits of src/shapes.ts" });
      assert.deepEqual(await panel.page.locator(".turn-agent .markdown, .card .file").allTextContents(), [
        "Text 1\n",
        "b.ts ",
        "Text 2\n",
        "shapes.ts src",
        "Text 3\n",
      ]);
      assert.match(await words(card.locator(".card-head")), /\+4 −2 waiting for review/);
      await card.getByRole("button", { name: "Accept one" }).click();
      await card.getByRole("button", { name: "Reject two" }).click();
      assert.deepEqual((await panel.sent()).slice(1), [
        { type: "accept-block", turnId: "turn-2", blockId: "one", overwrite: false },
        { type: "reject-block", turnId: "turn-2", blockId: "two" },
      ]);
      await decide(script, "one", "applied");
      assert.match(await words(card.locator(".card-head")), /\+4 −2 1 of 2 ✓/);
      await decide(script, "two", "rejected");
      assert.equal(await panel.page.getByRole("button", { name: "Accept file src/shapes.ts" }).count(), 0);
    });

    it("names the hunks of a block that became several", async () => {
      const script = editing({ blockId: "one" }, { blockId: "two" }).end();
      await panel.snapshot(script.events);
      const several = [{ turnId: "turn-2", blockId: "two", hunks: 2 }];
      await panel.post({ type: "status", status: { ...readyStatus, pending: [{ ...shapes, several }] } });
      await panel.page.getByRole("button", { name: "Accept two (2 hunks)" }).waitFor();
      await panel.post({ type: "status", status: { ...readyStatus, pending: [shapes] } });
      await panel.page.getByRole("button", { name: "Accept two", exact: true }).waitFor();
    });

    it("streams each block's code into its row and folds it when the block is complete", async () => {
      const source = "```ts:ast-path:two\nconst b = 2;\n";
      const script = editing({ blockId: "one", status: "captured" });
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      const textStart = script.events.reduce((sum, event) => (event.type === "text-delta" ? sum + event.text.length : sum), 0);
      const mark = script.events.length;
      script.edit({ blockId: "two", target: "ast-path:two", index: 2, textStart }).text(source);
      await panel.events(script.since(mark));
      const code = panel.page.locator(".block", { hasText: "two" }).locator("code");
      assert.equal(await code.textContent(), "const b = 2;\n");
      assert.ok(await code.isVisible());
      assert.equal(await panel.page.locator(".card").count(), 1);
      script
        .text("```")
        .edit({ blockId: "two", target: "ast-path:two", textStart, textEnd: textStart + source.length + 3, status: "captured" });
      await panel.events(script.since(mark + 2));
      assert.ok(await code.isHidden());
    });

    it("looks the same live, in one frame, and after a reload, also with blocks of a tool and of a later step", async () => {
      const script = editing({ blockId: "one" }, { blockId: "other", path: "b.ts" }, { blockId: "two" });
      script.add({ type: "tool-call-start", callId: "c", name: "patch_source_file" }, { type: "tool-start", callId: "c" });
      script.edit({ blockId: "three", callId: "c", path: "b.ts", index: 4, textStart: 0, textEnd: 0, status: "pending" });
      script.add({ type: "step-start", step: 1 }).text("More:\n").text("```ts:9:9\nx\n```");
      script.edit({ blockId: "four", index: 5, step: 1, textStart: 6, textEnd: 21, status: "captured" });
      for (const event of script.since(0))
        if (event.type === "edit-update" && event.edit.blockId !== "three") script.edit({ ...event.edit, status: "applied" });
      script.end();
      const markup = async () => (await panel.markup()).replaceAll(/<code>.*?<\/code>/gs, "");
      await panel.snapshot([]);
      for (const event of script.events) await panel.events([event]);
      const live = await markup();
      await panel.snapshot(script.events);
      assert.equal(await markup(), live);
      await panel.snapshot([]);
      await panel.events(script.events);
      assert.equal(await markup(), live);
      assert.equal(await panel.page.locator(".tool-row .card").count(), 1);
    });

    it("draws no more for a piece of code after thirty blocks than after one", async () => {
      const source = "```ts:ast-path:x\nconst a = 1;\n```";
      const edits = Array.from({ length: 30 }, (_, index) => ({ blockId: `b${index}`, status: "captured" as const }));
      const touched = async (script: TurnScript, number: number): Promise<number> => {
        const textStart = script.events.reduce((sum, event) => (event.type === "text-delta" ? sum + event.text.length : sum), 0);
        const edit = { blockId: "last", target: "ast-path:last", index: number, textStart };
        const start = script.events.length;
        script.edit(edit).text(source.slice(0, 20));
        await panel.events(script.since(start));
        const mark = script.events.length;
        script.text("b").edit({ ...edit, addedLines: 5 });
        await panel.page.evaluate(`(() => {
          window.touched = 0;
          window.watcher?.disconnect();
          window.watcher = new MutationObserver((records) => {
            for (const { addedNodes } of records) for (const node of [...addedNodes]) window.touched += node.querySelectorAll?.("*").length ?? 0;
            window.touched += records.length;
          });
          window.watcher.observe(document.querySelector(".turns"), { childList: true, characterData: true, attributes: true, subtree: true });
        })()`);
        await panel.events(script.since(mark));
        return Number(await panel.page.evaluate("window.touched"));
      };
      const few = editing({ blockId: "b0", status: "captured" });
      await panel.snapshot(few.events, { ...readyStatus, busy: true });
      const first = await touched(few, 2);
      const many = editing(...edits);
      await panel.snapshot(many.events, { ...readyStatus, busy: true });
      assert.equal(await panel.page.locator(".block").count(), 30);
      const last = await touched(many, 31);
      // The browser highlights earlier code in idle time.
      assert.ok(first > 0 && last <= first * 1.5, `${first} changes with one block, ${last} with thirty`);
    });

    it("is decided by keyboard: arrow keys reach every block, and the focus goes on to the next decision", async () => {
      const script = editing({ blockId: "one" }, { blockId: "two" }, { blockId: "three" });
      await panel.snapshot(script.end().events);
      await panel.page.locator(".card .buttons vscode-button").last().focus();
      await panel.page.keyboard.press("Tab");
      assert.match(String(await focused()), /one/);
      await panel.page.keyboard.press("ArrowRight");
      assert.equal(await focused(), "Accept one");
      await panel.page.keyboard.press("ArrowDown");
      assert.equal(await focused(), "Accept two");
      await panel.page.keyboard.press("Enter");
      assert.deepEqual((await panel.sent()).at(-1), { type: "accept-block", turnId: "turn-2", blockId: "two", overwrite: false });
      await decide(script, "two", "applied");
      assert.equal(await focused(), "Accept three");
      await decide(script, "three", "applied");
      assert.equal(await focused(), "Accept one");
      await decide(script, "one", "applied");
      assert.equal(await focused(), "src/shapes.ts");
    });

    it("announces a decision once a file", async () => {
      const script = editing({ blockId: "one" }, { blockId: "two" }).end();
      await panel.snapshot(script.events);
      const mark = script.events.length;
      for (const event of script.since(0)) if (event.type === "edit-update") script.edit({ ...event.edit, status: "applied" });
      await panel.events(script.since(mark));
      assert.equal(await panel.page.locator("[role=status]").textContent(), "Edits of src/shapes.ts: applied");
    });
  });

  it("says after Stop that finished edits are kept for review, until they are decided", async () => {
    const script = editing({ blockId: "one" });
    await panel.snapshot(script.events, { ...readyStatus, busy: true });
    assert.match(await words(panel.page.locator(".activity")), /Answering/);
    await panel.events(script.end("cancelled").events.slice(-1));
    const kept = panel.page.locator(".outcome", { hasText: "The finished edits are kept for review." });
    await kept.waitFor();
    await decide(script, "one", "rejected");
    await kept.waitFor({ state: "detached" });
    assert.ok(await panel.page.locator(".outcome", { hasText: "Stopped" }).isVisible());
  });
});
