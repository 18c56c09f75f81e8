import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { TurnScript } from "../fakes/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import { withPanel } from "./withPanel.ts";

const block = "```ts:3:4\nexport function area(shape: Shape): number {\n  return 1;\n}\n```";

/** A turn with everything in it: thinking, calls, Markdown, an edit block, a report. */
function fullTurn(): TurnScript {
  const intro = "I read the file.\n\n- one\n- two\n\n";
  const script = new TurnScript().ask("Change area()");
  script.add({ type: "reasoning-delta", text: "First read " }, { type: "reasoning-delta", text: "the file." });
  script.call("call-0", "read_file", { file_path: "src/shapes.ts" }, "src/shapes.ts (lines 1-9 of 9)", 12);
  script.add({ type: "step-start", step: 1 });
  script.text(intro, 3);
  for (let at = 0; at < block.length; at += 4) {
    script.text(block.slice(at, at + 4));
    if (at >= 12) script.edit({ step: 1, textStart: intro.length, addedLines: Math.floor(at / 20) });
  }
  script.edit({
    step: 1,
    textStart: intro.length,
    textEnd: intro.length + block.length,
    status: "pending",
    addedLines: 3,
    removedLines: 2,
  });
  script.text("\n\nDone:\n\n```js\nconst a = 1;\n```\nSee `area`.", 5);
  return script;
}

/** The text of an element as screen readers get it. */
async function words(element: Locator): Promise<string> {
  return ((await element.textContent()) ?? "").replace(/\s+/g, " ");
}

