import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { ModelStep } from "../fakes/model/modelServer.ts";
import { needsShadows } from "../unit/node/shadow/shadowWorkspace.ts";
import { gallery } from "./gallery.ts";
import { words } from "./words.ts";
import { ask, modelWorkbench, openPanel, panel, runCommand, until } from "./workbench.ts";

const FILES = {
  "sum.mjs": "export const add = (a, b) => a - b;\n",
  "words.mjs": "export const greeting = 'hullo';\n",
  "check.mjs": [
    "import { add } from './sum.mjs';",
    "import { greeting } from './words.mjs';",
    "const failed = [add(1, 2) === 3, greeting.startsWith('hello')].filter((each) => !each).length;",
    "console.log(2 - failed, 'passed,', failed, 'failed');",
    "process.exit(failed);",
    "",
  ].join("\n"),
  ".gitignore": "out/\n",
};

const editMode = (...paths: readonly string[]): ModelStep => ({
  toolCalls: paths.map((file_path) => ({
    name: "edit_mode",
    args: { file_path, use_line_numbers: true },
  })),
});
const run = (command: string): ModelStep => ({
  toolCalls: [{ name: "run_command", args: { command } }],
});
const TIDY =
  "node check.mjs && sed -i 's/hello/hello, all/' words.mjs && echo 1 > notes.txt && mkdir -p out && echo 2 > out/log";

const steps: readonly ModelStep[] = [
  editMode("sum.mjs", "words.mjs"),
  {
    text: "```js:1:1 sum.mjs\nexport const add = (a, b) => a + b + 1;\n```\n\n```js:1:1 words.mjs\nexport const greeting = 'hello';\n```\n",
  },
  run("node check.mjs"),
  editMode("sum.mjs"),
  { text: "```js:1:1 sum.mjs\nexport const add = (a, b) => a + b;\n```\n" },
  run(TIDY),
  { text: "All is green." },
];

/** What the user and the model read. */
const SAID = {
  overlay: {
    ran: "ran on the proposals",
    question: /on the proposals\?.*Your files in the workspace do not change/,
    told: /It ran on the proposed files/,
    diagnosed: /Commands run on proposals in an overlay over the workspace\./,
  },
  copy: {
    ran: "ran on a copy with the proposals",
    question:
      /in a copy of the workspace, with the proposals\?.*The copy is at another path: absolute paths, and paths or links out of it, lead to your own files/,
    told: /It ran in a copy of the workspace with the proposed files \(in \/[^)]+\)/,
    diagnosed:
      /in a copy of the workspace, at another path\.[\s\S]*There is no overlay: switched-off: GRAFT_SHADOW/,
  },
};

for (const backend of ["overlay", "copy"] as const)
  describe(`commands on what is proposed, in a real VS Code: ${backend}`, () => {
    before(async function () {
      await needsShadows(this, backend);
    });
    journey(backend);
  });

function journey(backend: "overlay" | "copy"): void {
  describe("a chat that repairs", () => {
    const said = SAID[backend];
    const suite = modelWorkbench(steps, FILES, {}, "themeSwitch", { GRAFT_SHADOW: backend });
    const at = (name: string) => path.join(suite.workbench.folder, name);
    const git = (...args: string[]) =>
      spawnSync("git", args, { cwd: suite.workbench.folder, encoding: "utf8" }).stdout;
    const told = () => suite.server.requests.at(-1)?.body.messages.at(-1)?.content ?? "";
    const bar = () =>
      panel(suite.page).getByRole("group", { name: "Changes to review", exact: true });
    const rows = () => panel(suite.page).locator(".tool-row", { hasText: "check.mjs" });
    const times = () => Object.keys(FILES).map((name) => fs.statSync(at(name)).mtimeMs);
    let before_: readonly number[] = [];

    before(async () => {
      git("init", "-q");
      git("add", ".");
      git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
      before_ = times();
      await openPanel(suite.page);
      await ask(suite.page, "Make the check pass.");
    });

    async function allow(): Promise<void> {
      const question = panel(suite.page).locator(".question:visible");
      await question.waitFor();
      assert.match(await words(question), said.question);
      assert.doesNotMatch(await words(question), /would not see/);
      await gallery(suite.workbench, `proposal-run-question-${backend}`);
      await question.getByRole("button", { name: /^Run/ }).first().click();
      await question.waitFor({ state: "hidden" });
    }

    it("asks, and fails where the proposal is wrong", async () => {
      await allow();
      await rows().first().getByText(said.ran).waitFor();
      const results = () => JSON.stringify(suite.server.requests.map(({ body }) => body.messages));
      await until("the model knows", () => results().includes("1 passed, 1 failed"));
      assert.match(results(), said.told);
    });

    it("passes once it is repaired, and what the command changed waits for the user", async () => {
      await allow();
      await panel(suite.page).getByText("All is green.", { exact: true }).waitFor();
      await rows().last().getByText(`${said.ran}, created 1 file, changed 1 file`).waitFor();
      assert.match(
        JSON.stringify(suite.server.requests.at(-1)?.body.messages),
        /2 passed, 0 failed/,
      );
      await until("three files wait", async () => (await words(bar())).startsWith("3 files"));
      await gallery(suite.workbench, `proposal-run-${backend}`);
    });

    it("has changed no file of the user", async () => {
      assert.equal(git("status", "--porcelain", "--ignored"), "");
      assert.deepEqual(times(), before_);
      for (const [name, text] of Object.entries(FILES))
        assert.equal(fs.readFileSync(at(name), "utf8"), text);
      assert.ok(told().length > 0);
    });

    it("is decided with its row, and the rest stays", async () => {
      const group = panel(suite.page).locator(".command-changes");
      await group.getByRole("button", { name: /^2 files .*· node check\.mjs/ }).waitFor();
      await group.getByRole("button", { name: /^Accept what/ }).click();
      await until("one file waits", async () => (await words(bar())).startsWith("1 file"));
      await group.locator(".command-head").getByText("applied").waitFor();
    });

    it("is what the user gets with Accept All", async () => {
      await runCommand(suite.page, "Graft: Accept All");
      await bar().waitFor({ state: "hidden" });
      // VS Code opens changed files in tabs after a while, and saves all that have one.
      await until("every file is saved", async () => {
        await runCommand(suite.page, "File: Save All");
        return (
          spawnSync("node", ["check.mjs"], { cwd: suite.workbench.folder }).status === 0 &&
          fs.existsSync(at("notes.txt")) &&
          fs.readFileSync(at("notes.txt"), "utf8") === "1\n"
        );
      });
      assert.equal(
        fs.readFileSync(at("words.mjs"), "utf8"),
        "export const greeting = 'hello, all';\n",
      );
      assert.equal(fs.existsSync(at("out")), false);
    });

    it("is what Graft: Diagnose tells, without keys", async () => {
      await runCommand(suite.page, "Graft: Diagnose");
      const lines = suite.page.locator(".monaco-editor .view-line");
      await lines.filter({ hasText: "Commands run on proposals" }).waitFor();
      const text = (await lines.allTextContents()).join("\n").replaceAll("\u00a0", " ");
      assert.match(text, said.diagnosed);
      for (const line of [/^Graft \d/m, /^Git: \//m, /^Storage: \//m, /^The workspace is trusted/m])
        assert.match(text, line);
    });
  });
}
