import assert from "node:assert/strict";
import { modelError } from "../../src/model/modelFailure.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { fullTurn } from "./fullTurn.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";
import { words } from "./words.ts";

describe("The panel in a browser", function () {
  this.timeout(60_000);
  const panel = withPanel();

  it("is at most 600 kB and reports that it is ready", async () => {
    const size = Buffer.byteLength(panel.files.get("main.js")?.body ?? "");
    assert.ok(size > 0 && size <= 600_000, `the script has ${size} bytes`);
    assert.deepEqual(await panel.sent(), [{ type: "ready", chatId: null, lastSeq: 0 }]);
  });

  describe("the composer", () => {
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
      assert.deepEqual(await panel.sent(), [{ type: "ready", chatId: null, lastSeq: 0 }]);
    });

    it("shows Stop instead of Send while a turn runs, and keeps what is typed meanwhile", async () => {
      await panel.snapshot(new TurnScript().ask("Hello").events, { ...readyStatus, busy: true });
      const box = panel.page.getByLabel("Message to Graft");
      await box.fill("next");
      assert.ok(await panel.page.getByText("Send", { exact: true }).isHidden());
      await panel.page.getByText("Stop", { exact: true }).click();
      assert.deepEqual((await panel.sent()).at(-1), { type: "stop" });
      await panel.post({ type: "status", status: readyStatus });
      await panel.page.getByText("Send", { exact: true }).click();
      assert.deepEqual((await panel.sent()).at(-1), { type: "send", text: "next" });
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
  });

  describe("the transcript", () => {
    it("shows a tool call with its arguments, result and duration", async () => {
      await panel.snapshot(fullTurn().events);
      const row = panel.page.locator(".tool-row");
      assert.match(await words(row), /read_file src\/shapes\.ts 12 ms done/);
      await row.locator("summary").click();
      await row.locator("pre").last().waitFor();
      assert.match(await words(row), /"file_path": "src\/shapes.ts"[\s\S]*lines 1-9 of 9/);
    });

    it("asks for permission and sends the decision", async () => {
      const script = new TurnScript().ask("Write");
      script.add(
        { type: "tool-call-start", callId: "c", name: "edit_mode" },
        { type: "tool-call", callId: "c", name: "edit_mode", argsText: "{}", input: {} },
        { type: "tool-start", callId: "c" },
        { type: "approval-request", callId: "c", tool: "edit_mode", effect: "write", summary: "Propose edits to a.ts" },
      );
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      assert.ok(await panel.page.getByText("Waiting for your permission").isVisible());
      await panel.page.getByText("Allow", { exact: true }).click();
      assert.deepEqual((await panel.sent()).at(-1), { type: "approve", callId: "c", allowed: true });
      await panel.events(script.add({ type: "approval-decision", callId: "c", allowed: true, by: "user" }).events.slice(-1));
      assert.equal(await panel.page.getByText("Allow", { exact: true }).count(), 0);
    });

    it("shows which command would run and where, and can allow it for longer", async () => {
      const script = new TurnScript().ask("Test");
      const command = { text: "npm test\n# \u202eevil", folder: "web" };
      script.add(
        { type: "tool-call-start", callId: "c", name: "run_command" },
        { type: "tool-call", callId: "c", name: "run_command", argsText: "{}", input: {} },
        { type: "approval-request", callId: "c", tool: "run_command", effect: "execute", summary: "Run npm test in web", command },
      );
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      const question = panel.page.getByRole("group", { name: "Permission" });
      assert.match(await words(question), /Run this command in web\?[\s\S]*npm test # \\u\{202e\}evil/);
      await question.getByRole("button", { name: "Always allow exactly this command in this workspace" }).press("Enter");
      assert.deepEqual((await panel.sent()).at(-1), { type: "approve", callId: "c", allowed: true, scope: "workspace" });
    });

    it("offers no longer permission for a file that VS Code acts on", async () => {
      const script = new TurnScript().ask("Tasks");
      const summary = "Create .vscode/tasks.json (1 line)";
      script.add(
        { type: "tool-call-start", callId: "c", name: "create_file" },
        { type: "tool-call", callId: "c", name: "create_file", argsText: "{}", input: {} },
        { type: "approval-request", callId: "c", tool: "create_file", effect: "write", summary, eachTime: true },
      );
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      const question = panel.page.getByRole("group", { name: `Permission: ${summary}` });
      assert.match(await words(question), /Graft always asks/);
      assert.equal(await question.getByRole("button").count(), 2);
    });

    it("shows hidden characters of what it asks about as code points", async () => {
      const script = new TurnScript().ask("Delete");
      const summary = "Delete a.ts\nThis was checked.\u202e\u00a0\u3164";
      const command = { text: "rm\u00a0-rf\u3164\u2028\u2800\ufe0f x", folder: "web\ny" };
      for (const [callId, tool] of [
        ["c1", "delete_file"],
        ["c2", "run_command"],
      ] as const) {
        script.add(
          { type: "tool-call-start", callId, name: tool },
          { type: "tool-call", callId, name: tool, argsText: "{}", input: {} },
          { type: "approval-request", callId, tool, effect: "execute", summary, ...(tool === "run_command" && { command }) },
        );
      }
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      const shown = "Delete a.ts\\u{a}This was checked.\\u{202e}\\u{a0}\\u{3164}";
      const questions = panel.page.getByRole("group", { name: `Permission: ${shown}`, exact: true });
      assert.ok((await words(questions.first())).startsWith(shown));
      const asked = await words(questions.last());
      assert.ok(asked.startsWith("Run this command in web\\u{a}y?rm\\u{a0}-rf\\u{3164}\\u{2028}\\u{2800}\\u{fe0f} x"), asked);
    });

    it("shows an error with the actions that help", async () => {
      const script = new TurnScript().ask("Hi");
      script.add({
        type: "turn-end",
        reason: "error",
        error: modelError({ code: "key-rejected" }, { baseUrl: "api.example.com", model: "m" }),
      });
      await panel.snapshot(script.events);
      assert.ok(await panel.page.getByText("api.example.com rejected the API key (401).").isVisible());
      await panel.page.getByRole("button", { name: "Set API key" }).click();
      await panel.page.getByText("Open Settings").click();
      await panel.page.getByText("Retry").click();
      assert.deepEqual((await panel.sent()).slice(1), [
        { type: "set-api-key" },
        { type: "open-settings" },
        { type: "retry", turnId: "turn-2" },
      ]);
    });

    it("offers to continue after the step limit", async () => {
      await panel.snapshot(new TurnScript().ask("Go").text("So far.").end("step-limit").events);
      await panel.page.getByRole("button", { name: "Continue" }).press("Enter");
      assert.deepEqual((await panel.sent()).at(-1), { type: "send", text: "Continue." });
    });

    it("offers edit mode when the model does not support tools", async () => {
      const error = modelError({ code: "tools-refused" }, { baseUrl: "localhost", model: "gemma3" });
      const notice = { type: "notice", level: "warning", code: "tools-refused", error } as const;
      await panel.snapshot(new TurnScript().ask("Go").add(notice).text("Hm.").end().events);
      await panel.page.locator(".note", { hasText: "gemma3" }).getByRole("button", { name: "Start edit mode" }).press("Enter");
      assert.deepEqual((await panel.sent()).at(-1), { type: "start-edit-mode" });
    });

    it("marks a compaction and new rules, each unfolding to its text", async () => {
      const script = new TurnScript().ask("Go").text("Yes.").end().ask("And on");
      script.add(
        { type: "compaction", summary: "The user wants <b>tests</b>." },
        { type: "rules", path: "lib/AGENTS.md", text: "Use tabs." },
      );
      await panel.snapshot([]);
      for (const event of script.events) await panel.events([event]);
      const live = await panel.markup();
      const texts = { "Conversation compacted": "The user wants <b>tests</b>.", "Rules: lib/AGENTS.md": "Use tabs." };
      for (const [heading, text] of Object.entries(texts)) {
        assert.equal(await panel.page.getByText(text, { exact: true }).isVisible(), false);
        await panel.page.getByText(heading, { exact: true }).click();
        assert.ok(await panel.page.getByText(text, { exact: true }).isVisible());
      }
      assert.ok(await panel.page.getByText("Yes.", { exact: true }).isVisible(), "the earlier turns are still shown");
      await panel.snapshot(script.events);
      assert.equal(await panel.markup(), live);
    });

    it("announces the finished answer, but no tokens", async () => {
      const script = new TurnScript().ask("Hi");
      await panel.snapshot(script.events);
      const region = panel.page.locator("[role=status]");
      const mark = script.events.length;
      await panel.events(script.text("The **answer** is forty-two.", 4).since(mark));
      assert.equal(await region.textContent(), "");
      await panel.events(script.end().events.slice(-1));
      assert.equal(await region.textContent(), "Graft answered: The answer is forty-two.");
      assert.equal(await panel.page.locator("[role=log]").getAttribute("aria-live"), "off");
    });

    it("shows the branch of a retry instead of the answer before", async () => {
      const script = new TurnScript().ask("Hi").text("First answer").end();
      await panel.snapshot(script.events);
      const mark = script.events.length;
      await panel.events(script.answer().text("Second answer").end().since(mark));
      assert.ok(await panel.page.locator("p", { hasText: "Second answer" }).isVisible());
      assert.equal(await panel.page.locator("p", { hasText: "First answer" }).count(), 0);
    });

    it("follows the answer only while the user is at the end", async () => {
      const script = new TurnScript().ask("Hi").text("line\n\n".repeat(200));
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      const distance = (): Promise<unknown> =>
        panel.page.evaluate(
          "(() => { const s = document.querySelector('.scroller'); return s.scrollHeight - s.scrollTop - s.clientHeight; })()",
        );
      assert.ok(Number(await distance()) < 2);
      let mark = script.events.length;
      await panel.events(script.text("more\n\n".repeat(50)).since(mark));
      assert.ok(Number(await distance()) < 2, "it follows");
      await panel.page.locator(".scroller").hover();
      await panel.page.mouse.wheel(0, -600);
      await panel.page.getByText("Jump to latest").waitFor();
      mark = script.events.length;
      await panel.events(script.text("and more\n\n".repeat(50)).since(mark));
      assert.ok(Number(await distance()) > 500, "it stays where the user is");
      await panel.page.getByText("Jump to latest").click();
      assert.ok(Number(await distance()) < 2, "it goes back");
    });

    it("scrolls to the end when a request is sent, but not when it is queued", async () => {
      const script = new TurnScript().ask("Hi").text("line\n\n".repeat(200)).end();
      await panel.snapshot(script.events);
      const message = panel.page.getByLabel("Message to Graft");
      const jump = panel.page.getByText("Jump to latest");
      const sendFromAbove = async () => {
        await panel.page.locator(".scroller").hover();
        await panel.page.mouse.wheel(0, -600);
        await jump.waitFor();
        await message.fill("Go on");
        await message.press("Enter");
      };
      await sendFromAbove();
      const mark = script.events.length;
      await panel.events(script.ask("Go on").text("second").since(mark));
      await panel.page.getByText("second", { exact: true }).waitFor();
      assert.equal(await jump.isVisible(), false);
      await panel.post({ type: "status", status: { ...readyStatus, busy: true } });
      await sendFromAbove();
      assert.ok(await jump.isVisible());
    });

    it("keeps what the user unfolds at the end in place", async () => {
      const script = new TurnScript().ask("Hi").text("line\n\n".repeat(60));
      script.call("c", "read_file", { file_path: "a.ts" }, "result\n".repeat(60), 3);
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      const line = panel.page.locator(".tool summary");
      const before = await line.boundingBox();
      await line.click();
      await panel.page.getByText("Jump to latest").waitFor();
      assert.deepEqual(await line.boundingBox(), before);
      await panel.events(script.text("and more\n\n".repeat(20)).events.slice(-1));
      assert.deepEqual(await line.boundingBox(), before);
    });

    it("requests the whole chat when events of another chat arrive", async () => {
      await panel.snapshot([]);
      await panel.post({ type: "events", chatId: "other", events: new TurnScript().ask("Hi").events });
      assert.deepEqual((await panel.sent()).at(-1), { type: "ready", chatId: null, lastSeq: 0 });
    });

    it("opens a chat of a thousand turns with the last ones first", async () => {
      const script = new TurnScript();
      for (let turn = 0; turn < 500; turn++) script.ask(`Question ${turn}`).text(`Answer **${turn}**\n\n- a\n- b\n`).end();
      await panel.snapshot(script.events);
      assert.ok(await panel.page.getByText("Question 499").isVisible());
      await panel.page.getByText("Question 0", { exact: true }).waitFor({ state: "attached" });
      assert.equal(await panel.page.locator(".turn").count(), 1000);
    });
  });

  it("shows the translations in the page, and English for the rest", async () => {
    await panel.reopen({ l10n: { Send: "Senden" } });
    await panel.snapshot([]);
    assert.ok(await panel.page.getByRole("button", { name: "Senden", exact: true }).isVisible());
    assert.ok(await panel.page.getByLabel("Message to Graft").isVisible());
  });

  describe("the empty chat", () => {
    it("explains demo mode and puts an example into the composer", async () => {
      await panel.snapshot([], { ...readyStatus, demo: true, model: "Demo" });
      assert.ok(await panel.page.getByText("Demo mode: scripted answers, no AI. The edits are real.").isVisible());
      assert.equal(await panel.page.locator(".example").count(), 4);
      await panel.page.locator(".example").first().click();
      assert.equal(await panel.page.getByLabel("Message to Graft").inputValue(), "Add a doc comment to each exported function");
    });

    it("offers to manage trust and to set a key", async () => {
      await panel.snapshot([], { ...readyStatus, trusted: false, keyMissing: true });
      await panel.page.getByText("Manage trust").click();
      await panel.page.getByText("Set API Key").click();
      assert.deepEqual((await panel.sent()).slice(1), [{ type: "manage-trust" }, { type: "set-api-key" }]);
    });

    it("offers to open a chat here that is open in another window", async () => {
      await panel.snapshot([], { ...readyStatus, elsewhere: true });
      await panel.page.getByText("Your last chat is open in another window.").waitFor();
      await panel.page.getByText("Open here").click();
      assert.deepEqual((await panel.sent()).slice(1), [{ type: "open-elsewhere" }]);
    });
  });

  it("fits into 200 pixels without a horizontal scroll bar", async () => {
    await panel.page.setViewportSize({ width: 200, height: 600 });
    const wide = () =>
      panel.page.evaluate(
        "[...document.querySelectorAll('.scroller, #root, .composer, .composer-bar')].filter((e) => e.scrollWidth > e.clientWidth).length",
      );
    await panel.snapshot(fullTurn().end().events, { ...readyStatus, trusted: false, keyMissing: true });
    assert.equal(await wide(), 0);
    await panel.snapshot(fullTurn().events, { ...readyStatus, busy: true });
    assert.equal(await wide(), 0, "while a turn runs");
  });

  it("can be used with the keyboard alone", async () => {
    await panel.snapshot(fullTurn().events, { ...readyStatus, busy: true });
    const reached = await panel.page.evaluate("(() => { document.body.focus(); return true; })()");
    assert.ok(reached);
    const names = new Set<string>();
    for (let press = 0; press < 30; press++) {
      await panel.page.keyboard.press("Tab");
      names.add(
        String(await panel.page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")),
      );
    }
    for (const name of [
      "Accept file src/shapes.ts",
      "Reject file src/shapes.ts",
      "Show diff of src/shapes.ts",
      "src/shapes.ts",
      "Message to Graft",
      "Stop",
    ]) {
      assert.ok(names.has(name), `${name} is not among ${[...names].join(" | ")}`);
    }
  });
});
