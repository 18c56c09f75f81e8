import assert from "node:assert/strict";
import type { PendingFile } from "../../src/protocol/messages.ts";
import type { EditBlock, EditStatus } from "../../src/turns/editBlock.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";
import { words } from "./words.ts";

const counts = {
  hunks: 1,
  conflicts: 0,
  warnings: 0,
  blocks: 1,
  accepted: 0,
  several: [],
  streaming: false,
};
const util: PendingFile = {
  ...counts,
  path: "packages/zod/src/v4/core/util.ts",
  added: 44,
  removed: 49,
  hunks: 7,
  blocks: 7,
  accepted: 2,
};
const shapes: PendingFile = { ...counts, path: "src/shapes.ts", added: 3, removed: 2 };
const readme: PendingFile = { ...counts, path: "README.md", added: 1, removed: 1, conflicts: 1 };

/** A turn with blocks of one file, named by their blocks' ids, with text between them. */
function editing(
  ...blocks: readonly (Partial<EditBlock> & { readonly blockId: string })[]
): TurnScript {
  const script = new TurnScript().ask("Change");
  let at = 0;
  blocks.forEach((block, index) => {
    const source = "```ts:ast-path:x\nconst a = 1;\n```";
    script.text(source).text(`\nText ${index + 1}\n`);
    const place = { textStart: at, textEnd: at + source.length, index: index + 1 };
    script.edit({
      target: `ast-path:${block.blockId}`,
      status: "pending",
      addedLines: 2,
      removedLines: 1,
      ...place,
      ...block,
    });
    at += source.length + `\nText ${index + 1}\n`.length;
  });
  return script;
}

