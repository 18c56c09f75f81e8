import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { ModelStep } from "../fakes/model/modelServer.ts";
import { screenshot } from "./screenshot.ts";
import { isOnRecord, storedFiles } from "./storedFiles.ts";
import { ask, composer, modelWorkbench, openPanel, panel, runCommand, until } from "./workbench.ts";

const PLAN = "# Plan\n\n1. Make `a` 2 in `a.ts`.";
const edit: ModelStep = {
  toolCalls: [
    {
      name: "patch_source_file",
      args: { file_path: "a.ts", edits: [{ search: "a = 1", replace: "a = 2" }] },
    },
  ],
};
const todos: ModelStep = {
  toolCalls: [
    {
      name: "write_todos",
      args: {
        todos: [
          { text: "Look at the plan", status: "done" },
          { text: "Change a", status: "in_progress" },
          { text: "Check it", status: "pending" },
        ],
      },
    },
  ],
};

describe("a plan, in a real VS Code", () => {
  const suite = modelWorkbench(
    [
      ...[edit, { text: PLAN }, todos, edit, { text: "It is proposed." }],
      { text: "Carried out elsewhere." },
    ],
    { "a.ts": "export const a = 1;\n" },
  );
  const mode = () => panel(suite.page).getByRole("combobox", { name: "Mode" });
  const plan = () => panel(suite.page).getByRole("group", { name: "Plan" });
  const said = (request: number) => JSON.stringify(suite.server.requests[request]?.body.messages);
  /** The files of plans in the storage of Graft. */
  const planFiles = () => storedFiles(suite.workbench, /[\\/]plans[\\/].*\.md$/);
  const line = (text: string) => suite.page.locator(".monaco-editor .view-line", { hasText: text });
  const choice = (label: string) =>
    suite.page.locator(".quick-input-list .monaco-list-row", { hasText: label }).first();

  before(() => openPanel(suite.page));

  it("is chosen in the composer by keyboard, and stays over a reload", async () => {
    const { page } = suite;
    // The focus may come to the composer late.
    await until("Plan is chosen", async () => {
      await mode().focus();
      await page.keyboard.press("P");
      return (await mode().inputValue()) === "plan";
    });
    await until("it is on record", () => isOnRecord(suite.workbench, '"mode":"plan"'));
    await page.reload();
    await openPanel(page);
    await until("Plan is chosen still", async () => (await mode().inputValue()) === "plan");
  });

  it("ends with a plan, and the edit that the model tried all the same was refused", async () => {
    const { page } = suite;
    await ask(page, "Make a 2");
    await plan().getByRole("button", { name: "Edit plan" }).waitFor();
    assert.match(said(1), /was not run: the user chose the mode/);
    assert.equal(await panel(page).getByRole("group", { name: "Changes to review" }).count(), 0);
    assert.equal(
      fs.readFileSync(path.join(suite.workbench.folder, "a.ts"), "utf8").includes("2"),
      false,
    );
    await screenshot(page, "60-plan");
  });

  it("is not started once its file is deleted, which is said, and can be written again", async () => {
    const { page } = suite;
    await until("the plan is kept", async () => planFiles().length === 1);
    for (const file of planFiles()) fs.rmSync(file);
    await plan().getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText("The plan's file was deleted").first().waitFor();
    await screenshot(page, "61-plan-deleted");
    await page.getByRole("button", { name: "Write It Again" }).first().click();
    await line("Make").first().waitFor();
    assert.equal(suite.server.requests.length, 2);
    assert.ok(await panel(page).getByText("Make a 2 in a.ts.", { exact: true }).isVisible());
  });

  it("is edited in the editor and started as the user left it, in Edit mode", async () => {
    const { page } = suite;
    // The whole text, since the focus may come to the editor late.
    await until("the plan is edited", async () => {
      await line("Make").first().click();
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(`${PLAN}\n2. Say so.`);
      return (await line("Say so").count()) === 1;
    });
    await screenshot(page, "62-plan-edited");
    await plan().getByRole("button", { name: "Start", exact: true }).click();
    await panel(page).getByText("It is proposed.", { exact: true }).waitFor();
    assert.match(said(2), /Carry out this plan:.*2\. Say so\./);
    await until("the mode is Edit", async () => (await mode().inputValue()) === "edit");
    await panel(page).getByRole("group", { name: "Changes to review" }).waitFor();
  });

  it("shows the model's to-dos above the composer, folded to one line", async () => {
    const { page } = suite;
    const list = panel(page).locator(".todos");
    await list.getByText("1 of 3 · Change a").waitFor();
    assert.equal(await list.getByText("Check it").isVisible(), false);
    await screenshot(page, "63-todos-folded");
    await list.locator("summary").press("Enter");
    await list.getByText("Check it").waitFor();
    await screenshot(page, "64-todos");
  });

  it("is chosen by command too", async () => {
    const { page } = suite;
    await until("Ask is chosen", async () => {
      await runCommand(page, "Graft: Choose Mode (Ask, Plan, Edit)");
      await choice("It cannot change anything")
        .click({ timeout: 10_000 })
        .catch(() => undefined);
      return (await mode().inputValue()) === "ask";
    });
    await composer(page).focus();
  });

  it("is started in a new chat, in Edit mode, which has the plan and nothing else", async () => {
    const { page } = suite;
    await plan().getByRole("button", { name: "Start in new chat" }).click();
    await panel(page).getByText("Carried out elsewhere.", { exact: true }).waitFor();
    assert.equal(await panel(page).getByText("It is proposed.", { exact: true }).count(), 0);
    await until("the mode is Edit", async () => (await mode().inputValue()) === "edit");
    assert.match(said(5), /Carry out this plan:.*2\. Say so\./);
    assert.ok(!said(5).includes('Make a 2"'));
    await screenshot(page, "65-plan-new-chat");
  });
});

