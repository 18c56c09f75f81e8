import assert from "node:assert/strict";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";

const busy = { ...readyStatus, busy: true };

describe("Queued messages and versions in the panel", () => {
  const panel = withPanel();

  const button = (name: string) => panel.page.getByRole("button", { name, exact: true });
  const hint = () => panel.page.locator(".composer-hint", { hasText: "Graft is still answering." });
  const message = () => panel.page.getByLabel("Message to Graft");
  const sent = async () => (await panel.sent()).filter(({ type }) => type !== "ready");

  it("queues a message that is sent while a turn runs", async () => {
    const script = new TurnScript().ask("Go").text("Once upon a time");
    await panel.snapshot(script.events, busy);
    assert.equal(await button("Send").isVisible(), false);
    assert.ok(await button("Stop").isVisible());
    await message().fill("In French");
    await message().press("Enter");
    assert.deepEqual(await sent(), [{ type: "send", text: "In French" }]);
    assert.equal(await message().inputValue(), "");
    const queue = panel.page.getByRole("group", { name: "Queued messages" });
    assert.ok(
      await queue.getByText("In French").isVisible(),
      "it is there before the host answers",
    );
    const posted = (await panel.posted()).at(-1);
    assert.ok(posted?.type === "send");
    await panel.events(script.queue([{ id: posted.id, text: "In French" }]).events.slice(-1));
    assert.ok(await queue.getByText("In French").isVisible());
    assert.equal(await button("Edit: In French").count(), 0, "nothing on the disk has it");
    assert.ok(await queue.getByText("Sending…").first().isVisible());
    await panel.post({ type: "settled", id: posted.id, refused: false });
    assert.equal(await button("Edit: In French").count(), 1);
    await panel.post({ type: "status", status: readyStatus });
    assert.ok(await queue.getByText("Queued for your next message").isVisible());
    await panel.events(script.queue([]).events.slice(-1));
    assert.equal(await queue.isVisible(), false);
    assert.ok(await button("Send").isVisible());
  });

  it("puts messages that come back into the composer, apart from each other", async () => {
    const script = new TurnScript().ask("Go").text("Once upon a time");
    await panel.snapshot(script.events, busy);
    for (const text of ["In French", "With a dragon"]) {
      await message().fill(text);
      await message().press("Enter");
    }
    const posted = await panel.posted();
    for (const each of posted)
      if (each.type === "send") await panel.post({ type: "settled", id: each.id, refused: true });
    assert.equal(await message().inputValue(), "In French\n\nWith a dragon");
  });

  it("edits, removes and sends queued messages", async () => {
    const queued = [
      { id: "m1", text: "first" },
      { id: "m2", text: "second" },
    ];
    const script = new TurnScript().ask("Go").queue(queued);
    await panel.snapshot(script.events, busy);
    await button("Edit: first").click();
    await panel.post({ type: "compose", text: "first" });
    assert.equal(await message().inputValue(), "first");
    await button("Remove: second").click();
    await panel.events(script.queue(queued.slice(1)).events.slice(-1));
    await panel.post({ type: "status", status: readyStatus });
    await button("Send now").click();
    assert.deepEqual(await sent(), [
      { type: "unqueue", id: "m1", edit: true },
      { type: "unqueue", id: "m2", edit: false },
      { type: "send-queued" },
    ]);
  });

  it("keeps the focus on the chosen button when the turn ends meanwhile", async () => {
    const queued = [
      { id: "m1", text: "first" },
      { id: "m2", text: "second" },
    ];
    await panel.snapshot(new TurnScript().ask("Go").queue(queued).events, busy);
    await button("Edit: second").focus();
    await panel.post({ type: "status", status: readyStatus });
    await button("Send now").waitFor();
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await sent(), [{ type: "unqueue", id: "m2", edit: true }]);
  });

  it("sends nothing with Enter that is pressed again when the message is gone, or held down", async () => {
    const queued = [
      { id: "m1", text: "first" },
      { id: "m2", text: "second" },
    ];
    const script = new TurnScript().ask("Go").queue(queued);
    await panel.snapshot(script.events);
    await button("Edit: second").press("Enter");
    await panel.events(script.queue(queued.slice(0, 1)).events.slice(-1));
    await panel.page.keyboard.press("Enter");
    await button("Edit: first").focus();
    await panel.page.keyboard.down("Enter");
    await panel.events(script.queue([]).events.slice(-1));
    await panel.post({ type: "compose", text: "first" });
    await panel.page.keyboard.down("Enter");
    await panel.page.keyboard.up("Enter");
    assert.equal(await message().inputValue(), "first");
    assert.ok(await message().evaluate((each) => each.matches(":focus")));
    assert.deepEqual(await sent(), [
      { type: "unqueue", id: "m2", edit: true },
      { type: "unqueue", id: "m1", edit: true },
    ]);
  });

  it("takes a click that began before the turn ended", async () => {
    const script = new TurnScript().ask("Go").queue([{ id: "m1", text: "first" }]);
    await panel.snapshot(script.events, busy);
    await button("Remove: first").hover();
    await panel.page.mouse.down();
    await panel.post({ type: "status", status: readyStatus });
    await button("Send now").waitFor();
    await panel.page.mouse.up();
    assert.deepEqual(await sent(), [{ type: "unqueue", id: "m1", edit: false }]);
  });

  it("shows a message that reached the model during a turn as plain text", async () => {
    const script = new TurnScript()
      .ask("Go")
      .text("Looking.")
      .add({ type: "user-message", text: "In <b>French</b>" });
    await panel.snapshot(script.add({ type: "step-start", step: 1 }).text("Bonjour.").end().events);
    assert.ok(await panel.page.getByText("In <b>French</b>", { exact: true }).isVisible());
  });

  it("switches between the versions of a request by keyboard and keeps the focus", async () => {
    const script = new TurnScript().ask("first").text("One.").end();
    const firstAnswer = script.events.at(-1)?.turnId ?? "";
    const first = script.events[0]?.turnId ?? "";
    const again = {
      type: "turn-start",
      role: "user",
      parentTurnId: null,
      text: "anew",
      model: null,
      editFile: null,
      activeFile: null,
    } as const;
    const at = 1_700_000_001_000;
    const events = [
      ...script.events,
      { seq: script.events.length + 1, turnId: "anew-1", at, ...again },
    ];
    await panel.snapshot(events);
    const group = () =>
      panel.page.getByRole("group", { name: /^Version \d of \d of this request$/ });
    assert.equal(await group().textContent(), "2/2");
    assert.ok(await button("Next request").isDisabled());
    await button("Previous request").focus();
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await sent(), [{ type: "show-branch", turnId: first }]);
    await panel.events([{ seq: events.length + 1, turnId: firstAnswer, at, type: "head" }]);
    assert.equal(await group().textContent(), "1/2");
    assert.ok(await panel.page.getByText("One.", { exact: true }).isVisible());
    assert.equal(await panel.page.getByText("anew", { exact: true }).count(), 0);
    assert.equal(
      await panel.page.evaluate("document.activeElement.getAttribute('aria-label')"),
      "Next request",
    );
  });

  it("shows another version during an answer, with the answer's progress and a way back", async () => {
    const script = new TurnScript().ask("Tell me a story").text("Once upon a time.").end();
    const first = script.events.at(-1)?.turnId ?? "";
    script.answer();
    const running = script.events.at(-1)?.turnId ?? "";
    await panel.snapshot(script.events, busy);
    await button("Previous answer").press("Enter");
    assert.deepEqual(await sent(), [{ type: "show-branch", turnId: first }]);
    const head = (turnId: string, more: number) => ({
      seq: script.events.length + more,
      turnId,
      at: 1_700_000_001_000,
      type: "head" as const,
    });
    await panel.events([head(first, 1)]);
    assert.ok(await panel.page.getByText("Once upon a time.", { exact: true }).isVisible());
    assert.ok(await panel.page.getByText("In another version: Waiting for the model").isVisible());
    assert.ok(await button("Stop").isVisible());
    await button("Retry").click();
    assert.ok(await hint().isVisible());
    await button("Show answer in progress").press("Enter");
    assert.deepEqual((await sent()).slice(1), [{ type: "show-branch", turnId: running }]);
    await panel.events([head(running, 2)]);
    assert.ok(await panel.page.getByText("Waiting for the model", { exact: true }).isVisible());
    assert.equal(await button("Show answer in progress").isVisible(), false);
  });

  it("offers to retry a finished answer", async () => {
    const script = new TurnScript().ask("Hi").text("One.").end();
    await panel.snapshot(script.events);
    await button("Retry").press("Enter");
    assert.deepEqual(await sent(), [{ type: "retry", turnId: script.events.at(-1)?.turnId }]);
  });

  it("explains why a request cannot be resent while a turn runs, and keeps the text", async () => {
    await panel.snapshot(new TurnScript().ask("Make it red").text("Working.").events, busy);
    await button("Edit and resend").press("Enter");
    const field = panel.page.getByLabel("Edited request");
    await field.fill("Make it green");
    await field.press("Enter");
    assert.ok(await hint().isVisible());
    assert.equal(await field.inputValue(), "Make it green");
    await panel.post({ type: "status", status: readyStatus });
    assert.equal(await hint().isVisible(), false);
    await field.press("Enter");
    assert.deepEqual(
      (await sent()).map(({ type }) => type),
      ["resend"],
    );
  });

  it("resends an edited request, or leaves it unchanged on Escape", async () => {
    const script = new TurnScript().ask("Make it red").text("Done.").end();
    await panel.snapshot(script.events);
    await button("Edit and resend").focus();
    await panel.page.keyboard.press("Enter");
    const field = panel.page.getByLabel("Edited request");
    await field.fill("Make it green");
    await field.press("Escape");
    assert.ok(await panel.page.getByText("Make it red", { exact: true }).isVisible());
    await panel.page.keyboard.press("Enter");
    await field.fill("Make it green");
    await field.press("Enter");
    assert.deepEqual(await sent(), [
      { type: "resend", turnId: script.events[0]?.turnId, text: "Make it green" },
    ]);
  });

  it("keeps the open form of a request over a reload, until it is sent or closed", async () => {
    const { events } = new TurnScript().ask("Make it red").text("Done.").end().ask("And on").end();
    const reload = async () => {
      await panel.page.reload();
      await panel.snapshot(events);
    };
    await panel.snapshot(events);
    await button("Edit and resend").first().press("Enter");
    const field = panel.page.getByLabel("Edited request");
    await reload();
    assert.equal(await field.inputValue(), "Make it red");
    await field.fill("Make it gre");
    await reload();
    assert.equal(await field.inputValue(), "Make it gre");
    await field.press("Escape");
    await reload();
    assert.equal(await field.count(), 0);
    assert.ok(await panel.page.getByText("Make it red", { exact: true }).isVisible());
  });

  it("updates the running time of a tool without events, also in its row", async () => {
    const script = new TurnScript().ask("Go");
    script.add(
      { type: "tool-call-start", callId: "c", name: "run_command" },
      { type: "tool-start", callId: "c" },
    );
    const shift = Date.now() - 65_000 - (script.events[0]?.at ?? 0);
    await panel.snapshot(
      script.events.map((event) => ({ ...event, at: event.at + shift })),
      busy,
    );
    await panel.page.getByText(/^Running a command · \d+ s$/).waitFor();
    const seconds = Number(
      /· (\d+) s/.exec((await panel.page.locator(".activity").textContent()) ?? "")?.[1],
    );
    const later = [1, 2, 3, 4, 5].map((more) => `${seconds + more} s`).join("|");
    await panel.page.getByText(new RegExp(`^Running a command · (?:${later})$`)).waitFor();
    await panel.page.locator(".tool-row .duration", { hasText: /^\d+ s$/ }).waitFor();
  });
});