describe("The panel in a browser", function () {
  this.timeout(60_000);
  const panel = withPanel();

  it("is at most 450 KB and says that it is ready", async () => {
    const size = Buffer.byteLength(panel.files.get("main.js")?.body ?? "");
    assert.ok(size > 0 && size <= 450_000, `the script has ${size} bytes`);
    assert.deepEqual(await panel.sent(), [{ type: "ready", chatId: null, lastSeq: 0 }]);
  });

  describe("the composer", () => {
    it("sends with Enter, breaks the line with Shift+Enter, and is empty afterwards", async () => {
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

    it("sends nothing while an input method composes, and nothing empty", async () => {
      await panel.snapshot([]);
      const box = panel.page.getByLabel("Message to Graft");
      await box.fill("にほん");
      await box.dispatchEvent("keydown", { key: "Enter", isComposing: true });
      await box.dispatchEvent("keydown", { key: "Enter", keyCode: 229 });
      await box.fill("   ");
      await box.press("Enter");
      assert.deepEqual(await panel.sent(), [{ type: "ready", chatId: null, lastSeq: 0 }]);
    });

    it("offers Stop instead of Send while a turn runs, and loses nothing typed meanwhile", async () => {
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

    it("keeps the draft when the panel is thrown away", async () => {
      await panel.snapshot([]);
      await panel.page.getByLabel("Message to Graft").fill("not sent yet");
      await panel.page.reload();
      assert.equal(await panel.page.getByLabel("Message to Graft").inputValue(), "not sent yet");
    });

    it("says why nothing can be sent", async () => {
      await panel.snapshot([], { ...readyStatus, workspace: false });
      assert.ok(await panel.page.getByText("Open a folder to start").isVisible());
      assert.ok(await panel.page.getByLabel("Message to Graft").isDisabled());
    });

    it("takes the focus when the host asks for it", async () => {
      await panel.snapshot([]);
      await panel.post({ type: "focus-composer" });
      assert.equal(await panel.page.evaluate("document.activeElement.tagName"), "TEXTAREA");
    });
  });

  describe("an answer", () => {
    it("looks the same live, in one piece, and after a reload", async () => {
      const script = fullTurn();
      await panel.snapshot([]);
      for (const event of script.events) await panel.events([event]);
      const live = await panel.markup();
      await panel.snapshot(script.events);
      assert.equal(await panel.markup(), live);
      await panel.snapshot([]);
      await panel.events(script.events);
      assert.equal(await panel.markup(), live);
    });

    it("shows an edit block as a card and never its fence", async () => {
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
        // The host learns of the block with the end of its first line, and says so in the next frame at the latest.
        if (script.events.length > 26) script.edit({ textStart: 13, addedLines: 2, removedLines: 1 });
      }
      script.edit({ textStart: 13, textEnd: 13 + block.length, status: "pending", addedLines: 3, removedLines: 2 });
      script.text("\nThat was it.");
      await send();
      const seen = await panel.page.evaluate("window.seen.filter((text) => text.includes('`')).length");
      assert.equal(seen, 0, "a fence was shown");
      const card = panel.page.getByRole("group", { name: "Edit of src/shapes.ts" });
      assert.match(await words(card), /src\/shapes\.ts[\s\S]*waiting for review[\s\S]*replace lines 3-4[\s\S]*\+3 −2/);
      assert.equal(await card.locator("code").textContent(), "export function area(shape: Shape): number {\n  return 1;\n}\n");
      assert.ok(await panel.page.getByText("That was it.").isVisible());
    });

    it("lets the user decide on a file from its card", async () => {
      await panel.snapshot(fullTurn().events, { ...readyStatus, busy: true });
      await panel.page.getByText("Show diff").click();
      await panel.page.getByText("Accept file").click();
      await panel.page.getByText("Reject file").click();
      assert.deepEqual((await panel.sent()).slice(1), [
        { type: "show-proposal", path: "src/shapes.ts" },
        { type: "accept-file", path: "src/shapes.ts" },
        { type: "reject-file", path: "src/shapes.ts" },
      ]);
    });

    it("offers to restore what an ended turn changed, whole and by file, and says what was restored", async () => {
      const script = new TurnScript().ask("Rename area()\nand its callers").text("Done.");
      for (const [blockId, path] of [
        ["one", "src/a.ts"],
        ["two", "src/a.ts"],
        ["three", "src/b.ts"],
      ] as const)
        script.edit({ blockId, path, textStart: 5, textEnd: 5, status: "applied" });
      script.edit({ blockId: "four", path: "src/c.ts", textStart: 5, textEnd: 5, status: "rejected" });
      await panel.snapshot(script.events, { ...readyStatus, busy: true });
      const offers = panel.page.getByRole("button", { name: /before this turn/ });
      assert.equal(await offers.count(), 0, "while the turn runs");
      await panel.events(script.end().since(script.events.length - 1));
      await panel.page.getByRole("button", { name: "Restore files to before this turn" }).press("Enter");
      await panel.page.getByRole("button", { name: "Restore src/a.ts to before this turn" }).press("Enter");
      await panel.page.getByRole("button", { name: "Restore src/b.ts to before this turn" }).click();
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
      const sentence = "Restored to before “Rename area() and its callers”: src/a.ts, src/b.ts (deleted)";
      assert.ok(await panel.page.locator(".note", { hasText: sentence }).isVisible());
      await panel.page.getByRole("status").filter({ hasText: sentence }).waitFor({ state: "attached" });
    });

    it("offers to propose a block that a guard holds back, and shows stopped ones without alarm", async () => {
      const script = new TurnScript().ask("Change");
      const reason = "It seems to leave text out (`// ...`), so it was not proposed.";
      script.edit({ blockId: "one", path: "src/a.ts", textStart: 0, textEnd: 0, status: "held", reason, guards: ["elision"] });
      script.edit({ blockId: "two", path: "src/a.ts", textStart: 0, textEnd: 0, status: "stopped", reason: "stopped; nothing applied" });
      await panel.snapshot(script.end().events);
      assert.ok(await panel.page.getByText(reason).isVisible());
      assert.equal(await panel.page.locator(".card", { hasText: "stopped; nothing applied" }).getAttribute("data-tone"), "off");
      await panel.page.getByText("Propose it anyway").click();
      assert.deepEqual((await panel.sent()).slice(1), [{ type: "propose-anyway", turnId: "turn-2", blockId: "one" }]);
      script.edit({ blockId: "one", path: "src/a.ts", textStart: 0, textEnd: 0, status: "pending", reason: null, warning: "Careful." });
      await panel.events(script.since(script.events.length - 1));
      await panel.page.getByText("Careful.").waitFor();
      assert.equal(await panel.page.getByText("Propose it anyway").count(), 0);
      assert.ok(await panel.page.getByText("Accept file").isVisible());
    });

    it("names every state of an edit block in words", async () => {
      const script = new TurnScript().ask("Change");
      const words = {
        applied: "applied",
        rejected: "rejected",
        ignored: "ignored",
        refused: "refused",
        held: "held back",
        incomplete: "incomplete",
        stopped: "stopped",
        conflict: "conflict",
      } as const;
      for (const status of Object.keys(words)) {
        if (status in words)
          script.edit({ blockId: status, textStart: 0, textEnd: 0, status: status as keyof typeof words, reason: `because ${status}` });
      }
      await panel.snapshot(script.end().events);
      for (const [status, word] of Object.entries(words)) {
        assert.ok(await panel.page.locator(".card .state", { hasText: word }).isVisible(), word);
        assert.ok(await panel.page.getByText(`because ${status}`).isVisible(), status);
      }
    });

    it("shows a conflict's diff while it waits for the user, then its file, and counts lines only where there are some", async () => {
      const script = new TurnScript().ask("Change").end();
      const conflict = { blockId: "one", path: "src/a.ts", textStart: 0, textEnd: 0, status: "conflict", reason: "changed" } as const;
      script.edit({ ...conflict, addedLines: 2, removedLines: 1, undecided: true });
      script.edit({ blockId: "two", path: "src/b.ts", textStart: 0, textEnd: 0, status: "ignored", reason: "Wrong mode." });
      await panel.snapshot(script.events);
      await panel.page.getByText("Wrong mode.").waitFor();
      assert.deepEqual(await Promise.all((await panel.page.locator(".counts").all()).map((counts) => counts.isVisible())), [true, false]);
      await panel.page.getByRole("button", { name: "Show diff of src/a.ts" }).click();
      script.edit({ ...conflict, addedLines: 2, removedLines: 1 });
      await panel.events(script.since(script.events.length - 1));
      await panel.page.getByRole("button", { name: "Show diff of src/a.ts" }).waitFor({ state: "detached" });
      await panel.page.getByRole("button", { name: "src/a.ts", exact: true }).click();
      assert.deepEqual((await panel.sent()).slice(1), [
        { type: "show-proposal", path: "src/a.ts" },
        { type: "open-file", path: "src/a.ts", line: 3 },
      ]);
    });

    it("colours closed code, by classes, from a script that is loaded only then", async () => {
      await panel.snapshot(new TurnScript().ask("Hi").text("Words.").events);
      assert.equal(await panel.page.locator("script").count(), 1);
      await panel.snapshot(new TurnScript().ask("Hi").text("```js\nconst a = 1;\n```\n").end().events);
      await panel.page.locator("code .hljs-keyword", { hasText: "const" }).waitFor();
      assert.equal(await panel.page.locator(".turns [style]").count(), 0);
    });

    it("keeps hostile text inert", async () => {
      const hostile = [
        '<script>window.hit = 1</script><img src=x onerror="window.hit = 1"><svg onload="window.hit = 1"><iframe srcdoc="<script>parent.hit=1</script>">',
        "[a](javascript:window.hit=1) [b](command:workbench.action.quit) [c](data:text/html,x) [d](vscode://x) ![e](http://evil.test/p.png)",
        '```js"><img src=x onerror="window.hit=1">\n</code></pre><script>window.hit = 1</script>\n```',
        '<a href="http://ok.test" onclick="window.hit=1" style="position:fixed">raw</a> <style>*{display:none}</style> <base href="http://evil.test">',
        "| a |\n|---|\n| <img src=x onerror=window.hit=1> |",
      ];
      const script = new TurnScript().ask(hostile.join("\n"));
      for (const text of hostile) script.text(`${text}\n\n`, 7);
      script.add({ type: "reasoning-delta", text: hostile[0] ?? "" }, { type: "notice", level: "warning", text: hostile[0] ?? "" });
      script.call("call-1", `<img src=x onerror="window.hit=1">`, { file_path: hostile[0] }, hostile[0] ?? "", 1);
      script.add({ type: "turn-end", reason: "error", error: { kind: "server", message: hostile[0] ?? "", retryable: true } });
      await panel.snapshot(script.events);
      for (const each of await panel.page.locator("summary").all()) await each.click();
      assert.equal(await panel.page.evaluate("window.hit"), undefined);
      assert.equal(
        await panel.page
          .locator(".turns :is(script, img, iframe, svg:not(.icon), style, base, [onclick], [onerror], [style], a[href])")
          .count(),
        0,
      );
      assert.equal(await panel.page.locator("a.link").count(), 1, "only the picture's web address is a link");
    });

    it("follows links by asking the host", async () => {
      await panel.snapshot(new TurnScript().ask("Hi").text("[docs](https://example.org/a) and [file](src/a.ts#L7)").end().events);
      await panel.page.getByText("docs", { exact: true }).click();
      await panel.page.getByText("file", { exact: true }).press("Enter");
      assert.deepEqual((await panel.sent()).slice(1), [
        { type: "open-link", url: "https://example.org/a" },
        { type: "open-file", path: "src/a.ts", line: 7 },
      ]);
    });

    it("costs as much at its end as at its beginning", async () => {
      const script = new TurnScript().ask("Tell me a lot");
      const words = "Some words of **an answer** with `code`.\n";
      const code = "const value = compute(1, 2);\n";
      let text = "";
      while (text.length < 40_000) text += `## Part\n\n${words.repeat(3)}\n- one\n- two\n\n`;
      text += `\`\`\`\n${code.repeat(600)}\`\`\`\n`;
      while (text.length < 100_000) text += `${words}\n`;
      script.text(text, 10);
      await panel.snapshot(script.events.slice(0, 3), { ...readyStatus, busy: true });
      const costs = await panel.page.evaluate(`(async () => {
        const events = ${JSON.stringify(script.since(3))};
        let touched = 0;
        new MutationObserver((records) => {
          for (const record of records) {
            touched += 1;
            for (const node of [...record.addedNodes, ...record.removedNodes]) touched += 1 + (node.querySelectorAll?.("*").length ?? 0);
          }
        }).observe(document.querySelector(".turns"), { childList: true, characterData: true, subtree: true });
        const costs = [];
        for (let at = 0; at < events.length; at += 50) {
          window.postMessage({ type: "events", chatId: "chat-1", events: events.slice(at, at + 50) }, "*");
          await window.drawn();
          costs.push(touched);
          touched = 0;
        }
        return costs;
      })()`);
      assert.ok(Array.isArray(costs) && costs.length >= 200);
      const mean = (values: readonly unknown[]): number => values.reduce<number>((sum, value) => sum + Number(value), 0) / values.length;
      const [first, last] = [mean(costs.slice(0, 40)), mean(costs.slice(-40))];
      assert.ok(last <= first * 1.5, `${first} nodes a frame at the beginning, ${last} at the end of 10,000 deltas`);
      assert.ok(Math.max(...costs.map(Number)) < 400, `a frame touched ${Math.max(...costs.map(Number))} nodes`);
    });
  });

  describe("what happens meanwhile", () => {
    it("shows a tool call with its arguments, result and duration", async () => {
      await panel.snapshot(fullTurn().events);
      const row = panel.page.locator(".tool-row");
      assert.match(await words(row), /read_file src\/shapes\.ts 12 ms done/);
      await row.locator("summary").click();
      await row.locator("pre").last().waitFor();
      assert.match(await words(row), /"file_path": "src\/shapes.ts"[\s\S]*lines 1-9 of 9/);
    });

    it("asks for permission and passes the answer on", async () => {
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

    it("shows which command would run and where, and lets the user allow it for longer", async () => {
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

    it("says an error in words, with what can be done", async () => {
      const script = new TurnScript().ask("Hi");
      script.add({ type: "turn-end", reason: "error", error: { kind: "auth", message: "The key was refused (401).", retryable: false } });
      await panel.snapshot(script.events);
      assert.ok(await panel.page.getByText("The key was refused (401).").isVisible());
      await panel.page.getByText("Set API Key").click();
      await panel.page.getByText("Open Settings").click();
      await panel.page.getByText("Retry").click();
      assert.deepEqual((await panel.sent()).slice(1), [
        { type: "set-api-key" },
        { type: "open-settings" },
        { type: "retry", turnId: "turn-2" },
      ]);
    });

    it("goes on after the step limit when the user wants it", async () => {
      await panel.snapshot(new TurnScript().ask("Go").text("So far.").end("step-limit").events);
      await panel.page.getByRole("button", { name: "Continue" }).press("Enter");
      assert.deepEqual((await panel.sent()).at(-1), { type: "send", text: "Continue." });
    });

    it("offers edit mode where the model takes no tools", async () => {
      const notice = { type: "notice", level: "warning", text: "gemma3 takes no tools.", action: "start-edit-mode" } as const;
      await panel.snapshot(new TurnScript().ask("Go").add(notice).text("Hm.").end().events);
      await panel.page.locator(".note", { hasText: "gemma3" }).getByRole("button", { name: "Start Edit Mode on File" }).press("Enter");
      assert.deepEqual((await panel.sent()).at(-1), { type: "start-edit-mode" });
    });

    it("marks where the earlier turns were summed up and which rules hold, each with its text to be unfolded", async () => {
      const script = new TurnScript().ask("Go").text("Yes.").end().ask("And on");
      script.add(
        { type: "compaction", summary: "The user wants <b>tests</b>." },
        { type: "rules", path: "lib/AGENTS.md", text: "Use tabs." },
      );
      await panel.snapshot([]);
      for (const event of script.events) await panel.events([event]);
      const live = await panel.markup();
      const texts = { "Earlier turns are summed up for the model": "The user wants <b>tests</b>.", "Rules: lib/AGENTS.md": "Use tabs." };
      for (const [heading, text] of Object.entries(texts)) {
        assert.equal(await panel.page.getByText(text, { exact: true }).isVisible(), false);
        await panel.page.getByText(heading, { exact: true }).click();
        assert.ok(await panel.page.getByText(text, { exact: true }).isVisible());
      }
      assert.ok(await panel.page.getByText("Yes.", { exact: true }).isVisible(), "the earlier turns are still shown");
      await panel.snapshot(script.events);
      assert.equal(await panel.markup(), live);
    });

    it("says questions, decisions and the finished answer aloud, but no tokens", async () => {
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

    it("follows the end only while the user is there", async () => {
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

    it("asks for the whole chat when events of another one come", async () => {
      await panel.snapshot([]);
      await panel.post({ type: "events", chatId: "other", events: new TurnScript().ask("Hi").events });
      assert.deepEqual((await panel.sent()).at(-1), { type: "ready", chatId: null, lastSeq: 0 });
    });

    it("opens a chat of a thousand turns with the last ones at once", async () => {
      const script = new TurnScript();
      for (let turn = 0; turn < 500; turn++) script.ask(`Question ${turn}`).text(`Answer **${turn}**\n\n- a\n- b\n`).end();
      await panel.snapshot(script.events);
      assert.ok(await panel.page.getByText("Question 499").isVisible());
      await panel.page.getByText("Question 0", { exact: true }).waitFor({ state: "attached" });
      assert.equal(await panel.page.locator(".turn").count(), 1000);
    });
  });

  describe("the empty chat", () => {
    it("explains the demonstration and puts an example into the composer", async () => {
      await panel.snapshot([], { ...readyStatus, demo: true, model: "Demo" });
      assert.ok(await panel.page.getByText("no AI. It makes real edits").isVisible());
      assert.equal(await panel.page.locator(".example").count(), 4);
      await panel.page.locator(".example").first().click();
      assert.equal(await panel.page.getByLabel("Message to Graft").inputValue(), "Add a doc comment to each exported function");
    });

    it("offers to trust the workspace and to set a key", async () => {
      await panel.snapshot([], { ...readyStatus, trusted: false, keyMissing: true });
      await panel.page.getByText("Manage Workspace Trust").click();
      await panel.page.getByText("Set API Key").click();
      assert.deepEqual((await panel.sent()).slice(1), [{ type: "manage-trust" }, { type: "set-api-key" }]);
    });

    it("says that the last chat is open in another window, and offers to open it here", async () => {
      await panel.snapshot([], { ...readyStatus, elsewhere: true });
      await panel.page.getByText("The last chat is open in another window, so this is a new one.").waitFor();
      await panel.page.getByText("Open It Here").click();
      assert.deepEqual((await panel.sent()).slice(1), [{ type: "open-elsewhere" }]);
    });
  });

  it("fits 200 pixels without a scroll bar across", async () => {
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

  it("is reached by the keyboard alone", async () => {
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
