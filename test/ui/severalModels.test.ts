import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { ModelHandler, ModelStep } from "../fakes/model/modelServer.ts";
import { gallery } from "./gallery.ts";
import { screenshot } from "./screenshot.ts";
import {
  composer,
  modelWorkbench,
  openPanel,
  tab as panelTab,
  runCommand,
  side,
  soon,
  until,
} from "./workbench.ts";

const SOURCE = `export function first() {
  return 1;
}

export function second() {
  return 2;
}
`;
const ASKED = "Make both return more";
const patch = (...edits: readonly (readonly [string, string])[]): ModelStep => ({
  toolCalls: [
    {
      name: "patch_source_file",
      args: {
        file_path: "numbers.ts",
        edits: edits.map(([search, replace]) => ({ search, replace })),
      },
    },
  ],
});
const EDITS: Readonly<Record<string, ModelStep>> = {
  one: patch(["return 1;", "return 10;"], ["return 2;", "return 20;"]),
  two: patch(["return 1;", "return 11;"], ["return 2;", "return 22;"]),
};
const answer: ModelHandler = ({ body: { model, messages } }) =>
  messages.at(-1)?.role === "tool"
    ? { text: `Model ${model} is done.` }
    : (EDITS[model] ?? { text: "Hello." });

describe("one request to several models, in a real VS Code", () => {
  const suite = modelWorkbench(answer, { "numbers.ts": SOURCE }, {}, "themeSwitch");
  const onDisk = () => fs.readFileSync(path.join(suite.workbench.folder, "numbers.ts"), "utf8");
  const form = () => side(suite.page).getByRole("form", { name: "Choose what to take" });
  const part = (name: string) => form().getByRole("group", { name, exact: true });
  const option = (name: string, version: string) =>
    part(name).getByRole("radio", { name: version, exact: true });
  const row = (name: string) =>
    suite.page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first();

  before(async () => {
    const { server, workbench, page } = suite;
    const models = { name: "Test", kind: "other", baseUrl: server.url, models: ["one", "two"] };
    workbench.set({ "graft.model": "one" });
    // Connections belong to the machine that the extension runs on.
    const machine = path.join(workbench.home, "data/Machine/settings.json");
    fs.mkdirSync(path.dirname(machine), { recursive: true });
    fs.writeFileSync(machine, JSON.stringify({ "graft.connections": [models] }));
    await openPanel(page);
    await side(page).locator(".composer-bar .model", { hasText: "one" }).waitFor();
  });

  it("keeps the draft until models are chosen, and says how many", async () => {
    const { page, server } = suite;
    await composer(page).fill(ASKED);
    await until("the models are offered", async () => {
      await side(page).getByRole("button", { name: "Send to several models…" }).press("Enter");
      return soon(row("two"));
    });
    await page.keyboard.press("Enter");
    await page.getByText("Choose at least one more model").waitFor();
    await screenshot(page, "several-1-picker");
    await page.keyboard.press("Escape");
    assert.equal(await composer(page).inputValue(), ASKED);
    assert.equal(server.requests.length, 0);
  });

  it("lets each answer in a chat of its own, and leaves the file as it is", async () => {
    const { page } = suite;
    await until("the models are offered", async () => {
      await runCommand(page, "Graft: Send to Several Models");
      return soon(row("two"));
    });
    await row("two").click();
    await page.keyboard.press("Enter");
    await form().waitFor();
    assert.equal(await composer(page).inputValue(), "");
    assert.equal(onDisk(), SOURCE);
    assert.equal(await side(page).locator(".review-files").isVisible(), false);
    await part("first").waitFor();
    await gallery(suite.workbench, "several-2-choose");
    await screenshot(page, "several-2-choose");
  });

  it("shows what a model makes of the file beside the file", async () => {
    const { page } = suite;
    await form()
      .getByRole("button", { name: "Compare numbers.ts with the version of two" })
      .press("Enter");
    await page.locator(".tab", { hasText: "numbers.ts: now and by two" }).waitFor();
    await page.locator(".editor.modified .view-line", { hasText: "return 22;" }).waitFor();
    assert.equal(onDisk(), SOURCE);
    await screenshot(page, "several-3-compare");
    await runCommand(page, "View: Close All Editors");
  });

  it("proposes what was chosen by keyboard before a reload, and the file gets both", async () => {
    const { page } = suite;
    const choose = async (name: string, version: string) => {
      await part(name).getByRole("radio").first().focus();
      for (let at = 0; at < 3 && !(await option(name, version).isChecked()); at++)
        await page.keyboard.press("ArrowDown");
      assert.ok(await option(name, version).isChecked());
    };
    await choose("first", "one: changed");
    await choose("second", "two: changed");
    await page.reload();
    await openPanel(page);
    await until("the choice is there again", async () => soon(form()));
    assert.ok(await option("first", "one: changed").isChecked());
    assert.ok(await option("second", "two: changed").isChecked());
    await screenshot(page, "several-4-reloaded");
    await form().getByRole("button", { name: "Propose the chosen" }).focus();
    await page.keyboard.press("Enter");
    const bar = side(page).getByRole("group", { name: "Changes to review" });
    await bar.getByText("1 file").first().waitFor();
    assert.equal(onDisk(), SOURCE);
    await screenshot(page, "several-5-proposed");
    await runCommand(page, "Graft: Accept All");
    const both = SOURCE.replace("return 1;", "return 10;").replace("return 2;", "return 22;");
    await until("the file has both", () => onDisk() === both);
  });

  it("keeps each answer as a chat that can be read and gone on with", async () => {
    const { page } = suite;
    await side(page).getByRole("button", { name: "Show answer of two" }).press("Enter");
    const tab = page.locator(".tab", { hasText: `two: ${ASKED}` });
    await tab.waitFor();
    await panelTab(page).getByText("Model two is done.").waitFor();
    await screenshot(page, "several-6-answer");
  });
});
