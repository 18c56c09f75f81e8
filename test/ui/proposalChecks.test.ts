import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { ModelStep } from "../fakes/model/modelServer.ts";
import { needsShadows } from "../unit/node/shadow/shadowWorkspace.ts";
import { gallery } from "./gallery.ts";
import { ask, modelWorkbench, openPanel, panel, runCommand, until } from "./workbench.ts";

const FILES = {
  "sum.mjs": "export const add = (a, b) => a - b;\n",
  "words.mjs": "export const greeting = 'hullo';\n\nexport const farewell = 'bye';\n",
  "check.mjs": [
    "import { add } from './sum.mjs';",
    "import { farewell, greeting } from './words.mjs';",
    "const fine = [add(1, 2) === 3, greeting.startsWith('h'), farewell === 'bye'];",
    "console.log(fine.filter(Boolean).length, 'of', fine.length, 'are fine');",
    "process.exit(fine.every(Boolean) ? 0 : 1);",
    "",
  ].join("\n"),
  "package.json": '{ "name": "w", "type": "module", "scripts": { "test": "node check.mjs" } }\n',
};

const editMode = (...paths: readonly string[]): ModelStep => ({
  toolCalls: paths.map((file_path) => ({
    name: "edit_mode",
    args: { file_path, use_line_numbers: true },
  })),
});

/** The first answer breaks `farewell`, so does the second one, and the third one repairs it. */
const steps: readonly ModelStep[] = [
  editMode("sum.mjs", "words.mjs"),
  {
    text: "```js:1:1 sum.mjs\nexport const add = (a, b) => a + b;\n```\n\n```js:1:1 words.mjs\nexport const greeting = 'hello';\n```\n\n```js:3:3 words.mjs\nexport const farewell = 'goodbye';\n```\n",
  },
  { text: "Three changes." },
  editMode("words.mjs"),
  { text: "```js:3:3 words.mjs\nexport const farewell = 'ciao';\n```\n" },
  { text: "It is Italian now." },
  editMode("words.mjs"),
  { text: "```js:3:3 words.mjs\nexport const farewell = 'bye';\n```\n" },
  { text: "It is as it was." },
];

for (const backend of ["overlay", "copy"] as const)
  describe(`the check of what is proposed, in a real VS Code: ${backend}`, () => {
    before(async function () {
      await needsShadows(this, backend);
    });
    journey(backend);
  });

function journey(backend: "overlay" | "copy"): void {
  describe("a chat that breaks something", () => {
    const suite = modelWorkbench(steps, FILES, {}, "themeSwitch", { GRAFT_SHADOW: backend });
    const at = (name: string) => path.join(suite.workbench.folder, name);
    const bar = () =>
      panel(suite.page).getByRole("group", { name: "Changes to review", exact: true });
    const check = () => bar().locator(".check");
    const says = (text: string) => check().getByText(text).waitFor();
    const press = (name: string) => check().getByRole("button", { name }).click();

    before(async () => {
      await openPanel(suite.page);
      await ask(suite.page, "Repair the sum.");
      await panel(suite.page).getByText("Three changes.", { exact: true }).waitFor();
    });

    it("is chosen among what the workspace suggests, and fails where a proposal is wrong", async () => {
      await bar()
        .getByRole("button", { name: /^2 files/ })
        .click();
      const choose = bar().getByRole("button", { name: "Choose a check…" });
      const row = suite.page
        .locator(".quick-input-list .monaco-list-row")
        .filter({ has: suite.page.getByText("npm test", { exact: true }) });
      // The list closes where something else takes the focus.
      await until("the check is chosen", async () => {
        if (!(await row.isVisible()))
          await choose.click({ timeout: 10_000 }).catch(() => undefined);
        await row.click({ timeout: 10_000 }).catch(() => undefined);
        return !(await choose.isVisible());
      });
      await says("Checked: npm test failed");
      await bar()
        .getByRole("button", { name: /^2 files/ })
        .click();
      await gallery(suite.workbench, `check-failed-${backend}`);
    });

    it("shows its output", async () => {
      await press("Show");
      await suite.page.getByText("2 of 3 are fine").first().waitFor();
      await suite.page.getByText("> npm test").first().waitFor();
      await suite.page.keyboard.press("Control+W");
    });

    it("finds the change that breaks it, and marks it", async () => {
      await press("Which change?");
      await says("npm test passes without the change at words.mjs:3");
      await press("Show change");
      await suite.page
        .locator(".codelens-decoration", { hasText: "npm test passes without this change." })
        .filter({ visible: true })
        .first()
        .waitFor();
      await gallery(suite.workbench, `check-breaking-change-${backend}`);
    });

    it("passes without it, and is out of date until it runs again", async () => {
      await suite.page.locator(".statusbar-item", { hasText: "Ln 3, Col 1" }).waitFor();
      await runCommand(suite.page, "Graft: Reject Hunk");
      await says("npm test failed before the last change");
      await press("Check again");
      await says("Checked: npm test passed");
      await gallery(suite.workbench, `check-passed-${backend}`);
    });

    it("finds the changes that it needs, and says so over them", async () => {
      await press("What does it need?");
      await says("npm test passed. Of 2 changes it needs 1");
      const lens = suite.page
        .locator(".codelens-decoration", { hasText: "npm test fails without this change." })
        .filter({ visible: true })
        .first();
      // The change after a rejected one may come to the front late.
      await until("the change that is needed is shown", async () => {
        await runCommand(suite.page, "Graft: Next Change");
        return lens.waitFor({ timeout: 10_000 }).then(
          () => true,
          () => false,
        );
      });
      await gallery(suite.workbench, `check-needed-change-${backend}`);
    });

    it("runs by itself after the next answer", async () => {
      await ask(suite.page, "Say it in Italian.");
      await panel(suite.page).getByText("It is Italian now.", { exact: true }).waitFor();
      await says("Checked: npm test failed");
    });

    it("lets the model fix what it found", async () => {
      await press("Fix");
      await panel(suite.page).getByText("It is as it was.", { exact: true }).waitFor();
      const asked = JSON.stringify(suite.server.requests.at(-1)?.body.messages);
      assert.match(asked, /npm test fails on your proposed changes/);
      assert.match(asked, /2 of 3 are fine/);
      await says("Checked: npm test passed");
    });

    it("has changed no file of the user before they accept, and holds after", async () => {
      for (const [name, text] of Object.entries(FILES))
        assert.equal(fs.readFileSync(at(name), "utf8"), text);
      await runCommand(suite.page, "Graft: Accept All");
      await bar().waitFor({ state: "hidden" });
      // VS Code opens changed files in tabs after a while, and saves all that have one.
      await until("the user's own run passes", async () => {
        await runCommand(suite.page, "File: Save All");
        return spawnSync("npm", ["test"], { cwd: suite.workbench.folder }).status === 0;
      });
    });
  });
}
