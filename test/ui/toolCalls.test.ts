import assert from "node:assert/strict";
import type { TurnEventBody } from "../../src/turns/turnEvent.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";
import { words } from "./words.ts";

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

/** The call is over, and with it its question. */
function resultOf(callId: string): TurnEventBody {
  return { type: "tool-result", callId, status: "success", output: "", error: null, durationMs: 5 };
}

describe("Tool calls in the panel", () => {
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

  it("asks for any of several options", async () => {
    await asks("multi-choice", ["red", "green", "blue"]);
    await panel.page.getByLabel("red").check();
    await panel.page.getByLabel("blue").check();
    await press("Answer");
    assert.deepEqual(await answered(), [{ type: "answer", callId: "c", values: ["red", "blue"] }]);
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
      options: ["up", "down"],
    };
    await panel.events(script.add(next).events.slice(-1));
    await panel.page.getByLabel("down").check();
    await panel.page.reload();
    await panel.snapshot(script.events, busy);
    assert.equal(
      await panel.page.getByLabel("up").isChecked(),
      false,
      "another question of the same call",
    );
    assert.ok(await panel.page.getByLabel("down").isChecked());
    await press("Answer");
    assert.deepEqual(await answered(), [{ type: "answer", callId: "c", values: ["down"] }]);
    await panel.page.reload();
    await panel.snapshot(script.events, busy);
    assert.equal(await panel.page.getByLabel("down").isChecked(), false);
  });

  for (const [name, between] of [
    ["many lines", "echo line\n".repeat(60)],
    ["200 blank lines", "\n".repeat(200)],
    ["10,000 blanks", " ".repeat(10_000)],
    ["a long comment", `#${"x".repeat(20_000)}\n`],
  ] as const) {
    it(`shows the beginning and the end of a command with ${name} between them, and unfolds the rest`, async () => {
      const text = `echo begin ${between}rm -rf build`;
      const command = { text, folder: "." };
      const request = {
        type: "approval-request",
        callId: "c",
        tool: "run_command",
        effect: "execute",
        summary: "Run it",
        command,
      } as const;
      await panel.snapshot(running("run_command", { command: "x" }).add(request).events, busy);
      const box = panel.page.locator(".question .command");
      assert.ok(
        await box.evaluate((element) => element.scrollHeight <= element.clientHeight + 1),
        "nothing is scrolled away",
      );
      assert.ok(await box.evaluate((element) => element.clientHeight < 1_500), "it fits");
      assert.match((await box.textContent()) ?? "", /^echo begin.*rm -rf build$/s);
      const more = box.locator("vscode-button");
      if ((await more.count()) > 0) {
        await more.click();
        assert.match((await box.textContent()) ?? "", /^echo begin.*rm -rf build$/s);
        assert.equal(await more.count(), 0);
      }
    });
  }

  it("names what changed since a permission was given, the programs of a repository, and all arguments of an MCP tool", async () => {
    const asked = {
      type: "approval-request",
      callId: "c",
      tool: "mcp__s__go",
      effect: "execute",
      summary: "Run go on the MCP server s",
    } as const;
    const facts = {
      arguments: JSON.stringify({ text: "a\u202eb", last: "end" }, null, 2),
      changedFiles: [".npmrc"],
      programs: ["pre-commit"],
    };
    await panel.snapshot(running("mcp__s__go", {}).add({ ...asked, ...facts }).events, busy);
    await panel.page.getByText("Changed since you allowed it: .npmrc.").waitFor();
    await panel.page.getByText("The repository makes it run: pre-commit.").waitFor();
    assert.match(
      (await panel.page.locator(".question .command").textContent()) ?? "",
      /"text": "a\\u\{202e\}b",\n {2}"last": "end"/,
    );
  });

  for (const [label, answer] of [
    ["Accept all and run", { allowed: true, first: "accept-all" }],
    ["Run without them", { allowed: true }],
    ["Deny", { allowed: false }],
  ] as const) {
    it(`names the pending files that a command would not see, and offers: ${label}`, async () => {
      const pendingFiles = ["a.ts", "src/b.ts"];
      const asked = {
        type: "approval-request",
        callId: "c",
        tool: "run_command",
        effect: "execute",
        summary: "Run npm test",
      } as const;
      const command = { text: "npm test", folder: "." };
      await panel.snapshot(
        running("run_command", { command: "npm test" }).add({ ...asked, command, pendingFiles })
          .events,
        busy,
      );
      await panel.page
        .getByText("It would not see the proposed changes to a.ts, src/b.ts.")
        .waitFor();
      await press(label);
      const sent = (await panel.sent()).filter(({ type }) => type === "approve");
      assert.deepEqual(sent, [{ type: "approve", callId: "c", ...answer }]);
    });
  }

  it("names the user's unsaved files, offers to save them, and asks again when that did not work", async () => {
    const asked = {
      type: "approval-request",
      callId: "c",
      tool: "run_command",
      effect: "execute",
      summary: "Run npm test",
    } as const;
    const command = { text: "npm test", folder: "." };
    const script = running("run_command", { command: "npm test" }).add({
      ...asked,
      command,
      unsavedFiles: ["a.ts", "b.ts"],
    });
    await panel.snapshot(script.events, busy);
    await panel.page.getByText("It would not see your unsaved edits to a.ts, b.ts.").waitFor();
    await press("Save and run");
    const mark = script.events.length;
    const denied = { type: "approval-decision", callId: "c", allowed: false, by: "user" } as const;
    script.add(denied, { ...asked, command, pendingFiles: ["c.ts"], unsavedFiles: ["b.ts"] });
    await panel.events(script.since(mark));
    await panel.page.getByText("It would not see the proposed changes to c.ts.").waitFor();
    await panel.page.getByText("It would not see your unsaved edits to b.ts.").waitFor();
    await press("Run without them");
    assert.deepEqual(
      (await panel.sent()).filter(({ type }) => type === "approve"),
      [
        { type: "approve", callId: "c", allowed: true, first: "save-files" },
        { type: "approve", callId: "c", allowed: true },
      ],
    );
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
    await press("Yes");
    assert.deepEqual(await answered(), [{ type: "answer", callId: "c", values: ["yes"] }]);
  });

  it("renders the Markdown of a question, sanitized", async () => {
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
    assert.equal(await box.locator("code").textContent(), "area");
    assert.equal(await box.locator("strong").textContent(), "both");
    assert.equal(await box.locator("img").count(), 0);
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
    await focused('.question[aria-label="Question: Sure?"]').waitFor();
    await panel.events(script.add(resultOf("c")).events.slice(-1));
    await focused('.question[aria-label="Question: Really?"]').waitFor();
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
      /files runs on this machine, with your full user permissions\.\{ "command": "npx\\u\{202e\}" \}.*docs connects to another server\./,
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
    const script = running(
      "run_command",
      { command: "npm test" },
      { type: "tool-progress", callId: "c", text },
    );
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
    assert.ok(await panel.page.getByText("2 retries").isVisible());
  });

  it("shows a result while the answer continues, and still offers Stop", async () => {
    const script = running("read_file", { file_path: "a.ts" }).add({
      type: "text-delta",
      text: "Meanwhile ",
    });
    await panel.snapshot(script.events, busy);
    const activity = panel.page.getByText("Running read file");
    assert.ok(await activity.isVisible());
    const result = {
      type: "tool-result" as const,
      callId: "c",
      status: "success" as const,
      output: "1\tx",
      error: null,
      durationMs: 7,
    };
    await panel.events(script.add(result).events.slice(-1));
    await panel.events(script.add({ type: "text-delta", text: "I go on." }).events.slice(-1));
    assert.match((await panel.page.locator(".tool-row").textContent()) ?? "", /^Read a\.ts\s*$/);
    assert.ok(await panel.page.getByText("Meanwhile I go on.").isVisible());
    await panel.page.getByText("Answering").waitFor();
    assert.equal(await activity.count(), 0);
    assert.ok(await panel.page.getByRole("button", { name: "Stop" }).isVisible());
  });

  it("shows the exit code of a command, and nothing but denied for a denied call", async () => {
    const script = running("run_command", { command: "npm test" });
    const over = {
      type: "tool-result" as const,
      callId: "c",
      status: "success" as const,
      error: null,
      durationMs: 5,
    };
    await panel.snapshot(
      script.add({ ...over, output: "3 failing", command: { code: "exited", exitCode: 2 } }).events,
      busy,
    );
    assert.match(
      (await panel.page.locator(".tool-row").textContent()) ?? "",
      /Ran npm test\s*exit code 2/,
    );
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n");
    const failing = running("run_command", { command: "npm test" });
    await panel.snapshot(
      failing.add({
        ...over,
        output: `Exited\n${lines}`,
        command: { code: "exited", exitCode: 2, tail: "line 20\nline 29" },
      }).events,
      busy,
    );
    assert.match(
      (await panel.page.locator(".tool-progress").textContent()) ?? "",
      /^line 20\nline 29$/,
    );
    const denied = running("run_command", { command: "npm test" });
    const asked = {
      type: "approval-request",
      callId: "c",
      tool: "run_command",
      effect: "execute",
      summary: "Run npm test",
    } as const;
    const error = { category: "permission", message: "The user denied it. Do not try again." };
    denied.add(asked, { type: "approval-decision", callId: "c", allowed: false, by: "user" });
    denied.add({ ...over, status: "error", output: "Error", error, durationMs: 0 });
    await panel.snapshot(denied.events, busy);
    const row = panel.page.locator(".tool-row");
    assert.match((await row.textContent()) ?? "", /denied/);
    assert.doesNotMatch((await row.textContent()) ?? "", /Do not try again|0 ms/);
  });

  it("folds consecutive calls that only look, with the thinking between them, and unfolds to their results", async () => {
    const script = new TurnScript()
      .ask("Go on")
      .call("a", "read_file", { file_path: "src/a.ts", start_line: 2, end_line: 4 }, "text a", 5);
    await panel.snapshot(script.events, busy);
    assert.equal(await panel.page.locator(".explored").count(), 0, "one call stays as it is");
    const mark = script.events.length;
    script.add({ type: "reasoning-delta", text: "And b." }, { type: "text-delta", text: "\n" });
    script.call("b", "search_in_files", { pattern: "area" }, "a.ts:1\tarea", 1_700, {
      shown: 1,
      more: false,
    });
    await panel.events(script.since(mark));
    const row = panel.page.locator(".explored");
    assert.equal(
      ((await row.locator("> summary").textContent()) ?? "").trim(),
      "Explored 2 places",
    );
    assert.ok(await panel.page.getByText("Read a.ts 2–4").isHidden());
    await row.locator("> summary").click();
    await row.getByText("Searched “area” · 1 hit").click();
    await row.getByText("search_in_files · 1.7 s").waitFor();
    script
      .call("c", "run_command", { command: "make" }, "", 5)
      .call("d", "read_file", { file_path: "b.ts" }, "", 5);
    await panel.events(script.since(mark));
    assert.equal(await panel.page.locator(".explored .tool-row").count(), 2);
    assert.ok(await panel.page.getByText("Read b.ts").isVisible());
  });

  it("shows which of the folded calls ran at the same time, and says with which", async () => {
    const script = new TurnScript().ask("Go on");
    const read = (callId: string) => ({
      callId,
      name: "read_file",
      argsText: "{}",
      input: { file_path: `${callId}.ts` },
    });
    const start = (callId: string) =>
      script.add({ type: "tool-call", ...read(callId) }, { type: "tool-start", callId });
    const end = (callId: string, durationMs: number) =>
      script.add({
        type: "tool-result",
        callId,
        status: "success",
        output: "",
        error: null,
        durationMs,
      });
    start("a");
    start("b");
    end("a", 4);
    end("b", 8);
    await panel.snapshot(script.events, busy);
    const bars = panel.page.locator(".explored .tool-span");
    await panel.page.locator(".explored > summary").click();
    const together = panel.page.getByRole("img", { name: "Ran together with Read b.ts" });
    assert.ok(await together.isVisible());
    const widths = async () =>
      bars.evaluateAll((all) =>
        all.map((each) => each.firstElementChild?.getBoundingClientRect().width ?? 0),
      );
    const [first = 0, second = 0] = await widths();
    assert.ok(first > 0 && second > first, `${first} ${second}`);
    await panel.page.getByText("Read a.ts").click();
    await panel.page.getByText("read_file · 4 ms · Ran together with Read b.ts").waitFor();
    const mark = script.events.length;
    start("c");
    await panel.events(script.since(mark));
    assert.equal(await together.count(), 0, "not while one of them runs");
  });

  it("offers to retry or skip a failed call until the answer has gone on without it", async () => {
    const script = running("run_command", { command: "npm test" });
    const failed = {
      type: "tool-result",
      callId: "c",
      status: "error",
      output: "Error",
      durationMs: 5,
    } as const;
    script.add({ ...failed, error: { category: "timeout", message: "Timed out." } });
    await panel.snapshot(script.events, busy);
    const retry = panel.page.getByRole("button", { name: "Retry: Run npm test" });
    await panel.page.locator(".tool > summary").click();
    await retry.click();
    assert.deepEqual((await panel.sent()).at(-1), {
      type: "send",
      text: "Try this again: Run npm test",
    });
    await panel.page.locator(".tool > summary").click();
    await panel.snapshot(script.end("cancelled").events);
    await panel.page.locator(".tool > summary").click();
    await panel.page.getByRole("button", { name: "Skip: Run npm test" }).click();
    assert.deepEqual((await panel.sent()).at(-1), {
      type: "send",
      text: "Continue without this: Run npm test",
    });
    script.events.pop();
    await panel.page.locator(".tool > summary").click();
    await panel.snapshot(script.end().events);
    await panel.page.locator(".tool > summary").click();
    await panel.page.getByText("run_command · 5 ms").waitFor();
    assert.equal(await retry.count(), 0);
  });

  it("shows a folded call that asks the user", async () => {
    const script = new TurnScript()
      .ask("Go on")
      .call("a", "read_file", { file_path: "a.ts" }, "", 5)
      .call("b", "read_file", { file_path: "a.ts" }, "", 5);
    const asked = {
      kind: "confirm" as const,
      question: "",
      options: [],
      about: { code: "repeated-calls" as const, tool: "read_file", times: 3 },
    };
    script.add(
      { type: "tool-call-start", callId: "c", name: "read_file" },
      { type: "tool-call", callId: "c", name: "read_file", argsText: "{}", input: {} },
    );
    script.add({ type: "tool-start", callId: "c" }, { type: "question", callId: "c", ...asked });
    await panel.snapshot(script.events, busy);
    assert.ok(await panel.page.getByText("The model called read_file 3 times").isVisible());
  });

  it("shows the retries of a request as one line that counts, with Cancel and the whole error", async () => {
    const error = {
      code: "internal",
      kind: "internal",
      retryable: true,
      said: "Too many requests",
    } as const;
    const retry = (attempt: number) => ({
      type: "retry" as const,
      attempt,
      maxAttempts: 3,
      waitMs: 60_000,
      error,
    });
    const script = new TurnScript()
      .ask("Go on")
      .add({ type: "retry", attempt: 1, maxAttempts: 3, waitMs: 60_000, error });
    script.add(retry(2));
    const shift = Date.now() - (script.events.at(-1)?.at ?? 0);
    await panel.snapshot(
      script.events.map((event) => ({ ...event, at: event.at + shift })),
      busy,
    );
    const line = panel.page.locator(".retry");
    assert.equal(await line.count(), 1);
    await line.getByText(/retrying in \d+ s \(2 of 3\)/).waitFor();
    await press("Cancel");
    assert.deepEqual((await panel.sent()).at(-1), { type: "stop" });
    await press("Details");
    assert.ok(await line.getByText("Too many requests").isVisible());
    await panel.events(script.text("Hello.").events.slice(-1));
    assert.ok(await line.getByText("retried (2 of 3)").isVisible());
    assert.ok(await line.getByText("Cancel").isHidden());
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
    script.edit({
      blockId: "c-1",
      callId: "c",
      path: "a.ts",
      target: "line 3",
      step: 0,
      textStart: 0,
      textEnd: 0,
      status: "pending",
    });
    await panel.snapshot(script.events, busy);
    const card = panel.page.locator(".tool-row .card");
    assert.match((await card.textContent()) ?? "", /a\.ts.*pending.*line 3/s);
    await panel.post({ type: "status", status: { ...busy, behind: ["a.ts"] } });
    assert.ok(await card.getByText("The diff is catching up").isVisible());
    await panel.post({ type: "status", status: { ...busy, behind: [] } });
    assert.ok(await card.getByText("The diff is catching up").isHidden());
    await press("Accept");
    assert.deepEqual((await panel.sent()).at(-1), {
      type: "accept-file",
      path: "a.ts",
      turnId: "turn-2",
    });
    await panel.events(
      script
        .edit({
          blockId: "c-1",
          callId: "c",
          path: "a.ts",
          target: "line 3",
          step: 0,
          textStart: 0,
          textEnd: 0,
          status: "applied",
        })
        .events.slice(-1),
    );
    assert.match((await card.textContent()) ?? "", /applied/);
    assert.equal(await panel.page.locator(".card").count(), 1);
  });

  it("folds what a command changed in many files into one decision, and unfolds to each", async () => {
    const script = running("run_command", { command: "npm run format" });
    const edits = Array.from({ length: 5 }, (_, at): TurnEventBody => {
      const place = { addedLines: 2, removedLines: 1, step: 0, textStart: 0, textEnd: 0 };
      const what = { op: "replace" as const, target: "lines 1-2", status: "pending" as const };
      const edit = { blockId: `c-${at}`, callId: "c", path: `src/${at}.ts`, index: at + 1 };
      return {
        type: "edit-update",
        edit: { ...edit, ...what, ...place, reason: null, warnings: [] },
      };
    });
    script.add(resultOf("c"), ...edits);
    await panel.snapshot(script.events, busy);
    const group = panel.page.locator(".command-changes");
    const toggle = group.getByRole("button", { name: /^5 files .*· npm run format$/ });
    assert.equal(await toggle.getAttribute("aria-expanded"), "false");
    assert.equal(await group.locator(".card").filter({ visible: true }).count(), 0);
    await toggle.press("Enter");
    assert.equal(await group.locator(".card").filter({ visible: true }).count(), 5);
    await group
      .getByRole("button", { name: "Accept what npm run format changed", exact: true })
      .click();
    const decisions = (await panel.sent()).filter(({ type }) => type === "accept-call");
    const { turnId } = script.events.findLast(({ type }) => type === "edit-update") ?? {};
    assert.deepEqual(decisions, [{ type: "accept-call", turnId, callId: "c" }]);
  });

  it("shows the card of the only file that a command changed, without a head", async () => {
    const script = running("run_command", { command: "touch a" });
    script.add(resultOf("c"), {
      type: "edit-update",
      edit: {
        ...{ blockId: "c-1", callId: "c", path: "a", index: 1, op: "complete" },
        ...{ target: "complete file", status: "pending", reason: null, warnings: [] },
        ...{ addedLines: 1, removedLines: 0, step: 0, textStart: 0, textEnd: 0 },
      },
    });
    await panel.snapshot(script.events, busy);
    assert.equal(await panel.page.locator(".card").filter({ visible: true }).count(), 1);
    assert.equal(await panel.page.locator(".command-head").filter({ visible: true }).count(), 0);
  });
});
