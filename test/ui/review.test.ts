import assert from "node:assert/strict";
import type { PendingFile } from "../../src/protocol/messages.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { editing } from "./editing.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";
import { words } from "./words.ts";

const counts = {
  hunks: 1,
  conflicts: 0,
  warnings: 0,
  accepted: 0,
  streaming: false,
};
const util: PendingFile = {
  ...counts,
  path: "packages/zod/src/v4/core/util.ts",
  added: 44,
  removed: 49,
  hunks: 7,
  accepted: 2,
};
const shapes: PendingFile = { ...counts, path: "src/shapes.ts", added: 3, removed: 2 };
const readme: PendingFile = { ...counts, path: "README.md", added: 1, removed: 1, conflicts: 1 };

describe("The review bar above the composer", () => {
  const panel = withPanel();
  const bar = () => panel.page.getByRole("group", { name: "Changes to review", exact: true });
  const focused = (): Promise<unknown> =>
    panel.page.evaluate(
      "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()",
    );

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
      /^util\.ts packages\/zod\/src\/v4\/core \+44 −49 7 changes · 2 accepted/,
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

  it("counts the changes by chat and guest, each with decisions on its own alone", async () => {
    const share = (
      chatId: string,
      kind: "own" | "chat" | "guest",
      name: string,
      hunks: number,
    ) => ({
      ...{ chatId, kind, name, hunks },
    });
    const pending = [
      { ...util, shares: [share("chat-1", "own", "", 4), share("chat-2", "chat", "Cart", 3)] },
      { ...shapes, shares: [share("chat-2", "chat", "Cart", 1)] },
      { ...readme, shares: [share("guest-1", "guest", "Claude Code", 1)] },
    ];
    await panel.snapshot([], { ...readyStatus, pending });
    assert.match(await words(bar()), /2 from "Cart" · 1 from Claude Code/);
    await bar().locator(".review-toggle").press("Enter");
    const rows = bar().locator(".review-share");
    assert.deepEqual(await Promise.all((await rows.all()).map(words)), [
      "this chat 1 file · 4 changes",
      '"Cart" 2 files · 4 changes',
      "Claude Code 1 file",
    ]);
    await bar().locator("vscode-button").last().focus();
    await panel.page.keyboard.press("Tab");
    await panel.page.keyboard.press("Enter");
    await panel.page.keyboard.press("ArrowDown");
    await panel.page.keyboard.press("ArrowRight");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual((await panel.sent()).slice(1), [
      { type: "accept-chat", of: null },
      { type: "reject-chat", of: "chat-2" },
    ]);
    // All of one chat, as in most cases.
    await panel.post({ type: "status", status: { ...readyStatus, pending: [util] } });
    assert.equal(await rows.count(), 0);
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

  it("says which proposals could not be stored until they are", async () => {
    const unkept = { ...shapes, unkept: "ENOSPC: no space left on device" };
    await panel.snapshot([], { ...readyStatus, pending: [unkept, util] });
    const said = bar().getByRole("status").filter({ hasText: "no space left on device" });
    await said.waitFor();
    await bar().locator(".review-toggle").click();
    assert.match(await words(bar().locator(".review-file").first()), /not stored/);
    assert.doesNotMatch(await words(bar().locator(".review-file").nth(1)), /not stored/);
    await panel.post({ type: "status", status: { ...readyStatus, pending: [shapes, util] } });
    await said.waitFor({ state: "hidden" });
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
