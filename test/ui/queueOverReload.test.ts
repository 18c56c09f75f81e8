import assert from "node:assert/strict";
import { ask, composer, modelWorkbench, openPanel, panel, screenshot, until } from "./workbench.ts";

describe("queued messages, in a real VS Code that is reloaded", () => {
  const suite = modelWorkbench(
    [{ text: "Once upon a time there was a parser.", stallAfter: 2 }, { text: "Bonjour." }],
    {
      "a.ts": "export const a = 1;\n",
    },
  );
  const queue = () => panel(suite.page).getByRole("group", { name: "Queued messages" });

  before(() => openPanel(suite.page));

  it("are kept and not sent", async () => {
    const { page } = suite;
    await ask(page, "Tell me a story");
    await panel(page).getByText("Once upon").waitFor();
    await ask(page, "In French");
    await ask(page, "and short");
    await queue().getByText("and short").waitFor();
    await page.reload();
    await openPanel(page);
    await queue().getByText("Queued for your next message").waitFor();
    await screenshot(page, "11-queue-after-reload");
    assert.ok(await queue().getByText("In French").isVisible());
    assert.ok(await queue().getByText("and short").isVisible());
    assert.equal(suite.server.requests.length, 1);
  });

  it("can be edited, and the rest is sent once with a click", async () => {
    const { page } = suite;
    await queue().getByRole("button", { name: "Edit: and short" }).press("Enter");
    await until(
      "the text is in the composer",
      async () => (await composer(page).inputValue()) === "and short",
    );
    await composer(page).fill("");
    await queue().getByRole("button", { name: "Send now" }).press("Enter");
    await panel(page).getByText("Bonjour.", { exact: true }).waitFor();
    assert.equal(await queue().isVisible(), false);
    assert.equal(suite.server.requests[1]?.body.messages.at(-1)?.content, "In French");
    assert.equal(suite.server.requests.length, 2);
  });
});