describe("agents of the workspace, in a real VS Code", () => {
  const reviewer =
    "---\nname: reviewer\ndescription: Reviews.\ntools: Read, Bash\n---\nYou review.";
  const start: ModelStep = {
    toolCalls: [{ name: "run_agent", args: { agent: "reviewer", task: "Look at a.ts" } }],
  };
  const suite = modelWorkbench(
    [
      start,
      { toolCalls: [{ name: "run_command", args: { command: "echo looked" } }] },
      { text: "The agent says: a is 1." },
      { text: "It is 1." },
      { text: "Because of history." },
      { text: "Never said.", stallAfter: 2 },
      { text: "As reviewer: fine." },
    ],
    {
      "a.ts": "export const a = 1;\n",
      ".github/agents/reviewer.md": reviewer,
      ".claude/agents/broken.md": "---\nname: broken\n",
    },
  );
  const mode = () => panel(suite.page).getByRole("combobox", { name: "Mode" });
  const inner = () => panel(suite.page).locator(".inner-turn");

  before(() => openPanel(suite.page));

  it("run inside a turn, folded, and unfold where they wait for the user", async () => {
    const { page } = suite;
    await ask(page, "What is a?");
    const allow = inner().locator(".buttons").getByRole("button", { name: /^Run/ }).first();
    await allow.waitFor();
    await screenshot(page, "65-agent-asks");
    await until("the command is allowed", async () => {
      await allow.click({ timeout: 5_000 }).catch(() => undefined);
      return (await allow.count()) === 0;
    });
    await panel(page).getByText("It is 1.", { exact: true }).waitFor();
    await inner().getByText("The agent says: a is 1.", { exact: true }).waitFor();
    await screenshot(page, "66-agent-done");
    const sent = JSON.stringify(suite.server.requests.at(-1)?.body.messages);
    assert.ok(sent.includes("The agent says") && !sent.includes("echo looked"));
  });

  it("leave room for a side question, which no later request has", async () => {
    const { page } = suite;
    await ask(page, "/btw Why is it 1?");
    const aside = panel(page).getByRole("complementary", { name: "Side question" });
    await aside.getByText("Because of history.").waitFor();
    await screenshot(page, "69-side-question");
  });

  it("stop a side question by Stop, which leaves nothing", async () => {
    const { page } = suite;
    const count = suite.server.requests.length;
    await ask(page, "/btw And why now?");
    await suite.server.request(count);
    await panel(page).getByRole("button", { name: "Stop", exact: true }).click();
    await until("it has ended", () => suite.server.requests[count]?.closedEarly === true);
    await panel(page)
      .getByRole("button", { name: "Stop", exact: true })
      .waitFor({ state: "hidden" });
    await panel(page).getByText("And why now?").waitFor({ state: "detached" });
    assert.equal(await panel(page).getByRole("complementary").count(), 1);
  });

  it("are chosen in the list of modes, without those whose file is broken", async () => {
    const { page } = suite;
    await mode().locator("option", { hasText: "reviewer" }).waitFor({ state: "attached" });
    assert.deepEqual(await mode().locator("option").allTextContents(), [
      ...["Ask", "Plan", "Edit", "reviewer"],
    ]);
    await mode().selectOption("reviewer");
    await ask(page, "Review a.ts");
    await panel(page).getByText("As reviewer: fine.", { exact: true }).waitFor();
    const request = suite.server.requests.at(-1)?.body;
    assert.match(request?.messages[0]?.content ?? "", /You review\./);
    assert.ok(!JSON.stringify(request?.messages).includes("history"));
    assert.ok(!(request?.tools ?? []).some((tool) => tool.function.name === "edit_mode"));
    await screenshot(page, "67-agent-mode");
  });

  it("are refused with the reason once their file is deleted, and nothing is sent", async () => {
    const { page } = suite;
    const count = suite.server.requests.length;
    fs.rmSync(path.join(suite.workbench.folder, ".github/agents/reviewer.md"));
    await ask(page, "And again");
    await panel(page).getByText("no longer exists").first().waitFor();
    await screenshot(page, "68-agent-gone");
    assert.equal(suite.server.requests.length, count);
  });
});
