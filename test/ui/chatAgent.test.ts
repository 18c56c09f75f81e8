import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { needsShadows } from "../unit/node/shadow/shadowWorkspace.ts";
import { gallery } from "./gallery.ts";
import { words } from "./words.ts";
import {
  ask,
  composer,
  modelWorkbench,
  openPanel,
  panel,
  runCommand,
  soon,
  takeFromList,
  turnOver,
  until,
} from "./workbench.ts";

const FILES = {
  "cart.js": "export const total = (items) => items.length;\n",
  "price.js": "export const price = (item) => item.cost;\n",
  "tax.js": "export function tax(price) {\n  return price * 0.2;\n}\n",
};
const TOTAL =
  "export const total = (items) => items.reduce((sum, item) => sum + price(item), 0);\n";

const TAX = [
  "export function tax(price) {\n  // To the cent.\n",
  "  return Math.round(price * 20) / 100;\n}\n",
];

/** A red square. */
const PIXELS =
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mO4YGBAEmIY1TCqYfhqAAA+XjAQecrJFAAAAABJRU5ErkJggg==";
const PROMPTS = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "graft-prompts-")), "prompts");
/** With this file the agent goes on. */
const GO = path.join(path.dirname(PROMPTS), "go");

const STEPS = [
  [
    { say: "I look at the cart, then I change two files.\n\n" },
    { plan: ["Sum the prices", "Round them", "Run the tests"], done: 1 },
    { write: "cart.js", text: `import { price } from "./price.js";\n\n${TOTAL}` },
    { run: "sed -i 's/item.cost/Math.round(item.cost)/' price.js && cat price.js", ask: true },
    { commands: { review: "Reviews what is proposed" } },
    { say: "Both are proposed." },
  ],
  [{ say: "I wait. " }, { wait: "cancel" }],
  [{ say: "I plan. " }, { image: PIXELS }],
  [
    { read: "tax.js" },
    ...["I round it:\n\n```js", ":ast-path:tax", " tax.js\n", TAX[0]].map((say) => ({ say })),
    { until: GO },
    ...[TAX[1], "```\n", "\nThe tax is rounded."].map((say) => ({ say })),
  ],
  [{ say: "I know." }],
];
const agent = {
  command: process.execPath,
  args: [
    ...["--import", createRequire(import.meta.url).resolve("tsx")],
    path.resolve(import.meta.dirname, "../fakes/agents/scriptedAgent.ts"),
  ],
  env: { STEPS: JSON.stringify(STEPS), MODES: "ask,plan", IMAGES: "1", PROMPTS },
};

