import assert from "node:assert/strict";
import type { TurnEventBody } from "../../src/turns/turnEvent.ts";
import { TurnScript } from "../fakes/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";

const busy = { ...readyStatus, busy: true };

/** A turn with a running tool. */
function running(name: string, input: object, ...more: readonly TurnEventBody[]): TurnScript {
  const script = new TurnScript().ask("Go on");
  script.add(
    { type: "tool-call-start", callId: "c", name },
    { type: "tool-call", callId: "c", name, argsText: JSON.stringify(input), input },
    { type: "tool-start", callId: "c" },
    ...more,
  );
  return script;
}

describe("Tool calls in the panel", function () {
  this.timeout(60_000);
  const panel = withPanel();

  async function asks(kind: "choice" | "multi-choice" | "text" | "confirm", options: string[] = []): Promise<TurnScript> {
    const question = { type: "question" as const, callId: "c", kind, question: "Which colour?", options };
    const script = running("ask_user", { question: "Which colour?", kind, options }, question);
    await panel.snapshot(script.events, busy);
    assert.ok(await panel.page.getByText("Waiting for your answer").isVisible());
    return script;
  }

  const press = (label: string) => panel.page.getByText(label, { exact: true }).click();
  const answered = async () => (await panel.sent()).filter(({ type }) => type === "answer");

  it("asks for one of several options and requires a choice", async () => {
    const script = await asks("choice", ["red", "green"]);
    await press("Answer");
    assert.ok(await panel.page.getByText("Choose an option, or skip.").isVisible());
    await panel.page.getByLabel("green").check();
    await press("Answer");
    assert.deepEqual(await answered(), [{ type: "answer", callId: "c", values: ["green"] }]);
    const result = { type: "tool-result" as const, callId: "c", status: "success" as const, output: "green", error: null, durationMs: 5 };
    await panel.events(script.add(result).events.slice(-1));
    assert.equal(await panel.page.locator(".question").count(), 0);
    assert.ok(await panel.page.getByText("Your answer: green", { exact: true }).isVisible());
  });

  it("asks for any of several options", async () => {
    await asks("multi-choice", ["red", "green", "blue"]);
    await panel.page.getByLabel("red").check();
    await panel.page.getByLabel("blue").check();
    await press("Answer");
    assert.deepEqual(await answered(), [{ type: "answer", callId: "c", values: ["red", "blue"] }]);
  });

  it("shows a long command in full when it asks for permission", async () => {
    const script = running("run_command", { command: "x" });
    const text = `${"echo line\n".repeat(60)}rm -rf build`;
    const command = { text, folder: "." };
    const request = { type: "approval-request", callId: "c", tool: "run_command", effect: "execute", summary: "Run it", command } as const;
    await panel.snapshot(script.add(request).events, busy);
    const box = panel.page.locator(".question .command");
    assert.ok(await box.evaluate((element) => element.scrollHeight <= element.clientHeight + 1));
  });

  for (const [label, answer] of [
    ["Accept all and run", { allowed: true, acceptAll: true }],
    ["Run without them", { allowed: true }],
    ["Deny", { allowed: false }],
  ] as const) {
    it(`names the pending files that a command would not see, and offers: ${label}`, async () => {
      const pendingFiles = ["a.ts", "src/b.ts"];
      const asked = { type: "approval-request", callId: "c", tool: "run_command", effect: "execute", summary: "Run npm test" } as const;
      const command = { text: "npm test", folder: "." };
      await panel.snapshot(running("run_command", { command: "npm test" }).add({ ...asked, command, pendingFiles }).events, busy);
      await panel.page.getByText("It would not see the proposed changes to a.ts, src/b.ts.").waitFor();
      await press(label);
      const sent = (await panel.sent()).filter(({ type }) => type === "approve");
      assert.deepEqual(sent, [{ type: "approve", callId: "c", ...answer }]);
    });
  }

  it("takes a text answer by keyboard", async () => {
    await asks("text");
    const field = panel.page.getByLabel("Which colour?", { exact: true });
    await field.press("Enter");
    assert.deepEqual(await answered(), []);
    await field.fill("light <b>grey</b>");
    await field.press("Shift+Enter");
    await field.pressSequentially("or white");
    await field.press("Enter");
    assert.deepEqual(await answered(), [{ type: "answer", callId: "c", values: ["light <b>grey</b>\nor white"] }]);
  });

  it("replaces an answered question with the next one of the same call, and keeps the focus", async () => {
    const script = await asks("text");
    const first = panel.page.getByLabel("Which colour?", { exact: true });
    await first.fill("red");
    await first.press("Enter");
    const next = { type: "question" as const, callId: "c", kind: "text" as const, question: "How many?", options: [] };
    await panel.events(script.add({ type: "question-end", callId: "c" }, next).events.slice(-2));
    assert.equal(await panel.page.locator(".question").count(), 1);
    await panel.page.locator('textarea[aria-label="How many?"]:focus').waitFor();
    await panel.page.keyboard.type("7");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(
      (await answered()).map((message) => "values" in message && message.values),
      [["red"], ["7"]],
    );
    await panel.events(script.add({ type: "question-end", callId: "c" }).events.slice(-1));
    assert.equal(await panel.page.locator(".question").count(), 0);
    assert.equal(await panel.page.getByText("Waiting for your answer").count(), 0);
  });

  it("moves the focus from an answered question to the next one, but not to its buttons, else to the call", async () => {
    const script = new TurnScript().ask("Go on");
    const asked = { kind: "confirm" as const, options: [] };
    for (const [callId, question] of [
      ["c", "Sure?"],
      ["d", "Really?"],
    ] as const) {
      script.add({ type: "tool-call-start", callId, name: "ask_user" });
      script.add({ type: "tool-call", callId, name: "ask_user", argsText: "{}", input: {} }, { type: "tool-start", callId });
      script.add({ type: "question", callId, question, ...asked });
    }
    await panel.snapshot(script.events, busy);
    await panel.page.getByRole("button", { name: "Yes: Sure?" }).press("Enter");
    const focused = (selector: string) => panel.page.locator(`${selector}:focus`);
    await focused('.question[aria-label="Question: Sure?"]').waitFor();
    await panel.events(script.add({ type: "question-end", callId: "c" }).events.slice(-1));
    await focused('.question[aria-label="Question: Really?"]').waitFor();
    await panel.page.keyboard.press("Enter");
    assert.equal((await answered()).length, 1);
    await panel.page.getByRole("button", { name: "Yes: Really?" }).press("Enter");
    await panel.events(script.add({ type: "question-end", callId: "d" }).events.slice(-1));
    await focused("summary").waitFor();
  });

  it("takes yes, no or no answer", async () => {
    for (const [label, values] of [
      ["Yes", ["yes"]],
      ["No", ["no"]],
      ["Skip", null],
    ] as const) {
      await panel.reopen();
      await asks("confirm");
      await press(label);
      assert.deepEqual(await answered(), [{ type: "answer", callId: "c", values }]);
    }
  });

  it("shows the last lines of a running command and the number of retries", async () => {
    const text = Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n");
    const script = running("run_command", { command: "npm test" }, { type: "tool-progress", callId: "c", text });
    await panel.snapshot(script.events, busy);
    const progress = panel.page.locator(".tool-progress");
    assert.match((await progress.textContent()) ?? "", /^line 22\n[\s\S]*line 29$/);
    const result = {
      type: "tool-result" as const,
      callId: "c",
      status: "success" as const,
      output: "ok",
      error: null,
      durationMs: 5,
      retries: 2,
    };
    await panel.events(script.add(result).events.slice(-1));
    assert.equal(await progress.count(), 0);
    assert.ok(await panel.page.getByText("5 ms, 2 retries").isVisible());
  });

  it("shows a result while the answer continues, and still offers Stop", async () => {
    const script = running("read_file", { file_path: "a.ts" }).add({ type: "text-delta", text: "Meanwhile " });
    await panel.snapshot(script.events, busy);
    const activity = panel.page.getByText("Running read_file");
    assert.ok(await activity.isVisible());
    const result = { type: "tool-result" as const, callId: "c", status: "success" as const, output: "1\tx", error: null, durationMs: 7 };
    await panel.events(script.add(result).events.slice(-1));
    await panel.events(script.add({ type: "text-delta", text: "I go on." }).events.slice(-1));
    assert.match((await panel.page.locator(".tool-row").textContent()) ?? "", /7 ms\s*done$/);
    assert.ok(await panel.page.getByText("Meanwhile I go on.").isVisible());
    await panel.page.getByText("Answering").waitFor();
    assert.equal(await activity.count(), 0);
    assert.ok(await panel.page.getByRole("button", { name: "Stop" }).isVisible());
  });

  it("shows the exit code of a command, and nothing but denied for a denied call", async () => {
    const script = running("run_command", { command: "npm test" });
    const over = { type: "tool-result" as const, callId: "c", status: "success" as const, error: null, durationMs: 5 };
    await panel.snapshot(script.add({ ...over, output: "3 failing", command: { code: "exited", exitCode: 2 } }).events, busy);
    assert.match((await panel.page.locator(".tool-row").textContent()) ?? "", /5 ms\s*exit code 2$/);
    const denied = running("run_command", { command: "npm test" });
    const asked = { type: "approval-request", callId: "c", tool: "run_command", effect: "execute", summary: "Run npm test" } as const;
    const error = { category: "permission", message: "The user denied it. Do not try again." };
    denied.add(asked, { type: "approval-decision", callId: "c", allowed: false, by: "user" });
    denied.add({ ...over, status: "error", output: "Error", error, durationMs: 0 });
    await panel.snapshot(denied.events, busy);
    const row = panel.page.locator(".tool-row");
    assert.match((await row.textContent()) ?? "", /denied/);
    assert.doesNotMatch((await row.textContent()) ?? "", /Do not try again|0 ms/);
  });

  it("shows the running time of a tool", async () => {
    const script = running("run_command", { command: "sleep 99" });
    const shift = Date.now() - 65_000 - (script.events[0]?.at ?? 0);
    const events = script.events.map((event) => ({ ...event, at: event.at + shift }));
    await panel.snapshot(events, busy);
    await panel.page.locator(".tool-row .duration", { hasText: /^6[5-9] s$/ }).waitFor();
  });

  it("shows a tool's proposal below its call, with buttons to decide", async () => {
    const script = running("patch_source_file", { file_path: "a.ts" });
    script.edit({ blockId: "c-1", callId: "c", path: "a.ts", target: "line 3", step: 0, textStart: 0, textEnd: 0, status: "pending" });
    await panel.snapshot(script.events, busy);
    const card = panel.page.locator(".tool-row .card");
    assert.match((await card.textContent()) ?? "", /a\.ts.*waiting for review.*line 3/s);
    await panel.post({ type: "status", status: { ...busy, behind: ["a.ts"] } });
    assert.ok(await card.getByText("The diff is catching up").isVisible());
    await panel.post({ type: "status", status: { ...busy, behind: [] } });
    assert.ok(await card.getByText("The diff is catching up").isHidden());
    await press("Accept");
    assert.deepEqual((await panel.sent()).at(-1), { type: "accept-file", path: "a.ts" });
    await panel.events(
      script
        .edit({ blockId: "c-1", callId: "c", path: "a.ts", target: "line 3", step: 0, textStart: 0, textEnd: 0, status: "applied" })
        .events.slice(-1),
    );
    assert.match((await card.textContent()) ?? "", /applied/);
    assert.equal(await panel.page.locator(".card").count(), 1);
  });
});
