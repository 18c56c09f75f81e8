import assert from "node:assert/strict";
import type { ModelStep } from "../fakes/model/modelServer.ts";
import { sandboxWorkspace } from "../unit/node/sandbox/sandboxPlace.ts";
import { needsShadows } from "../unit/node/shadow/shadowWorkspace.ts";
import { gallery } from "./gallery.ts";
import { words } from "./words.ts";
import { ask, modelWorkbench, openPanel, panel } from "./workbench.ts";

const FILES = { "sum.txt": "old text\n" };
const run = (command: string, more: object = {}): ModelStep => ({
  toolCalls: [{ name: "run_command", args: { command, ...more } }],
});
const edit: readonly ModelStep[] = [
  { toolCalls: [{ name: "edit_mode", args: { file_path: "sum.txt", use_line_numbers: true } }] },
  { text: "```text:1:1 sum.txt\nnew text\n```\n" },
];
const DONE: ModelStep = { text: "All is done." };

describe("where a command runs, in a real VS Code", () => {
  before(async function () {
    await needsShadows(this, null);
  });

  describe("by a choice for the whole chat", () => {
    const steps = [...edit, run("cat sum.txt; echo first"), run("cat sum.txt; echo second"), DONE];
    const suite = modelWorkbench(steps, FILES, { "graft.commands.runOn": "ask" });
    const question = (text: string) =>
      panel(suite.page).locator(".question:visible", { hasText: text });
    const button = (text: string, name: string) =>
      question(text).getByRole("button", { name: new RegExp(`^${name}`) });

    it("asks for the place, and then only whether the command may run there", async () => {
      await openPanel(suite.page);
      await ask(suite.page, "Look at the sum.");
      await button("echo first", "Run on my own files").waitFor();
      await button("echo first", "Choose for the whole chat").click();
      await gallery(suite.workbench, "command-place-question");
      await button("echo first", "On my own files").click();
      await button("echo first", "Run without them").click();
      await button("echo second", "Run without them").waitFor();
      assert.doesNotMatch(await words(question("echo second")), /on my own files/);
      await button("echo second", "Run without them").click();
      await panel(suite.page).getByText("All is done.", { exact: true }).waitFor();
      const told = JSON.stringify(suite.server.requests.at(-1)?.body.messages);
      for (const name of ["first", "second"]) assert.ok(told.includes(`old text\\n${name}`), told);
    });
  });

  describe("by the sandbox", () => {
    const tried = `node -e 'require("net").connect(80, "192.0.2.1").on("error", () => process.exit(4))'`;
    const steps = [
      ...edit,
      run("cat sum.txt; echo more >> sum.txt"),
      run(tried),
      run("echo online", { network: true }),
      DONE,
    ];
    const suite = modelWorkbench(steps, FILES, { "graft.commands.sandbox": "auto" });
    before(async function () {
      await (await sandboxWorkspace(this)).remove();
    });

    it("asks only for a command with network, and says what the others had", async () => {
      await openPanel(suite.page);
      await ask(suite.page, "Look at the sum.");
      const rows = panel(suite.page).locator(".tool-row");
      const question = panel(suite.page).locator(".question:visible");
      await question.waitFor();
      assert.match(await words(question), /echo online/);
      const first = rows.filter({ hasText: "cat sum.txt" });
      await first.getByText("ran on the proposals, changed 1 file · without network").waitFor();
      await rows
        .filter({ hasText: "192.0.2.1" })
        .getByText("wanted the network and had none")
        .waitFor();
      await gallery(suite.workbench, "command-sandbox");
      await question.getByRole("button", { name: /^Run/ }).first().click();
      await panel(suite.page).getByText("All is done.", { exact: true }).waitFor();
      const told = JSON.stringify(suite.server.requests.at(-1)?.body.messages);
      assert.match(told, /new text/);
      assert.match(told, /Exit code 4/);
      assert.match(told, /run it with network=true/);
    });
  });
});