describe("another maker's agent in the chat, in a real VS Code", () => {
  before(async function () {
    await needsShadows(this, "overlay");
  });

  describe("that is chosen in the list of models", () => {
    const suite = modelWorkbench(
      [{ text: "I am a model." }],
      {
        ...FILES,
        "../data/Machine/settings.json": JSON.stringify({
          "graft.agents": { "Scripted Agent": agent },
        }),
      },
      {},
      "themeSwitch",
    );
    const onDisk = (name: keyof typeof FILES) =>
      fs.readFileSync(path.join(suite.workbench.folder, name), "utf8");

    it("is asked in place of a model, and says what it does", async () => {
      await openPanel(suite.page);
      const pick = suite.page.locator(".quick-input-widget");
      await until("the agent is chosen", async () => {
        await runCommand(suite.page, "Graft: Choose Model");
        if (!(await soon(pick.getByText("Agents on this machine")))) return false;
        await gallery(suite.workbench, "agents-found");
        await pick
          .getByText("Scripted Agent", { exact: true })
          .click({ timeout: 10_000 })
          .catch(() => undefined);
        return soon(
          panel(suite.page)
            .getByRole("button", { name: /Scripted Agent/ })
            .first(),
        );
      });
      await ask(suite.page, "Sum the prices.");
      const question = panel(suite.page).getByRole("group", { name: /^Permission/ });
      await question.getByText("Run this command on the proposals?").waitFor();
      await gallery(suite.workbench, "agent-asks");
      await question.getByRole("button", { name: "Allow" }).first().click();
      await panel(suite.page).getByText("Both are proposed.", { exact: true }).waitFor();
      await panel(suite.page).getByText("Plan: 1 of 3 done").waitFor();
      await gallery(suite.workbench, "agent-proposed");
      for (const [name, text] of Object.entries(FILES))
        assert.equal(fs.readFileSync(path.join(suite.workbench.folder, name), "utf8"), text, name);
    });

    it("is stopped", async () => {
      await ask(suite.page, "Go on.");
      await panel(suite.page).getByText("I wait.").waitFor();
      await panel(suite.page).getByRole("button", { name: "Stop" }).click();
      await panel(suite.page).getByText("Stopped").last().waitFor();
    });

    it("leaves its modes and commands to the user, and shows its images", async () => {
      const { page } = suite;
      const mode = panel(page).getByRole("button", { name: /^Mode: / });
      // Else the composer gets the focus from Stop, which goes.
      await turnOver(page);
      await until("the mode is chosen by keyboard", async () => {
        await mode.press("Enter");
        const pick = page.locator(".quick-input-widget", { hasText: "The plan mode" });
        if (!(await soon(pick))) return false;
        await gallery(suite.workbench, "agent-modes");
        const input = pick.locator(".quick-input-box input");
        await input
          .fill("PLAN", { timeout: 10_000 })
          .then(() => input.press("Enter", { timeout: 10_000 }))
          .catch(() => undefined);
        return soon(panel(page).getByRole("button", { name: /^Mode: PLAN/ }));
      });
      await composer(page).fill("/rev");
      await panel(page).getByText("Scripted Agent: Reviews what is proposed").waitFor();
      await gallery(suite.workbench, "agent-commands");
      await takeFromList(page, "/rev", "/review", "/review ");
      await ask(page, "/review all");
      await panel(page).locator(".turns").getByText("I plan.").waitFor();
      await panel(page)
        .getByRole("button", { name: /image\.png/ })
        .waitFor();
      await gallery(suite.workbench, "agent-image");
      const [, , asked = ""] = fs.readFileSync(PROMPTS, "utf8").trim().split("\n");
      assert.match(JSON.parse(asked), /^\/review all\n[\s\S]* \[plan\]$/);
    });

    it("changes the files when that is accepted", async () => {
      await runCommand(suite.page, "Graft: Accept All");
      // The focus goes to the chat after the last decision, perhaps from the list of commands.
      await until("both files are changed", async () => {
        await runCommand(suite.page, "File: Save All");
        return onDisk("price.js").includes("Math.round") && onDisk("cart.js").includes(TOTAL);
      });
      assert.equal(onDisk("price.js"), "export const price = (item) => Math.round(item.cost);\n");
    });

    it("writes an edit block in its text: a card that grows, bears its name and is accepted", async () => {
      const { page } = suite;
      await ask(page, "Round the tax.");
      const card = panel(page).getByRole("group", { name: /^Edits of tax\.js/ });
      const state = (word: string) => card.locator(".card-head .state", { hasText: word });
      await state("streaming").waitFor();
      await card.getByText("// To the cent.").waitFor();
      await gallery(suite.workbench, "agent-block-streams");
      assert.equal(onDisk("tax.js"), FILES["tax.js"]);
      fs.writeFileSync(GO, "");
      const turn = panel(page).locator(".agent-parts").last();
      await turn.getByText("The tax is rounded.", { exact: true }).waitFor();
      await state("pending").waitFor();
      assert.equal(await card.locator(".card-warning:visible").count(), 0, "it has read the file");
      assert.match(await words(card), /\+2[\s\S]*−1/);
      const answer = await words(turn);
      assert.ok(!/```|js:ast-path/.test(answer), answer);
      assert.match(answer, /I round it:.*tax\.js.*The tax is rounded\./);
      const bar = panel(page).getByRole("group", { name: "Changes to review", exact: true });
      await bar.locator(".review-others", { hasText: "Scripted Agent" }).waitFor();
      await gallery(suite.workbench, "agent-block");
      await card.locator(".file").click();
      await page.locator(".tab.active", { hasText: "tax.js" }).waitFor();
      await page.locator(".codelens-decoration", { hasText: "Scripted Agent" }).first().waitFor();
      await gallery(suite.workbench, "agent-block-diff");
      assert.equal(onDisk("tax.js"), FILES["tax.js"]);
      await until("the block is accepted by keyboard", async () => {
        const accept = bar.getByText("Accept all", { exact: true });
        await accept.press("Enter", { timeout: 5_000 }).catch(() => undefined);
        return state("applied").isVisible();
      });
      await until("the file is changed", async () => {
        await runCommand(page, "File: Save All");
        return onDisk("tax.js") === TAX.join("");
      });
      await ask(page, "Go on.");
      await panel(page).getByText("I know.", { exact: true }).waitFor();
      const told = fs.readFileSync(PROMPTS, "utf8").trim().split("\n").at(-1) ?? "";
      assert.match(JSON.parse(told), /tax\.js', ast-path:tax: accepted[\s\S]*Go on\./);
    });
  });
});
