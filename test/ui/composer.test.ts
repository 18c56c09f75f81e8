import assert from "node:assert/strict";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";
import { words } from "./words.ts";

describe("The composer of the panel", () => {
  const panel = withPanel();

  it("sends with Enter, breaks the line with Shift+Enter, and clears the box", async () => {
    await panel.snapshot([]);
    const box = panel.page.getByLabel("Message to Graft");
    await box.fill("first");
    await box.press("Shift+Enter");
    await box.pressSequentially("second");
    assert.equal(await box.inputValue(), "first\nsecond");
    await box.press("Enter");
    assert.deepEqual((await panel.sent()).at(-1), { type: "send", text: "first\nsecond" });
    assert.equal(await box.inputValue(), "");
  });

  it("sends nothing during input method composition, and no empty message", async () => {
    await panel.snapshot([]);
    const box = panel.page.getByLabel("Message to Graft");
    await box.fill("にほん");
    await box.dispatchEvent("keydown", { key: "Enter", isComposing: true });
    await box.dispatchEvent("keydown", { key: "Enter", keyCode: 229 });
    await box.fill("   ");
    await box.press("Enter");
    assert.deepEqual(await panel.sent(), [{ type: "ready" }]);
  });

  it("shows Stop instead of Send while a turn runs, and keeps what is typed meanwhile", async () => {
    await panel.snapshot(new TurnScript().ask("Hello").events, { ...readyStatus, busy: true });
    const box = panel.page.getByLabel("Message to Graft");
    await box.fill("next");
    await panel.page
      .getByRole("button", { name: "Send", exact: true })
      .waitFor({ state: "hidden" });
    await panel.page.getByRole("button", { name: "Stop", exact: true }).click();
    assert.deepEqual((await panel.sent()).at(-1), { type: "stop" });
    // Before the host says that it has stopped.
    await panel.page.getByRole("button", { name: "Stopping…", exact: true }).waitFor();
    await panel.post({ type: "status", status: readyStatus });
    await panel.page.getByRole("button", { name: "Send", exact: true }).click();
    assert.deepEqual((await panel.sent()).at(-1), { type: "send", text: "next" });
  });

  it("recalls what was asked with the up key in an empty box", async () => {
    await panel.snapshot(new TurnScript().ask("first").end().ask("second").end().events);
    const box = panel.page.getByLabel("Message to Graft");
    await box.press("ArrowUp");
    assert.equal(await box.inputValue(), "second");
    await box.press("ArrowUp");
    await box.press("ArrowUp");
    assert.equal(await box.inputValue(), "first");
    await box.fill("mine");
    await box.press("ArrowUp");
    assert.equal(await box.inputValue(), "mine");
  });

  it("shows how much the model reasons, and asks for another effort with a click", async () => {
    await panel.snapshot([], { ...readyStatus, effort: "high" });
    await panel.page.getByRole("button", { name: "Reasoning: high effort" }).click();
    assert.deepEqual((await panel.sent()).at(-1), { type: "choose-effort" });
    await panel.post({ type: "status", status: readyStatus });
    await panel.page.getByRole("button", { name: "Reasoning" }).waitFor({ state: "hidden" });
  });

  it("keeps the draft over a reload", async () => {
    await panel.snapshot([]);
    await panel.page.getByLabel("Message to Graft").fill("not sent yet");
    await panel.page.reload();
    assert.equal(await panel.page.getByLabel("Message to Graft").inputValue(), "not sent yet");
  });

  it("shows why nothing can be sent", async () => {
    await panel.snapshot([], { ...readyStatus, workspace: false });
    assert.ok(await panel.page.getByText("Open a folder to start").isVisible());
    assert.ok(await panel.page.getByLabel("Message to Graft").isDisabled());
  });

  it("takes the focus when the host asks", async () => {
    await panel.snapshot([]);
    await panel.post({ type: "focus-composer" });
    assert.equal(await panel.page.evaluate("document.activeElement.tagName"), "TEXTAREA");
  });

  it("shows how full the context window is, what takes it, and makes room on a click", async () => {
    const usage = {
      type: "usage",
      usage: { inputTokens: 9_000, outputTokens: 1_000, cost: 0.042 },
    } as const;
    const use = {
      window: 128_000,
      reserve: 16_000,
      system: 900,
      tools: 6_200,
      attachments: 2_100,
      history: 30_000,
    };
    const script = new TurnScript().ask("Go").add({ type: "context-use", use }, usage).text("Yes.");
    await panel.snapshot([]);
    const meter = panel.page.locator(".meter");
    assert.ok(await meter.isHidden(), "nothing is known before the first request");
    await panel.snapshot(script.events, { ...readyStatus, busy: true });
    const details = panel.page.getByRole("group", { name: "Context window" });
    const toggle = panel.page.getByRole("button", { name: "31% of the context window used" });
    assert.ok(await details.isHidden());
    await toggle.focus();
    await details.waitFor();
    assert.match(
      await words(details),
      /^Context window 39k of 128k tokens ?test-model ?System prompt 900 ?Tools 6\.2k ?Attachments 2\.1k ?Conversation 30k ?Reserved for the answer 16k ?Left 73k ?Input 9,000, output 1,000 This chat: 10,000 tokens · \$0\.04/,
    );
    const compact = panel.page.getByRole("button", { name: /^Compact now/ });
    assert.ok(await compact.isDisabled(), "while an answer runs");
    await panel.page.keyboard.press("Escape");
    await details.waitFor({ state: "hidden" });
    await panel.snapshot(script.end().events);
    await toggle.press("Enter");
    await panel.page.keyboard.press("Tab");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual((await panel.sent()).at(-1), { type: "send", text: "/compact" });
    await panel.page.locator(".meter-button:focus").waitFor();
    assert.ok(await details.isHidden());
    // Of the model chosen now, with what is attached to the draft.
    const percent = (share: number) =>
      panel.page.getByRole("button", { name: `${share}% of the context window used` });
    const next = { model: "other-1", window: 64_000 };
    await panel.post({ type: "status", status: { ...readyStatus, model: "Other", next } });
    await percent(61).press("Enter");
    assert.match(await words(details), /Other ?.*Last answer: demo/);
    const ref = { kind: "file" as const, path: "a.ts", lines: null, name: "", text: null };
    const items = [{ ref, tokens: 6_400, clipped: false }];
    await panel.post({ type: "attach", items, refused: [] });
    await percent(71).waitFor();
    await panel.page.getByRole("button", { name: "Remove a.ts" }).press("Enter");
    await percent(61).waitFor();
  });

  it("keeps the composer's buttons in one row, each with its name, in narrow panels", async () => {
    const use = {
      window: 128_000,
      reserve: 16_000,
      system: 1_000,
      tools: 6_000,
      attachments: 0,
      history: 3_000,
    };
    const { events } = new TurnScript().ask("Go").add({ type: "context-use", use }).text("Yes.");
    for (const width of [240, 300, 360])
      for (const isBusy of [true, false]) {
        await panel.page.setViewportSize({ width, height: 720 });
        await panel.snapshot(events, {
          ...readyStatus,
          model: "a-model-with-a-very-long-name",
          busy: isBusy,
        });
        await panel.page.getByLabel("Message to Graft").fill("And on");
        const bar = panel.page.locator(".composer-bar");
        const shown = bar
          .locator(":is(button:not(.meter-details *), vscode-button:not(.meter-details *))")
          .filter({ visible: true });
        const boxes = await Promise.all(
          (await shown.all()).map(async (each) => each.boundingBox()),
        );
        const middles = boxes.map((box) => Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2));
        assert.ok(
          Math.max(...middles) - Math.min(...middles) <= 2,
          `one row at ${width} px: ${middles}`,
        );
        assert.ok(
          Math.min(...boxes.map((box) => box?.width ?? 0)) >= 22,
          `nothing is squeezed away at ${width} px`,
        );
        assert.ok(Math.max(...boxes.map((box) => (box?.x ?? 0) + (box?.width ?? 0))) <= width);
        const names = isBusy
          ? [
              "Model: a-model-with-a-very-long-name. Choose another.",
              "Queue message for the next step",
              "Stop",
            ]
          : ["Model: a-model-with-a-very-long-name. Choose another.", "Send"];
        for (const name of names)
          assert.equal(
            await bar.getByTitle(name, { exact: true }).filter({ visible: true }).count(),
            1,
            name,
          );
        await panel.page.getByLabel("Message to Graft").focus();
        const reached: unknown[] = [];
        for (let key = 0; key <= boxes.length; key++) {
          await panel.page.keyboard.press("Tab");
          reached.push(await panel.page.evaluate("document.activeElement.title"));
        }
        for (const name of names)
          assert.ok(reached.includes(name), `the keyboard reaches ${name}: ${reached.join(", ")}`);
      }
  });
});
