import assert from "node:assert/strict";
import * as z from "zod/mini";
import { modelError } from "../../src/model/modelFailure.ts";
import { seededRandom } from "../fakes/seededRandom.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { fullTurn } from "./fullTurn.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";
import { words } from "./words.ts";

const lookSchema = z.object({ text: z.string(), at: z.number(), open: z.number() });

describe("The panel in a browser", () => {
  const panel = withPanel();

  it("is at most 600 kB and reports that it is ready", async () => {
    const size = panel.files.get("main.js")?.body.length ?? 0;
    assert.ok(size > 0 && size <= 600_000, `the script has ${size} bytes`);
    assert.deepEqual(await panel.sent(), [{ type: "ready" }]);
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
      assert.match(await words(row), /^\s*Read shapes\.ts\s*$/);
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
        {
          type: "approval-request",
          callId: "c",
          tool: "edit_mode",
          effect: "write",
          summary: "Propose edits to a.ts",
        },
      );
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      assert.ok(await panel.page.getByText("Waiting for your permission").isVisible());
      await panel.page.getByText("Allow", { exact: true }).click();
      assert.deepEqual((await panel.sent()).at(-1), {
        type: "approve",
        callId: "c",
        allowed: true,
      });
      await panel.events(
        script
          .add({ type: "approval-decision", callId: "c", allowed: true, by: "user" })
          .events.slice(-1),
      );
      assert.equal(await panel.page.getByText("Allow", { exact: true }).count(), 0);
    });

    it("shows which command would run and where, and can allow it for longer", async () => {
      const script = new TurnScript().ask("Test");
      const command = { text: "npm test\n# \u202eevil", folder: "web" };
      script.add(
        { type: "tool-call-start", callId: "c", name: "run_command" },
        { type: "tool-call", callId: "c", name: "run_command", argsText: "{}", input: {} },
        {
          type: "approval-request",
          callId: "c",
          tool: "run_command",
          effect: "execute",
          summary: "Run npm test in web",
          command,
        },
      );
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      const question = panel.page.getByRole("group", { name: "Permission" });
      assert.match(
        await words(question),
        /Run this command in web\?[\s\S]*npm test # \\u\{202e\}evil/,
      );
      const longer = question.getByRole("button", { name: "Allow for longer" });
      await longer.press("Enter");
      await panel.page
        .locator('vscode-button[aria-label="Allow this exact command in this turn"]:focus')
        .waitFor();
      await panel.page.keyboard.press("Escape");
      await panel.page.locator('vscode-button[aria-label="Allow for longer"]:focus').waitFor();
      await longer.press("Enter");
      await question
        .getByRole("button", { name: "Allow this exact command in this workspace" })
        .press("Enter");
      assert.deepEqual((await panel.sent()).at(-1), {
        type: "approve",
        callId: "c",
        allowed: true,
        scope: "workspace",
      });
    });

    it("offers to allow a test command with further words", async () => {
      const script = new TurnScript().ask("Test");
      const command = { text: "npm test unit", folder: ".", prefix: "npm test" };
      script.add(
        { type: "tool-call-start", callId: "c", name: "run_command" },
        { type: "tool-call", callId: "c", name: "run_command", argsText: "{}", input: {} },
        {
          type: "approval-request",
          callId: "c",
          tool: "run_command",
          effect: "execute",
          summary: "Run npm test unit",
          command,
        },
      );
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      await panel.page.getByRole("button", { name: "Allow for longer" }).click();
      await panel.page
        .getByRole("button", { name: "Allow npm test … in this session" })
        .press("Enter");
      assert.deepEqual((await panel.sent()).at(-1), {
        type: "approve",
        callId: "c",
        allowed: true,
        scope: "session",
        more: true,
      });
    });

    it("asks about a deletion in its own words, and shows a commit's whole message and files", async () => {
      const script = new TurnScript().ask("Delete it");
      const asked = { type: "approval-request", callId: "c", effect: "write" } as const;
      const call = (name: string) =>
        script.add(
          { type: "tool-call-start", callId: "c", name },
          { type: "tool-call", callId: "c", name, argsText: "{}", input: {} },
        );
      call("delete_file").add({ ...asked, tool: "delete_file", summary: "Delete play.ts" });
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      assert.ok(await panel.page.getByText("Delete play.ts?").isVisible());
      await panel.page.getByText("Keep", { exact: true }).click();
      assert.deepEqual((await panel.sent()).at(-1), {
        type: "approve",
        callId: "c",
        allowed: false,
      });
      const commit = { message: "Tidy up\n\nAll of it.", paths: ["a.ts", "src/b\u202e.ts"] };
      script.ask("Commit");
      call("git_commit").add({
        ...asked,
        effect: "execute",
        tool: "git_commit",
        summary: "Commit a.ts: Tidy up",
        commit,
      });
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      const question = panel.page.locator(".question").last();
      assert.match(
        await words(question),
        /Commit this\?\s*Tidy up All of it\.\s*a\.tssrc\/b\\u\{202e\}\.ts/,
      );
      await question.getByText("Commit", { exact: true }).click();
      assert.deepEqual((await panel.sent()).at(-1), {
        type: "approve",
        callId: "c",
        allowed: true,
      });
    });

    it("offers no longer permission for a file that VS Code acts on", async () => {
      const script = new TurnScript().ask("Tasks");
      const summary = "Create .vscode/tasks.json (1 line)";
      script.add(
        { type: "tool-call-start", callId: "c", name: "create_file" },
        { type: "tool-call", callId: "c", name: "create_file", argsText: "{}", input: {} },
        {
          type: "approval-request",
          callId: "c",
          tool: "create_file",
          effect: "write",
          summary,
          eachTime: true,
        },
      );
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      const question = panel.page.getByRole("group", {
        name: `Permission: ${summary}`,
        exact: true,
      });
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
          {
            type: "approval-request",
            callId,
            tool,
            effect: "execute",
            summary,
            ...(tool === "run_command" && { command }),
          },
        );
      }
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      const shown = "Delete a.ts\\u{a}This was checked.\\u{202e}\\u{a0}\\u{3164}";
      const questions = panel.page.getByRole("group", {
        name: `Permission: ${shown}`,
        exact: true,
      });
      assert.ok((await words(questions.first())).startsWith(shown));
      const asked = await words(questions.last());
      assert.ok(
        asked.startsWith(
          "Run this command in web\\u{a}y?rm\\u{a0}-rf\\u{3164}\\u{2028}\\u{2800}\\u{fe0f} x",
        ),
        asked,
      );
    });

    it("shows an error with the actions that help", async () => {
      const script = new TurnScript().ask("Hi");
      script.add({
        type: "turn-end",
        reason: "error",
        error: modelError({ code: "key-rejected" }, { baseUrl: "api.example.com", model: "m" }),
      });
      await panel.snapshot(script.events);
      assert.ok(
        await panel.page.getByText("api.example.com rejected the API key (401).").isVisible(),
      );
      await panel.page.getByRole("button", { name: "Set API key" }).click();
      await panel.page.getByRole("button", { name: "Choose model" }).click();
      await panel.page.getByText("Retry").click();
      assert.deepEqual((await panel.sent()).slice(1), [
        { type: "set-api-key" },
        { type: "choose-model" },
        { type: "retry", turnId: "turn-2" },
      ]);
    });

    it("offers to continue after the step limit", async () => {
      await panel.snapshot(new TurnScript().ask("Go").text("So far.").end("step-limit").events);
      await panel.page.getByRole("button", { name: "Continue" }).press("Enter");
      assert.deepEqual((await panel.sent()).at(-1), { type: "send", text: "Continue." });
    });

    it("offers edit mode when the model does not support tools", async () => {
      const error = modelError(
        { code: "tools-refused" },
        { baseUrl: "localhost", model: "gemma3" },
      );
      const notice = { type: "notice", level: "warning", code: "tools-refused", error } as const;
      await panel.snapshot(new TurnScript().ask("Go").add(notice).text("Hm.").end().events);
      await panel.page
        .locator(".note", { hasText: "gemma3" })
        .getByRole("button", { name: "Start edit mode" })
        .press("Enter");
      assert.deepEqual((await panel.sent()).at(-1), { type: "start-edit-mode" });
    });

    it("shows tokens, cached share and cost on one line, with the whole chat's on hover", async () => {
      const usage = {
        type: "usage",
        usage: { inputTokens: 9_000, outputTokens: 1_000, cachedInputTokens: 6_300, cost: 0.042 },
      } as const;
      const script = new TurnScript()
        .ask("Go")
        .add(usage)
        .text("Yes.")
        .end()
        .ask("And on")
        .add(usage)
        .text("Yes.")
        .end();
      await panel.snapshot(script.events);
      const line = panel.page.locator(".facts").last();
      assert.match((await line.textContent()) ?? "", /10,000 tokens · 70% cached · \$0\.04$/);
      await line.hover();
      assert.match(
        (await line.getAttribute("title")) ?? "",
        /Input 9,000 \(6,300 from the cache\), output 1,000\nThis chat: 20,000 tokens · 70% cached · \$0\.08$/,
      );
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
      const script = new TurnScript()
        .ask("Go")
        .add({ type: "context-use", use }, usage)
        .text("Yes.");
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
    });

    it("measures the window of the model chosen now, with what is attached to the draft", async () => {
      const use = {
        window: 128_000,
        reserve: 16_000,
        system: 1_000,
        tools: 6_000,
        attachments: 0,
        history: 3_000,
      };
      await panel.snapshot(
        new TurnScript().ask("Go").add({ type: "context-use", use }).text("Yes.").end().events,
      );
      const meter = (percent: number) =>
        panel.page.getByRole("button", { name: `${percent}% of the context window used` });
      await meter(8).waitFor();
      await panel.post({
        type: "status",
        status: { ...readyStatus, model: "Small", next: { model: "small-1", window: 20_000 } },
      });
      await meter(50).focus();
      const details = panel.page.getByRole("group", { name: "Context window" });
      assert.match(
        await words(details),
        /10k of 20k tokens ?Small ?.*Reserved for the answer 5\.0k ?Left 5\.0k ?Last answer: demo/,
      );
      const ref = { kind: "file" as const, path: "a.ts", lines: null, name: "", text: null };
      await panel.post({
        type: "attach",
        items: [{ ref, tokens: 4_000, clipped: false }],
        refused: [],
      });
      await meter(70).waitFor();
      assert.match(await words(details), /Attached to the draft 4\.0k/);
      await panel.page.getByRole("button", { name: "Remove a.ts" }).press("Enter");
      await meter(50).waitFor();
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
            assert.ok(
              reached.includes(name),
              `the keyboard reaches ${name}: ${reached.join(", ")}`,
            );
        }
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
      const texts = {
        "Conversation compacted": "The user wants <b>tests</b>.",
        "Rules: lib/AGENTS.md": "Use tabs.",
      };
      for (const [heading, text] of Object.entries(texts)) {
        assert.equal(await panel.page.getByText(text, { exact: true }).isVisible(), false);
        await panel.page.getByText(heading, { exact: true }).click();
        assert.ok(await panel.page.getByText(text, { exact: true }).isVisible());
      }
      assert.ok(
        await panel.page.getByText("Yes.", { exact: true }).isVisible(),
        "the earlier turns are still shown",
      );
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
      await panel.page.getByText("New below").click();
      assert.ok(Number(await distance()) < 2, "it goes back");
    });

    it("lets the user leave the end by a few pixels while words arrive", async () => {
      const script = new TurnScript().ask("Hi").text("line\n\n".repeat(200));
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      const scroller = panel.page.locator(".scroller");
      const jump = panel.page.locator(".jump");
      // As the first frame of a smooth scroll does.
      await scroller.evaluate((element) => element.scrollBy(0, -10));
      await jump.waitFor();
      const top = await scroller.evaluate((element) => element.scrollTop);
      const mark = script.events.length;
      await panel.events(script.text("more\n\n".repeat(50)).since(mark));
      assert.equal(await scroller.evaluate((element) => element.scrollTop), top);
      await jump.click();
      await jump.waitFor({ state: "hidden" });
      // A taller view moves its content, too.
      const { width, height } = panel.page.viewportSize() ?? { width: 0, height: 0 };
      await panel.page.setViewportSize({ width, height: height + 100 });
      await panel.page.evaluate("new Promise((done) => requestAnimationFrame(done))");
      assert.equal(await jump.isVisible(), false, "it stays at the end");
    });

    it("finds words in the chat, also across marks and in folded parts", async () => {
      const script = new TurnScript()
        .ask("Find **me** (needle)")
        .add({ type: "reasoning-delta", text: "A hidden needle." });
      script.text("No **nee**dle here.\n\nnee\n\ndle\n").end();
      await panel.snapshot(script.events);
      await panel.page.keyboard.press("Control+f");
      await panel.page.keyboard.type("NEEDLE");
      const count = panel.page.locator(".find-count");
      await count.getByText("3 of 3").waitFor();
      await panel.page.keyboard.press("Enter");
      await panel.page.keyboard.press("Enter");
      await count.getByText("2 of 3").waitFor();
      assert.ok(
        await panel.page.getByText("A hidden needle.").isVisible(),
        "it unfolds what it found",
      );
      await panel.page.keyboard.press("Escape");
      await panel.page.locator(".scroller:focus").waitFor();
      assert.ok(await count.isHidden());
    });

    it("goes from request to request by key", async () => {
      const script = new TurnScript();
      for (const name of ["first", "second", "third"])
        script.ask(name).text("line\n\n".repeat(60)).end();
      await panel.snapshot(script.events);
      const focused = (text: string) =>
        panel.page.locator(".turn-user:focus", { hasText: text }).waitFor();
      await panel.page.locator(".scroller").focus();
      await panel.page.keyboard.press("Alt+ArrowUp");
      await focused("third");
      await panel.page.keyboard.press("Alt+ArrowUp");
      await focused("second");
      await panel.page.keyboard.press("Alt+ArrowDown");
      await focused("third");
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
      await panel.post({
        type: "events",
        chatId: "other",
        after: 0,
        events: new TurnScript().ask("Hi").events,
      });
      assert.deepEqual((await panel.sent()).at(-1), { type: "ready" });
    });

    describe("of a thousand turns", () => {
      const top = async (text: string) =>
        (await panel.page.getByText(text, { exact: true }).boundingBox())?.y ?? Number.NaN;
      const drawn = () => panel.page.locator(".turn:not(.undrawn)").count();

      let script = new TurnScript();

      beforeEach(async () => {
        script = new TurnScript();
        for (let turn = 0; turn < 500; turn++) {
          script.ask(`Question ${turn}`).add({ type: "reasoning-delta", text: "Hm." });
          script
            .text(
              `Answer **${turn}**\n\n${"- a\n- b\n".repeat(turn % 9)}\n\`\`\`\n${"code\n".repeat(turn % 7)}\`\`\`\n`,
            )
            .end();
        }
        await panel.snapshot(script.events);
      });

      it("shows its end at once and draws a turn when the user comes near, without a jump", async () => {
        assert.ok(await panel.page.getByText("Question 499").isVisible());
        assert.equal(
          await panel.page.locator(".turn").count(),
          1000,
          "each turn has its place, in order",
        );
        const atFirst = await drawn();
        assert.ok(atFirst < 60, `${atFirst} turns are drawn`);
        const jumps = await panel.page.evaluate(`(async () => {
          const scroller = document.querySelector(".scroller");
          const jumps = [];
          for (let step = 0; step < 25; step++) {
            const seen = [...document.querySelectorAll(".turn:not(.undrawn)")].find((turn) => turn.getBoundingClientRect().top > 100);
            const before = seen.getBoundingClientRect().top;
            scroller.scrollTop -= 100;
            for (let frame = 0; frame < 4; frame++) await window.drawn();
            const moved = seen.getBoundingClientRect().top - before;
            if (Math.abs(moved - 100) > 2) jumps.push(moved);
          }
          return jumps;
        })()`);
        assert.deepEqual(jumps, [], "what is seen moves with the wheel");
        assert.ok((await drawn()) > atFirst);
        await panel.page.evaluate("document.querySelector('.scroller').scrollTop = 0");
        await panel.page.getByText("Question 0", { exact: true }).waitFor();
        assert.ok((await drawn()) < 200, `${await drawn()} turns are drawn`);
      });

      it("finds words in turns that were not drawn, and goes from request to request", async () => {
        await panel.page.keyboard.press("Control+f");
        await panel.page.keyboard.type("Question 7");
        await panel.page.locator(".find-count").getByText("11 of 11", { exact: true }).waitFor();
        await panel.page.keyboard.press("Enter");
        await panel.page.locator(".find-count").getByText("1 of 11", { exact: true }).waitFor();
        await panel.page.keyboard.press("Shift+Enter");
        await panel.page.keyboard.press("Escape");
      });

      it("goes from request to request through turns that were not drawn", async () => {
        await panel.page.locator(".scroller").focus();
        const focused = panel.page.locator(".turn-user:focus .user-words");
        await panel.page.keyboard.press("Alt+ArrowUp");
        const first = Number((await focused.textContent())?.split(" ")[1]);
        for (let at = first - 1; at > first - 20; at--) {
          await panel.page.keyboard.press("Alt+ArrowUp");
          await focused.getByText(`Question ${at}`, { exact: true }).waitFor();
          const y = await top(`Question ${at}`);
          assert.ok(Math.abs(y - 20) < 30, `Question ${at} is at ${y}`);
        }
      });

      it("stays where it was, with what is unfolded, written and attached, whenever the panel is thrown away", async () => {
        const cart = {
          kind: "file" as const,
          path: "src/cart.ts",
          lines: null,
          name: "",
          text: null,
        };
        await panel.post({
          type: "attach",
          items: [{ ref: cart, tokens: 12, clipped: false }],
          refused: [],
        });
        const look = async () =>
          lookSchema.parse(
            await panel.page.evaluate(`(async () => {
            await window.drawn();
            await window.drawn();
            const inView = (each) => each.getBoundingClientRect().bottom > 1 && each.getBoundingClientRect().top < innerHeight;
            const turn = [...document.querySelectorAll(".turn")].find(inView);
            const open = [...document.querySelectorAll("details[open]")].filter(inView).length;
            return { text: turn.textContent, at: turn.getBoundingClientRect().top, open };
          })()`),
          );
        const random = seededRandom(7);
        for (let round = 0; round < 6; round++) {
          await panel.page.evaluate(
            `(() => { const s = document.querySelector(".scroller"); s.scrollTop = s.scrollHeight * ${random(100) / 100}; })()`,
          );
          await look();
          const thinking = panel.page.locator(
            ".turn:not(.undrawn) .reasoning:not([open]) summary:visible",
          );
          await thinking.nth(Math.floor((await thinking.count()) / 2)).click();
          await panel.page.getByLabel("Message to Graft").fill(`draft ${round}`);
          const before = await look();
          if (round % 2 === 0)
            await panel.post({ type: "status", status: { ...readyStatus, busy: true } });
          await panel.page.reload();
          await panel.snapshot(script.events);
          const after = await look();
          assert.deepEqual([after.text, after.open], [before.text, before.open], `round ${round}`);
          assert.ok(
            Math.abs(after.at - before.at) < 3,
            `round ${round}: at ${after.at}, before at ${before.at}`,
          );
          assert.equal(
            await panel.page.getByLabel("Message to Graft").inputValue(),
            `draft ${round}`,
          );
          assert.equal(await panel.page.locator(".composer .chip").count(), 1);
        }
      });
    });

    it("sends what was sent before the host answers, unless it was changed since", async () => {
      const box = panel.page.getByLabel("Message to Graft");
      const sent = async () => (await panel.posted()).filter(({ type }) => type === "send");
      for (const [later, expected] of [
        [" and not yet", []],
        ["", ["too early"]],
      ] as const) {
        await panel.page.reload();
        await box.fill("too early");
        await box.press("Enter");
        assert.deepEqual(await sent(), []);
        if (later !== "") await box.pressSequentially(later);
        await panel.snapshot([]);
        assert.deepEqual(
          (await sent()).map((message) => message.type === "send" && message.text),
          expected,
        );
        assert.equal(await box.inputValue(), later === "" ? "" : `too early${later}`);
      }
    });

    it("offers modes once the host has told the chat, since they are chosen for it", async () => {
      const mode = panel.page.getByRole("combobox", { name: "Mode" });
      await panel.page.reload();
      await mode.waitFor();
      assert.ok(await mode.isDisabled());
      await panel.snapshot([]);
      assert.ok(await mode.isEnabled());
      assert.equal(await mode.inputValue(), "edit");
    });

    it("shows a message and New Chat with the key, before the host answers, and takes back what was refused", async () => {
      await panel.snapshot(new TurnScript().ask("Old question").text("Old answer").end().events);
      const box = panel.page.getByLabel("Message to Graft");
      const bubble = (text: string) => panel.page.locator(".turn-user", { hasText: text });
      await box.fill("/new and then this");
      await box.press("Enter");
      assert.equal(await bubble("Old question").count(), 0);
      assert.ok(await bubble("and then this").isVisible());
      const [fresh, sent] = (await panel.posted()).slice(-2);
      assert.ok(
        fresh?.type === "new-chat" && sent?.type === "send" && sent.chatId === fresh.chatId,
        "it names the new chat",
      );
      await panel.snapshot(new TurnScript().ask("Old question").text("A late answer").end().events);
      assert.equal(
        await bubble("Old question").count(),
        0,
        "what comes late is about the chat before",
      );
      await panel.post({ type: "snapshot", chatId: fresh.chatId, events: [], status: readyStatus });
      assert.ok(await bubble("and then this").isVisible());
      await panel.page.reload();
      await panel.post({ type: "snapshot", chatId: fresh.chatId, events: [], status: readyStatus });
      assert.deepEqual((await panel.posted()).at(-1), sent, "a reloaded panel sends it again");
      assert.ok(await bubble("and then this").isVisible());
      const script = new TurnScript().ask("and then this");
      const events = script.events.map((event) =>
        event.type === "turn-start" ? { ...event, messages: [sent.id] } : event,
      );
      await panel.post({ type: "events", chatId: fresh.chatId, after: 0, events });
      assert.equal(await bubble("and then this").count(), 1);
      await box.fill("refuse me");
      await box.press("Enter");
      assert.equal(await box.inputValue(), "");
      const refused = (await panel.posted()).at(-1);
      assert.ok(refused?.type === "send");
      await panel.post({ type: "settled", id: refused.id, refused: true });
      assert.equal(await box.inputValue(), "refuse me");
      assert.equal(await bubble("refuse me").count(), 0);
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
      assert.ok(
        await panel.page
          .getByText("Demo mode: scripted answers, no AI. The edits are real.")
          .isVisible(),
      );
      assert.equal(await panel.page.locator(".example").count(), 2);
      await panel.page.locator(".example").first().click();
      assert.equal(
        await panel.page.getByLabel("Message to Graft").inputValue(),
        "Add a doc comment to each exported function",
      );
    });

    it("offers the models that were found until one is chosen, and looks for them once", async () => {
      const local = {
        source: "local",
        from: "Ollama",
        model: "qwen3:8b",
        label: "qwen3:8b",
      } as const;
      const unchosen = { ...readyStatus, demo: true, model: "Demo", chosen: false };
      await panel.snapshot([], unchosen);
      await panel.page.getByText("Looking for models on this machine…").waitFor();
      await panel.post({
        type: "status",
        status: {
          ...unchosen,
          offers: [{ ...local, source: "vscode-lm", from: "copilot", label: "GPT-5 mini" }, local],
        },
      });
      await panel.page.getByRole("button", { name: "Use GPT-5 mini from Copilot" }).waitFor();
      await panel.page.getByRole("button", { name: "Use qwen3:8b on this machine" }).click();
      await panel.page.getByRole("button", { name: "Enter an API key" }).click();
      await panel.page.getByRole("button", { name: "Try demo mode" }).click();
      assert.deepEqual((await panel.sent()).slice(1), [
        { type: "find-models" },
        { type: "take-offer", offer: local },
        { type: "enter-api-key" },
        { type: "try-demo" },
      ]);
      await panel.post({ type: "status", status: readyStatus });
      await panel.page.locator(".example").first().waitFor();
      assert.equal(await panel.page.locator(".offer").count(), 0);
    });

    it("offers to manage trust and to set a key", async () => {
      await panel.snapshot([], { ...readyStatus, trusted: false, keyMissing: true });
      await panel.page.getByText("Manage trust").click();
      await panel.page.getByRole("button", { name: "Set API key" }).click();
      assert.deepEqual((await panel.sent()).slice(1), [
        { type: "manage-trust" },
        { type: "set-api-key" },
      ]);
    });
  });

  it("fits into 200 pixels without a horizontal scroll bar", async () => {
    await panel.page.setViewportSize({ width: 200, height: 600 });
    const wide = () =>
      panel.page.evaluate(
        "[...document.querySelectorAll('.scroller, #root, .composer, .composer-bar')].filter((e) => e.scrollWidth > e.clientWidth).length",
      );
    await panel.snapshot(fullTurn().end().events, {
      ...readyStatus,
      trusted: false,
      keyMissing: true,
    });
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
        String(
          await panel.page.evaluate(
            "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
          ),
        ),
      );
    }
    for (const name of [
      "Accept changes to src/shapes.ts",
      "Reject changes to src/shapes.ts",
      "Show diff of src/shapes.ts",
      "shapes.ts src",
      "Message to Graft",
      "Stop",
    ]) {
      assert.ok(names.has(name), `${name} is not among ${[...names].join(" | ")}`);
    }
  });
});
