import assert from "node:assert/strict";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { block, fullTurn } from "./fullTurn.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";
import { words } from "./words.ts";

describe("Edit blocks in the panel", () => {
  const panel = withPanel();

  it("shows an edit block as a card and never shows its fence", async () => {
    const script = new TurnScript().ask("Change area()");
    await panel.snapshot(script.events, { ...readyStatus, busy: true });
    await panel.page.evaluate(
      `window.seen = []; new MutationObserver(() => window.seen.push(document.querySelector(".turns").textContent))
      .observe(document.querySelector(".turns"), { childList: true, subtree: true, characterData: true })`,
    );
    let at = script.events.length;
    const send = async (): Promise<void> => {
      await panel.events(script.since(at));
      at = script.events.length;
    };
    script.text("Here it is:\n\n");
    for (const character of block) {
      script.text(character);
      await send();
      // The host knows the block once its first line is complete, and reports it by the next frame.
      if (script.events.length > 26) script.edit({ textStart: 13, addedLines: 2, removedLines: 1 });
    }
    script.edit({
      textStart: 13,
      textEnd: 13 + block.length,
      status: "pending",
      addedLines: 3,
      removedLines: 2,
    });
    script.text("\nThat was it.");
    await send();
    const seen = await panel.page.evaluate(
      "window.seen.filter((text) => text.includes('`')).length",
    );
    assert.equal(seen, 0, "a fence was shown");
    const card = panel.page.getByRole("group", {
      name: "Edits of src/shapes.ts: pending",
    });
    assert.match(await words(card), /shapes\.ts\s+src[\s\S]*\+3 −2[\s\S]*pending[\s\S]*lines 3-4/);
    assert.equal(
      await card.locator("code").textContent(),
      "export function area(shape: Shape): number {\n  return 1;\n}\n",
    );
    assert.ok(await panel.page.getByText("That was it.").isVisible());
  });

  it("shows a file's diff from its card", async () => {
    await panel.snapshot(fullTurn().events, { ...readyStatus, busy: true });
    await panel.page.getByRole("button", { name: "shapes.ts src" }).click();
    assert.deepEqual((await panel.sent()).slice(1), [
      { type: "show-proposal", path: "src/shapes.ts" },
    ]);
  });

  it("offers to undo the changes of an ended turn, all or by file, and lists what was undone", async () => {
    const script = new TurnScript().ask("Rename area()\nand its callers").text("Done.");
    for (const [blockId, path] of [
      ["one", "src/a.ts"],
      ["two", "src/a.ts"],
      ["three", "src/b.ts"],
    ] as const)
      script.edit({ blockId, path, textStart: 5, textEnd: 5, status: "applied" });
    script.edit({
      blockId: "four",
      path: "src/c.ts",
      textStart: 5,
      textEnd: 5,
      status: "rejected",
    });
    await panel.snapshot(script.events, { ...readyStatus, busy: true });
    const offers = panel.page.getByRole("button", { name: /^Undo this turn's changes/ });
    assert.equal(await offers.count(), 0, "while the turn runs");
    await panel.events(script.end().since(script.events.length - 1));
    await panel.page
      .getByRole("button", { name: "Undo this turn's changes", exact: true })
      .press("Enter");
    await panel.page
      .getByRole("button", { name: "Undo this turn's changes to src/a.ts" })
      .press("Enter");
    await panel.page.getByRole("button", { name: "Undo this turn's changes to src/b.ts" }).click();
    assert.equal(await offers.count(), 3);
    assert.deepEqual((await panel.sent()).slice(1), [
      { type: "restore-files", turnId: "turn-2", path: null },
      { type: "restore-files", turnId: "turn-2", path: "src/a.ts" },
      { type: "restore-files", turnId: "turn-2", path: "src/b.ts" },
    ]);
    const files = [
      { path: "src/a.ts", deleted: false },
      { path: "src/b.ts", deleted: true },
    ];
    script.add({ type: "files-restored", request: "Rename area()\nand its callers", files });
    await panel.events(script.since(script.events.length - 1));
    const sentence =
      "Undid the changes since “Rename area() and its callers”: src/a.ts, src/b.ts (deleted)";
    assert.ok(await panel.page.locator(".note", { hasText: sentence }).isVisible());
    assert.deepEqual(await panel.page.locator(".card-facts .state").allTextContents(), [
      "undone",
      "undone",
      "rejected",
    ]);
    assert.equal(await offers.filter({ visible: true }).count(), 0, "nothing is left to undo");
    await panel.page
      .getByRole("status")
      .filter({ hasText: sentence })
      .waitFor({ state: "attached" });
  });

  it("offers to show a guarded block anyway, and shows stopped blocks in a neutral tone", async () => {
    const script = new TurnScript().ask("Change");
    const reason = { code: "elision", line: "// ..." } as const;
    script.edit({
      blockId: "one",
      path: "src/a.ts",
      textStart: 0,
      textEnd: 0,
      status: "held",
      reason,
    });
    script.edit({
      blockId: "two",
      path: "src/a.ts",
      textStart: 0,
      textEnd: 0,
      status: "stopped",
      reason: { code: "stopped" },
    });
    await panel.snapshot(script.end().events);
    const reasons = panel.page.locator(".card-reason", {
      hasText: "Looks like an elision: // ...",
    });
    assert.equal(await reasons.locator("code").textContent(), "// ...");
    assert.equal(
      await panel.page
        .locator(".block", { hasText: "Stopped before this was complete." })
        .getAttribute("data-tone"),
      "off",
    );
    await panel.page.getByText("Show anyway").click();
    assert.deepEqual((await panel.sent()).slice(1), [
      { type: "propose-anyway", turnId: "turn-2", blockId: "one" },
    ]);
    script.edit({
      blockId: "one",
      path: "src/a.ts",
      textStart: 0,
      textEnd: 0,
      status: "pending",
      reason: null,
      warnings: [{ code: "syntax" }],
    });
    await panel.events(script.since(script.events.length - 1));
    await panel.page.getByText("Adds a syntax error").waitFor();
    assert.equal(await panel.page.getByText("Show anyway").count(), 0);
    assert.match(await words(panel.page.locator(".card").first()), /pending/);
  });

  it("opens the diff of an undecided conflict and the file of a decided one, and hides empty line counts", async () => {
    const script = new TurnScript().ask("Change").end();
    const conflict = {
      blockId: "one",
      path: "src/a.ts",
      textStart: 0,
      textEnd: 0,
      status: "conflict",
      reason: { code: "edited-meanwhile" },
    } as const;
    script.edit({ ...conflict, addedLines: 2, removedLines: 1, undecided: true });
    script.edit({
      blockId: "two",
      path: "src/b.ts",
      textStart: 0,
      textEnd: 0,
      status: "refused",
      reason: { code: "invalid-address" },
    });
    await panel.snapshot(script.events);
    await panel.page.getByText("The address of the block is not valid.").waitFor();
    const heads = await panel.page.locator(".card-head .counts").all();
    assert.deepEqual(await Promise.all(heads.map((counts) => counts.isVisible())), [true, false]);
    await panel.page.getByRole("button", { name: "Show both: lines 3-4" }).click();
    await panel.page.getByRole("button", { name: "Keep mine: lines 3-4" }).click();
    await panel.page.getByRole("button", { name: "Take proposed: lines 3-4" }).click();
    script.edit({ ...conflict, addedLines: 2, removedLines: 1 });
    await panel.events(script.since(script.events.length - 1));
    await panel.page.getByText("Keep mine").waitFor({ state: "detached" });
    await panel.page.getByRole("button", { name: "a.ts src", exact: true }).click();
    assert.deepEqual((await panel.sent()).slice(1), [
      { type: "show-proposal", path: "src/a.ts" },
      { type: "reject-block", turnId: "turn-2", blockId: "one" },
      { type: "accept-block", turnId: "turn-2", blockId: "one", overwrite: true },
      { type: "open-file", path: "src/a.ts", line: 3 },
    ]);
  });
});
