import assert from "node:assert/strict";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { readyStatus } from "./panelPage.ts";
import { running } from "./runningCall.ts";
import { withPanel } from "./withPanel.ts";
import { words } from "./words.ts";

const busy = { ...readyStatus, busy: true };

describe("Questions for a permission in the panel", () => {
  const panel = withPanel();
  const press = (label: string) => panel.page.getByText(label, { exact: true }).click();

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

  it("shows the whole of what it asks about, with hidden characters as code points", async () => {
    const facts = {
      run_command: {
        command: { text: "rm\u00a0-rf\u3164\u2028 x", folder: "." },
        eachTime: true as const,
      },
      git_commit: {
        commit: { message: "Tidy up\n\nAll of it.", paths: ["a.ts", "src/b\u202e.ts"] },
      },
      mcp__s__go: {
        arguments: JSON.stringify({ text: "a\u202eb", last: "end" }, null, 2),
        programs: ["pre-commit"],
      },
    };
    const script = new TurnScript().ask("Go on");
    for (const [name, more] of Object.entries(facts)) {
      const asked = { type: "approval-request", callId: name, tool: name } as const;
      script.add(
        { type: "tool-call-start", callId: name, name },
        { type: "tool-call", callId: name, name, argsText: "{}", input: {} },
        { ...asked, effect: "execute", summary: `Do it\u202e`, ...more },
      );
    }
    await panel.snapshot(script.events, busy);
    const questions = panel.page.getByRole("group", { name: "Permission: Do it\\u{202e}" });
    const [run = "", commit = "", tool = ""] = await Promise.all(
      (await questions.all()).map(words),
    );
    assert.match(run, /^Run .*\?rm\\u\{a0\}-rf\\u\{3164\}\\u\{2028\} x.*Graft always asks/);
    assert.match(commit, /^Commit this\?Tidy up All of it\.a\.tssrc\/b\\u\{202e\}\.ts/);
    assert.match(tool, /^Do it\\u\{202e\}\?.*"text": "a\\u\{202e\}b", "last": "end"/);
    assert.match(tool, /The repository makes it run: pre-commit\./);
    const buttons = questions.first().getByRole("button");
    assert.equal(await buttons.count(), 2, "no longer permission");
  });

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
});
