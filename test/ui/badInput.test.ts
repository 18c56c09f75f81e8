import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { ModelHandler } from "../fakes/model/modelServer.ts";
import { threeBlockReply } from "../fakes/model/recordedReply.ts";
import { acceptFile, lenses, saveInFront } from "./editorInFront.ts";
import { screenshot } from "./screenshot.ts";
import { ask, composer, modelWorkbench, openPanel, panel, turnOver, until } from "./workbench.ts";

const reply = threeBlockReply();
const editMode = {
  toolCalls: [{ name: "edit_mode", args: { file_path: reply.path, use_line_numbers: true } }],
};

/** A server that rejects the key, then dies in the middle of a block, then answers. */
const troubled: ModelHandler = (_request, index) => {
  const dies = {
    text: reply.answer,
    chunkSize: 4,
    dieAfter: Math.floor(reply.answer.indexOf("```\n") / 4),
  };
  const steps = [
    { status: 401 },
    editMode,
    dies,
    editMode,
    { text: reply.answer, chunkSize: 4 },
    { text: "Done." },
  ];
  return steps[index] ?? { status: 500 };
};

describe("a failing server, in a real VS Code", () => {
  const suite = modelWorkbench(troubled, { [reply.path]: reply.before });
  const onDisk = () => fs.readFileSync(path.join(suite.workbench.folder, reply.path), "utf8");
  /** While the turn still runs, the panel refuses to retry. */
  const retry = async () => {
    await turnOver(suite.page);
    await panel(suite.page).getByRole("button", { name: "Retry" }).click();
  };

  before(() => openPanel(suite.page));

  it("shows that the key was rejected and what to do, and keeps the request", async () => {
    const { page } = suite;
    await ask(page, reply.prompt);
    await panel(page).getByRole("button", { name: "Retry" }).waitFor();
    await screenshot(page, "8-wrong-key");
    const said = (await panel(page).locator(".turns").textContent()) ?? "";
    assert.match(said, /key/i);
    assert.ok(said.includes(reply.prompt));
    await panel(page)
      .getByRole("button", { name: /Set API Key/i })
      .waitFor();
    await until("more can be asked", () => composer(page).isEnabled());
  });

  it("applies nothing of an answer that breaks off in a block, and marks the block incomplete", async () => {
    const { page } = suite;
    await retry();
    await panel(page)
      .locator(".card", { hasText: /incomplete/i })
      .waitFor();
    await panel(page).getByRole("button", { name: "Retry" }).waitFor();
    await screenshot(page, "9-broken-off");
    await until(
      "the proposal is gone",
      async () => (await page.locator(".tab", { hasText: "Graft proposal" }).count()) === 0,
    );
    assert.equal(onDisk(), reply.before);
  });

  it("completes the edit on retry", async () => {
    const { page } = suite;
    await retry();
    await panel(page).getByText("Done.", { exact: true }).waitFor();
    await until("hunks are offered", async () => (await lenses(page, "✗ Reject")).length >= 1);
    await acceptFile(page, path.basename(reply.path));
    await page.locator(".tab.active", { hasText: path.basename(reply.path) }).waitFor();
    await saveInFront(page, () => onDisk() === reply.after);
  });
});
