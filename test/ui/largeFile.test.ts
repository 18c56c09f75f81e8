import assert from "node:assert/strict";
import { ask, modelWorkbench, openPanel, panel, until } from "./workbench.ts";

const LINES = 50_000;

describe("a proposal for a file of more than a million characters, in a real VS Code", () => {
  const suite = modelWorkbench(
    ({ body }) => {
      const steps = body.messages.filter(({ role }) => role === "assistant").length;
      if (steps === 0)
        return {
          toolCalls: [
            { name: "edit_mode", args: { file_path: "large.txt", use_line_numbers: true } },
          ],
        };
      return steps === 1 ? { text: "```text:2:2\nTWO\n```\n" } : { text: "Done." };
    },
    {
      "large.txt": Array.from(
        { length: LINES },
        (_, at) => `this is line ${at + 1} of a large file\n`,
      ).join(""),
    },
    { "files.autoSave": "off" },
  );
  const tabs = () => suite.page.locator(".tab");

  before(() => openPanel(suite.page));

  it("opens the file with its marks, and the diff when it is asked for", async () => {
    const { page } = suite;
    await ask(page, "Change line 2.");
    await panel(page).getByText("Done.", { exact: true }).waitFor();
    await page.locator(".editor-instance .view-lines", { hasText: "this is line 3" }).waitFor();
    await page.locator(".codelens-decoration", { hasText: "Accept" }).first().waitFor();
    assert.equal(await tabs().filter({ hasText: "Graft proposal" }).count(), 0);
    await panel(page).getByRole("button", { name: "Show diff" }).first().click();
    await until(
      "the diff is open",
      async () => (await tabs().filter({ hasText: "Graft proposal" }).count()) === 1,
    );
  });
});