describe("Review in the panel", () => {
  const panel = withPanel();
  const bar = () => panel.page.getByRole("group", { name: "Changes to review", exact: true });
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

  describe("the bar above the composer", () => {
    it("stays below the end of the chat, also where it appears between a scroll and its event", async () => {
      const script = new TurnScript().ask("Change").text("line\n\n".repeat(60));
      await panel.snapshot(script.events, readyStatus);
      const status = { ...readyStatus, pending: [util, shapes] };
      for (let round = 0; round < 5; round++) {
        const grown = script.text("more\n\n".repeat(3)).events.slice(-1);
        const messages = [
          { type: "events", chatId: "chat-1", after: (grown[0]?.seq ?? 1) - 1, events: grown },
          { type: "status", status },
        ];
        await panel.page.evaluate(`(async () => {
          const [grown, status] = ${JSON.stringify(messages)};
          const scroller = document.querySelector(".scroller");
          const before = scroller.scrollHeight;
          window.postMessage(grown, "*");
          while (scroller.scrollHeight === before) await new Promise((resolve) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = resolve; port2.postMessage(0); });
          window.postMessage(status, "*");
          await window.drawn();
          await window.drawn();
        })()`);
        const left = Number(
          await panel.page.evaluate(
            "(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('.scroller'))",
          ),
        );
        assert.ok(left <= 1, `${left} px are out of sight in round ${round}`);
        await panel.post({ type: "status", status: readyStatus });
      }
    });

    it("sums up what is pending, and is hidden when nothing is", async () => {
      await panel.snapshot([]);
      assert.ok(await bar().isHidden());
      await panel.post({
        type: "status",
        status: { ...readyStatus, pending: [util, shapes, readme] },
      });
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
      assert.match(
        await words(bar().locator(".review-file").first()),
        /^util\.ts packages\/zod\/src\/v4\/core \+44 −49 2 of 7 applied/,
      );
      await bar().locator("vscode-button").last().focus();
      await panel.page.keyboard.press("Tab");
      assert.equal(await focused(), "util.ts packages/zod/src/v4/core");
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

    it("lists deleted and renamed files, each with its own decision beside that on the file's text", async () => {
      const block = { turnId: "turn-1", blockId: "b" };
      const deleted = {
        ...counts,
        path: "src/old.ts",
        added: 0,
        removed: 0,
        operation: { to: null, block },
      };
      const renamed = {
        ...deleted,
        path: shapes.path,
        operation: { to: "src/forms.ts", block: { ...block, blockId: "r" } },
      };
      await panel.snapshot([], { ...readyStatus, pending: [shapes, deleted, renamed] });
      assert.match(await words(bar()), /^2 files \+3 −2/);
      await bar().locator(".review-toggle").click();
      const rows = bar().locator(".review-file");
      assert.match(await words(rows.nth(1)), /^Delete old\.ts src/);
      assert.match(await words(rows.nth(2)), /^shapes\.ts → forms\.ts src/);
      await rows.nth(1).getByRole("button", { name: "Delete old.ts src" }).click();
      await rows.nth(1).getByRole("button", { name: "Reject file" }).click();
      await rows.nth(2).getByRole("button", { name: "Accept file" }).click();
      assert.deepEqual((await panel.sent()).slice(1), [
        { type: "show-proposal", path: "src/old.ts" },
        { type: "reject-block", ...block },
        { type: "accept-block", turnId: "turn-1", blockId: "r", overwrite: false },
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
      await panel.snapshot([], {
        ...readyStatus,
        busy: true,
        pending: [{ ...shapes, streaming: true }],
      });
      await bar().locator(".review-toggle").click();
      assert.equal(
        await bar().getByRole("button", { name: "Accept file src/shapes.ts" }).count(),
        0,
      );
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
      await card.getByRole("button", { name: "Accept one" }).click();
      await card.getByRole("button", { name: "Reject two" }).click();
      assert.deepEqual((await panel.sent()).slice(1), [
        { type: "accept-block", turnId: "turn-2", blockId: "one", overwrite: false },
        { type: "reject-block", turnId: "turn-2", blockId: "two" },
      ]);
      await decide(script, "one", "applied");
      assert.match(await words(card.locator(".card-head")), /\+4 −2 1 of 2 applied/);
      await decide(script, "two", "rejected");
      assert.equal(
        await panel.page.getByRole("button", { name: "Accept changes to src/shapes.ts" }).count(),
        0,
      );
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
      await card("src/old.ts")
        .getByRole("button", { name: "Accept changes to src/old.ts" })
        .click();
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
        { type: "accept-file", path: "src/old.ts", turnId: "turn-2" },
        { type: "show-proposal", path: "src/shapes.ts" },
        { type: "accept-block", turnId: "turn-2", blockId: "d-file", overwrite: true },
        { type: "open-file", path: "lib/forms.ts", line: null },
        { type: "restore-files", turnId: "turn-2", path: "src/shapes.ts" },
      ]);
    });

    it("names the hunks of a block that became several", async () => {
      const script = editing({ blockId: "one" }, { blockId: "two" }).end();
      await panel.snapshot(script.events);
      const several = [{ turnId: "turn-2", blockId: "two", hunks: 2 }];
      await panel.post({
        type: "status",
        status: { ...readyStatus, pending: [{ ...shapes, several }] },
      });
      await panel.page.getByRole("button", { name: "Accept two (2 hunks)" }).waitFor();
      await panel.post({ type: "status", status: { ...readyStatus, pending: [shapes] } });
      await panel.page.getByRole("button", { name: "Accept two", exact: true }).waitFor();
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

    it("looks the same live, in one frame, and after a reload, also with blocks of a tool and of a later step", async () => {
      const script = editing(
        { blockId: "one" },
        { blockId: "other", path: "b.ts" },
        { blockId: "two" },
      );
      script.add(
        { type: "tool-call-start", callId: "c", name: "patch_source_file" },
        { type: "tool-start", callId: "c" },
      );
      script.edit({
        blockId: "three",
        callId: "c",
        path: "b.ts",
        index: 4,
        textStart: 0,
        textEnd: 0,
        status: "pending",
      });
      script.add({ type: "step-start", step: 1 }).text("More:\n").text("```ts:9:9\nx\n```");
      script.edit({
        blockId: "four",
        index: 5,
        step: 1,
        textStart: 6,
        textEnd: 21,
        status: "captured",
      });
      for (const event of script.since(0))
        if (event.type === "edit-update" && event.edit.blockId !== "three")
          script.edit({ ...event.edit, status: "applied" });
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
      const edits = Array.from({ length: 30 }, (_, index) => ({
        blockId: `b${index}`,
        status: "captured" as const,
      }));
      const touched = async (script: TurnScript, number: number): Promise<number> => {
        const textStart = script.events.reduce(
          (sum, event) => (event.type === "text-delta" ? sum + event.text.length : sum),
          0,
        );
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
      assert.ok(
        first > 0 && last <= first * 1.5,
        `${first} changes with one block, ${last} with thirty`,
      );
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
      assert.deepEqual((await panel.sent()).at(-1), {
        type: "accept-block",
        turnId: "turn-2",
        blockId: "two",
        overwrite: false,
      });
      await decide(script, "two", "applied");
      assert.equal(await focused(), "Accept three");
      await decide(script, "three", "applied");
      assert.equal(await focused(), "Accept one");
      await decide(script, "one", "applied");
      assert.equal(await focused(), "shapes.ts src");
    });

    it("moves the focus from a decided file to the next decision in the chat", async () => {
      const script = editing(
        { blockId: "a1", path: "a.ts" },
        { blockId: "b1", path: "b.ts" },
        { blockId: "b2", path: "b.ts" },
      );
      await panel.snapshot(script.end().events);
      await panel.page.getByRole("button", { name: "Accept changes to a.ts" }).focus();
      await decide(script, "a1", "applied");
      assert.equal(await focused(), "Accept changes to b.ts");
      await decide(script, "b2", "conflict", { undecided: true });
      await decide(script, "b1", "applied");
      assert.equal(await focused(), "Keep mine: b2");
      await decide(script, "b2", "rejected", { undecided: false });
      assert.match(String(await focused()), /^b\.ts\s*$/);
    });

    it("shows every decision, also where cards are drawn while decisions arrive", async () => {
      const script = new TurnScript();
      const turns = 80;
      for (let at = 0; at < turns; at++) {
        const source = "```ts:ast-path:x\nconst a = 1;\n```";
        script.ask(`Change ${at}`).text(source).text("\n\nSome words.".repeat(10));
        script
          .edit({
            blockId: `b${at}`,
            path: `f${at}.ts`,
            status: "pending",
            textStart: 0,
            textEnd: source.length,
          })
          .end();
      }
      await panel.snapshot(script.events);
      const edits = script.events.flatMap((event) => (event.type === "edit-update" ? [event] : []));
      let seq = script.events.at(-1)?.seq ?? 0;
      const decided = edits.map((event) => ({
        ...event,
        seq: ++seq,
        edit: { ...event.edit, status: "applied" as const },
      }));
      // Every turn comes into view while decisions arrive, one a task; some come twice.
      await panel.page.evaluate(`(async () => {
        const scroller = document.querySelector(".scroller");
        const events = ${JSON.stringify(decided)};
        for (let at = events.length - 1; at >= 0; at--) {
          const event = events[events.length - 1 - at];
          const message = { type: "events", chatId: "chat-1", after: event.seq - 1, events: [event] };
          window.postMessage(message, "*");
          if (at % 3 === 0) window.postMessage(message, "*");
          document.querySelectorAll(".turn")[at * 2].scrollIntoView({ block: "center" });
          await (at % 2 === 0 ? new Promise(requestAnimationFrame) : new Promise((done) => setTimeout(done)));
        }
        for (const turn of document.querySelectorAll(".turn.undrawn")) {
          turn.scrollIntoView();
          while (turn.classList.contains("undrawn")) await window.drawn();
        }
      })()`);
      const heads = await panel.page.locator(".card-head .state").allTextContents();
      assert.deepEqual(
        heads,
        Array.from({ length: turns }, () => "applied"),
      );
      assert.equal(await panel.page.locator(".card [data-decides=accept]").count(), 0);
    });

    it("announces a decision once a file", async () => {
      const script = editing({ blockId: "one" }, { blockId: "two" }).end();
      await panel.snapshot(script.events);
      const mark = script.events.length;
      for (const event of script.since(0))
        if (event.type === "edit-update") script.edit({ ...event.edit, status: "applied" });
      await panel.events(script.since(mark));
      assert.equal(
        await panel.page.locator("[role=status]").textContent(),
        "Edits of src/shapes.ts: applied",
      );
    });
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
