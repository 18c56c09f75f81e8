import assert from "node:assert/strict";
import { TurnScript } from "../fakes/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";

const busy = { ...readyStatus, busy: true };

describe("Queued messages and versions in the panel", function () {
  this.timeout(60_000);
  const panel = withPanel();

  const button = (name: string) => panel.page.getByRole("button", { name, exact: true });
  const message = () => panel.page.getByLabel("Message to Graft");
  const sent = async () => (await panel.sent()).filter(({ type }) => type !== "ready");

  it("queues what is written while a turn runs, in place of sending it", async () => {
    const script = new TurnScript().ask("Go").text("Once upon a time");
    await panel.snapshot(script.events, busy);
    assert.equal(await button("Send").isVisible(), false);
    assert.ok(await button("Stop").isVisible());
    await message().fill("In French");
    await message().press("Enter");
    assert.deepEqual(await sent(), [{ type: "send", text: "In French" }]);
    assert.equal(await message().inputValue(), "");
    await panel.events(script.queue([{ id: "m1", text: "In French" }]).events.slice(-1));
    const queue = panel.page.getByRole("group", { name: "Queued messages" });
    assert.ok(await queue.getByText("In French").isVisible());
    await panel.post({ type: "status", status: readyStatus });
    assert.ok(await queue.getByText("Not sent yet. Goes with your next message").isVisible());
    await panel.events(script.queue([]).events.slice(-1));
    assert.equal(await queue.isVisible(), false);
    assert.ok(await button("Send").isVisible());
  });

  it("gives a queued message back to be edited, removes it, and sends what was left", async () => {
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

  it("shows a message that was told to the model in the middle of a turn, as plain text", async () => {
    const script = new TurnScript().ask("Go").text("Looking.").add({ type: "user-message", text: "In <b>French</b>" });
    await panel.snapshot(script.add({ type: "step-start", step: 1 }).text("Bonjour.").end().events);
    assert.ok(await panel.page.getByText("In <b>French</b>", { exact: true }).isVisible());
  });

  it("switches between the versions of a request by the keyboard, and keeps the focus", async () => {
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
    const events = [...script.events, { seq: script.events.length + 1, turnId: "anew-1", at, ...again }];
    await panel.snapshot(events);
    const group = () => panel.page.getByRole("group", { name: /^Version \d of \d of this request$/ });
    assert.equal(await group().textContent(), "2/2");
    assert.ok(await button("Next request").isDisabled());
    await button("Previous request").focus();
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await sent(), [{ type: "show-branch", turnId: first }]);
    await panel.events([{ seq: events.length + 1, turnId: firstAnswer, at, type: "head" }]);
    assert.equal(await group().textContent(), "1/2");
    assert.ok(await panel.page.getByText("One.", { exact: true }).isVisible());
    assert.equal(await panel.page.getByText("anew", { exact: true }).count(), 0);
    assert.equal(await panel.page.evaluate("document.activeElement.getAttribute('aria-label')"), "Next request");
  });

  it("sends a request anew, or leaves it as it was", async () => {
    const script = new TurnScript().ask("Make it red").text("Done.").end();
    await panel.snapshot(script.events);
    await button("Edit and send again").focus();
    await panel.page.keyboard.press("Enter");
    const field = panel.page.getByLabel("The request, to be sent again");
    await field.fill("Make it green");
    await field.press("Escape");
    assert.ok(await panel.page.getByText("Make it red", { exact: true }).isVisible());
    await panel.page.keyboard.press("Enter");
    await field.fill("Make it green");
    await field.press("Enter");
    assert.deepEqual(await sent(), [{ type: "resend", turnId: script.events[0]?.turnId, text: "Make it green" }]);
  });

  it("shows how long a tool has been running, without any event", async () => {
    const script = new TurnScript().ask("Go");
    script.add({ type: "tool-call-start", callId: "c", name: "run_command" }, { type: "tool-start", callId: "c" });
    const shift = Date.now() - 65_000 - (script.events[0]?.at ?? 0);
    await panel.snapshot(
      script.events.map((event) => ({ ...event, at: event.at + shift })),
      busy,
    );
    await panel.page.getByText(/^Running run_command · \d+ s$/).waitFor();
    const seconds = Number(/· (\d+) s/.exec((await panel.page.locator(".activity").textContent()) ?? "")?.[1]);
    const later = [1, 2, 3, 4, 5].map((more) => `${seconds + more} s`).join("|");
    await panel.page.getByText(new RegExp(`^Running run_command · (?:${later})$`)).waitFor();
  });
});
