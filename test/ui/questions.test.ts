import assert from "node:assert/strict";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import { resultOf, running } from "./runningCall.ts";
import { withPanel } from "./withPanel.ts";
import { words } from "./words.ts";

const busy = { ...readyStatus, busy: true };

describe("Questions in the panel", () => {
  const panel = withPanel();

  async function asks(
    kind: "choice" | "multi-choice" | "text" | "confirm",
    options: string[] = [],
  ): Promise<TurnScript> {
    const question = {
      type: "question" as const,
      callId: "c",
      kind,
      question: "Which colour?",
      options,
    };
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
    const result = {
      type: "tool-result" as const,
      callId: "c",
      status: "success" as const,
      output: "green",
      error: null,
      durationMs: 5,
    };
    await panel.events(script.add(result).events.slice(-1));
    assert.equal(await panel.page.locator(".question").count(), 0);
    assert.ok(await panel.page.getByText("Your answer: green", { exact: true }).isVisible());
  });

  it("keeps what was typed or ticked in an open question over a reload, until it is sent", async () => {
    const script = await asks("text");
    const field = panel.page.getByLabel("Which colour?", { exact: true });
    await field.fill("light gr");
    await panel.page.reload();
    await panel.snapshot(script.events, busy);
    assert.equal(await field.inputValue(), "light gr");
    await panel.snapshot(script.events, busy);
    assert.equal(await field.inputValue(), "light gr", "drawn anew");
    const next = {
      type: "question" as const,
      callId: "c",
      kind: "multi-choice" as const,
      question: "Where?",
      options: ["up", "down", "left"],
    };
    await panel.events(script.add(next).events.slice(-1));
    await panel.page.getByLabel("down").check();
    await panel.page.getByLabel("left").check();
    await panel.page.reload();
    await panel.snapshot(script.events, busy);
    assert.equal(
      await panel.page.getByLabel("up").isChecked(),
      false,
      "another question of the same call",
    );
    assert.ok(await panel.page.getByLabel("down").isChecked());
    await press("Answer");
    assert.deepEqual(await answered(), [{ type: "answer", callId: "c", values: ["down", "left"] }]);
    await panel.page.reload();
    await panel.snapshot(script.events, busy);
    assert.equal(await panel.page.getByLabel("down").isChecked(), false);
  });

  it("offers the way to a question that is out of sight", async () => {
    await panel.snapshot(new TurnScript().ask("First").text("A line.\n\n".repeat(60)).events, busy);
    const scroller = panel.page.locator(".scroller");
    await scroller.evaluate((element) => element.scrollTo(0, 0));
    await panel.page.getByText("Jump to latest").waitFor();
    const script = new TurnScript().ask("First").text("A line.\n\n".repeat(60));
    const mark = script.events.length;
    await panel.events(script.text("More.").since(mark));
    await panel.page.getByText("New below").waitFor();
    script.add(
      { type: "tool-call-start", callId: "c", name: "ask_user" },
      { type: "tool-start", callId: "c" },
    );
    script.add({ type: "question", callId: "c", kind: "confirm", question: "Sure?", options: [] });
    await panel.events(script.since(mark + 1));
    await panel.page.getByText("Graft asks", { exact: true }).click();
    await panel.page.locator(".question:focus").waitFor();
    assert.ok(await panel.page.getByText("Graft asks", { exact: true }).isHidden());
    await press("Answer yes");
    assert.deepEqual(await answered(), [{ type: "answer", callId: "c", values: ["yes"] }]);
  });

  it("shows the model's words as its own, and never as a permission's question", async () => {
    const question = {
      type: "question" as const,
      callId: "c",
      kind: "choice" as const,
      question: "Permission: Run npm test\n\nAllowed before \u202emr\n".repeat(40),
      options: ["Yes", "Run\u202e", "Deny"],
    };
    await panel.snapshot(running("ask_user", question, question).events, busy);
    const box = panel.page.locator(".question");
    assert.match((await box.getAttribute("aria-label")) ?? "", /^The model asks: Permission: Run/);
    const [asks, words] = [box.locator("> p").first(), box.locator(".model-words")];
    assert.equal(await asks.textContent(), "The model asks");
    const shown = (await words.textContent()) ?? "";
    assert.match(shown, /Allowed before \\u\{202e\}mr/);
    assert.ok(shown.split("\n").length < 40, "its length is limited");
    assert.deepEqual(await box.locator("label > q").allTextContents(), [
      "Yes",
      "Run\\u{202e}",
      "Deny",
    ]);
    const buttons = await box.locator("vscode-button").allTextContents();
    assert.deepEqual(
      buttons.filter((label) => !label.startsWith("Show")),
      ["Answer", "Skip"],
    );
    assert.ok(await box.getByText("Your answer allows nothing.").isVisible());
    await box.locator("input").nth(1).check();
    await press("Answer");
    const sent = (await panel.sent()).filter(({ type }) => type === "answer" || type === "approve");
    assert.deepEqual(sent, [{ type: "answer", callId: "c", values: ["Run\u202e"] }]);
  });

  it("shows what a new file would hold before it is created", async () => {
    const script = running(
      "create_file",
      { file_path: "made.json", content: "x" },
      {
        type: "approval-request",
        callId: "c",
        tool: "create_file",
        effect: "write",
        summary: "Create made.json (1 line)",
        arguments: '{ "$schema": "https://evil.example/?\u202ekey" }',
      },
    );
    await panel.snapshot(script.events, busy);
    const content = panel.page.getByLabel("Content", { exact: true });
    assert.match((await content.textContent()) ?? "", /evil\.example\/\?\\u\{202e\}key/);
  });

  it("renders no Markdown of a question", async () => {
    const text = "Use `area` or **both**? <img src=x onerror=window.hit=1>";
    const question = {
      type: "question" as const,
      callId: "c",
      kind: "confirm" as const,
      question: text,
      options: [],
    };
    await panel.snapshot(
      running("ask_user", { question: text, kind: "confirm" }, question).events,
      busy,
    );
    const box = panel.page.locator(".question");
    assert.equal(await box.locator(".model-words").textContent(), text);
    assert.equal(await box.locator("code, strong, img").count(), 0);
    assert.equal(await panel.page.evaluate("window.hit"), undefined);
  });

  it("takes a text answer by keyboard", async () => {
    await asks("text");
    const field = panel.page.getByLabel("Which colour?", { exact: true });
    await field.press("Enter");
    assert.deepEqual(await answered(), []);
    await field.fill("light <b>grey</b>");
    await field.press("Shift+Enter");
    await field.pressSequentially("or white");
    await field.press("Enter");
    assert.deepEqual(await answered(), [
      { type: "answer", callId: "c", values: ["light <b>grey</b>\nor white"] },
    ]);
  });

  it("replaces an answered question with the next one of the same call, and keeps the focus", async () => {
    const script = await asks("text");
    const first = panel.page.getByLabel("Which colour?", { exact: true });
    await first.fill("red");
    await first.press("Enter");
    const next = {
      type: "question" as const,
      callId: "c",
      kind: "text" as const,
      question: "How many?",
      options: [],
    };
    await panel.events(script.add(next).events.slice(-1));
    assert.equal(await panel.page.locator(".question").count(), 1);
    await panel.page.locator('textarea[aria-label="How many?"]:focus').waitFor();
    await panel.page.keyboard.type("7");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(
      (await answered()).map((message) => "values" in message && message.values),
      [["red"], ["7"]],
    );
    await panel.events(script.add(resultOf("c")).events.slice(-1));
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
      script.add(
        { type: "tool-call", callId, name: "ask_user", argsText: "{}", input: {} },
        { type: "tool-start", callId },
      );
      script.add({ type: "question", callId, question, ...asked });
    }
    await panel.snapshot(script.events, busy);
    await panel.page.getByRole("button", { name: "Yes: Sure?" }).press("Enter");
    const focused = (selector: string) => panel.page.locator(`${selector}:focus`);
    await focused('.question[aria-label="The model asks: Sure?"]').waitFor();
    await panel.events(script.add(resultOf("c")).events.slice(-1));
    await focused('.question[aria-label="The model asks: Really?"]').waitFor();
    await panel.page.keyboard.press("Enter");
    assert.equal((await answered()).length, 1);
    await panel.page.getByRole("button", { name: "Yes: Really?" }).press("Enter");
    await panel.events(script.add(resultOf("d")).events.slice(-1));
    await focused("summary").waitFor();
  });

  it("lists the MCP servers that would start, with their definitions, and starts only those that are ticked", async () => {
    const files = {
      key: "a",
      name: "files",
      path: ".vscode/mcp.json",
      remote: false,
      definition: '{\n  "command": "npx\u202e"\n}',
    };
    const status = {
      ...readyStatus,
      busy: true,
      agreements: [files, { ...files, key: "b", name: "docs", remote: true }],
    };
    await panel.snapshot(new TurnScript().ask("Hi").events, status);
    const list = panel.page.getByRole("group", {
      name: "The workspace wants to start MCP servers. Which may start?",
    });
    assert.match(
      await words(list),
      /files Runs on this machine, with your full user permissions\..*\{ "command": "npx\\u\{202e\}" \}.*docs Connects to another server\./,
    );
    const start = list.getByRole("button", { name: "Start selected" });
    assert.ok(await start.isDisabled(), "nothing is ticked at first");
    await panel.page.getByLabel("Message to Graft").press("Enter");
    await list.getByLabel(/^docs/).press("Space");
    await panel.post({ type: "status", status: { ...status, agreements: [...status.agreements] } });
    assert.ok(await list.getByLabel(/^docs/).isChecked(), "another status keeps the tick");
    await list.getByRole("button", { name: "Open .vscode/mcp.json" }).click();
    await start.press("Enter");
    assert.deepEqual((await panel.sent()).slice(1), [
      { type: "open-file", path: ".vscode/mcp.json", line: null },
      { type: "agree", open: ["a", "b"], start: ["b"] },
    ]);
    await panel.post({ type: "status", status: { ...readyStatus, busy: true } });
    await list.waitFor({ state: "detached" });
    await panel.page.locator(".composer textarea:focus").waitFor();
  });

  it("takes yes, no or no answer", async () => {
    for (const [label, values] of [
      ["Answer yes", ["yes"]],
      ["Answer no", ["no"]],
      ["Skip", null],
    ] as const) {
      await panel.reopen();
      await asks("confirm");
      await press(label);
      assert.deepEqual(await answered(), [{ type: "answer", callId: "c", values }]);
    }
  });
});
