import assert from "node:assert/strict";
import { rightOnlyBy } from "../fakes/model/evalModels.ts";
import type { ModelHandler } from "../fakes/model/modelServer.ts";
import { answerNotification } from "./notification.ts";
import { screenshot } from "./screenshot.ts";
import { ask, modelWorkbench, openPanel, panel, runCommand, until } from "./workbench.ts";

const ROWS = ["by AST path", "by lines", "whole files", "by search and replace"];

describe("a test of a model's edits, in a real VS Code", () => {
  const right = rightOnlyBy(/Mode: line numbers/, "app.ts");
  /** The number of the request that is never answered, once there is one. */
  let last = Number.POSITIVE_INFINITY;
  let goOn: () => void = () => undefined;
  /** Settles once the test has seen that there is progress. */
  const isSeen = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const model: ModelHandler = (request, index) =>
    index < last
      ? { ...right(request, index), ...(index === 20 && { stallAfter: 1, resume: isSeen }) }
      : { stallAfter: 0 };
  const opened = modelWorkbench(model, { "app.ts": "export const one = 1;\n" });

  const toast = (text: string | RegExp) =>
    opened.page.locator(".notification-list-item", { hasText: text }).first();
  const budget = () =>
    opened.page.locator(".monaco-dialog-box", { hasText: /80 small tasks.*it stops at [\d,]+/ });
  /** The text that the editor in front shows. */
  const shown = async () => {
    const lines = opened.page.locator(".editor-instance .view-line");
    return (await lines.allTextContents()).join("\n").replaceAll("\u00a0", " ");
  };
  async function start(): Promise<void> {
    await until("the test says what it takes", async () => {
      if (await budget().isVisible()) return true;
      await runCommand(opened.page, "Graft: Test This Model's Edits");
      return budget()
        .waitFor({ timeout: 10_000 })
        .then(
          () => true,
          () => false,
        );
    });
  }
  /** Waits until Graft says that it has learned this; its list closes where the focus goes. */
  async function knows(what: string): Promise<void> {
    const row = opened.page.locator(".quick-input-list .monaco-list-row", { hasText: what });
    await until(`it has learned: ${what}`, async () => {
      await runCommand(opened.page, "Graft: What Graft Learned");
      return row.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
    });
    await opened.page.keyboard.press("Escape");
  }

  it("shows what it takes, and then a table that can be copied", async () => {
    const { page, server } = opened;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await openPanel(page);
    await start();
    assert.equal(server.requests.length, 0, "nothing was sent before it was asked");
    await screenshot(page, "test-edits-budget");
    await budget().getByRole("button", { name: "Start" }).click();
    await toast(/Testing the edits of test-model.*of 80/s).waitFor();
    await screenshot(page, "test-edits-runs");
    goOn();
    await toast("Graft now asks test-model for edits by lines").waitFor();
    await screenshot(page, "test-edits-table");
    await until("the table is shown", async () => (await shown()).includes("# test-model"));
    const table = (await shown()).split("\n").filter((line) => line.startsWith("| "));
    const cells = table.map((line) =>
      line
        .split("|")
        .slice(1, 7)
        .map((cell) => cell.trim()),
    );
    assert.deepEqual(
      cells.filter(([name = ""]) => ROWS.includes(name)),
      ROWS.map((name) =>
        name === "by lines" ? [name, "20", "0", "0", "0", "0"] : [name, "0", "0", "20", "0", "0"],
      ),
    );
    await answerNotification(page, "Graft now asks", "Copy Table");
    await until("the table is on the clipboard", async () =>
      String(await page.evaluate("navigator.clipboard.readText()")).includes("| by lines | 20 |"),
    );
  });

  it("makes the best format the one that the model is asked for", async () => {
    const { page, server } = opened;
    await ask(page, "Look at app.ts");
    // Once more after it was told that nothing was changed.
    await panel(page).getByText("Done.", { exact: true }).nth(1).waitFor();
    const { messages } = server.requests.at(-1)?.body ?? { messages: [] };
    const reply = messages.find(({ role }) => role === "tool")?.content ?? "";
    assert.match(reply, /Mode: line numbers/);
    await knows("edits best by lines, as tested");
  });

  it("can be cancelled half way, shows what it has, and changes nothing", async () => {
    const { server } = opened;
    // Three tasks later, each with last words.
    last = server.requests.length + 3;
    await start();
    await budget().getByRole("button", { name: "Start" }).click();
    const waiting = await server.request(last);
    await toast("Testing the edits of test-model").getByText("Cancel", { exact: true }).click();
    await waiting.closed;
    assert.ok(waiting.closedEarly, "the request was ended");
    await toast("The test did not finish").waitFor();
    await until("the part is shown", async () =>
      (await shown()).includes("The test did not finish"),
    );
    assert.equal(server.requests.length, last + 1, "nothing was sent after it");
    await knows("edits best by lines, as tested");
  });
});
