import assert from "node:assert/strict";
import { holdExtensionHost, killExtensionHost } from "../load/extensionHost.ts";
import { screenshot } from "./screenshot.ts";
import { isOnRecord } from "./storedFiles.ts";
import { ask, composer, modelWorkbench, openPanel, panel, send, soon, until } from "./workbench.ts";

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
    await send(page, "In French");
    await send(page, "and short");
    await queue().getByText("and short").waitFor();
    // The panel shows a message before the host has it.
    await until("both are on record", () =>
      ["In French", "and short"].every((words) => isOnRecord(suite.workbench, words)),
    );
    await page.reload();
    await openPanel(page);
    await queue().getByText("Queued for your next message").waitFor();
    await screenshot(page, "11-queue-after-reload");
    await queue().getByText("In French").waitFor();
    await queue().getByText("and short").waitFor();
    assert.equal(suite.server.requests.length, 1);
  });

  it("can be edited, and the rest is sent once with a click", async () => {
    const { page } = suite;
    const edit = queue().getByRole("button", { name: "Edit: and short" });
    await until("it leaves the queue", async () => {
      // The queue is drawn again when the window's state arrives; then the key was lost.
      await edit.press("Enter", { timeout: 5_000 }).catch(() => undefined);
      // Another key while the text is on its way would send it from the composer.
      return soon(edit, "hidden");
    });
    await until(
      "its text is there",
      async () => (await composer(page).inputValue()) === "and short",
    );
    await composer(page).fill("");
    const send = queue().getByRole("button", { name: "Send now" });
    await until("the rest is sent", async () => {
      await send.press("Enter", { timeout: 5_000 }).catch(() => undefined);
      return soon(send, "hidden");
    });
    await panel(page).getByText("Bonjour.", { exact: true }).waitFor();
    await queue().waitFor({ state: "hidden" });
    assert.equal(suite.server.requests[1]?.body.messages.at(-1)?.content, "In French");
    assert.equal(suite.server.requests.length, 2);
  });
});

describe("messages to a host that is busy, in a real VS Code", () => {
  const suite = modelWorkbench([{ text: "Once upon a time there was a parser.", stallAfter: 2 }], {
    "a.ts": "export const a = 1;\n",
  });

  before(() => openPanel(suite.page));

  it("are all in the composer after it dies and the page is reloaded at once", async () => {
    const { page, workbench } = suite;
    const messages = ["In French", "and short"];
    await ask(page, "Tell me a story");
    await panel(page).getByText("Once upon").waitFor();
    holdExtensionHost(workbench);
    for (const text of messages) {
      await composer(page).fill(text);
      await composer(page).press("Enter");
      await panel(page).getByText(text, { exact: true }).waitFor();
    }
    killExtensionHost(workbench);
    await page.reload();
    await openPanel(page);
    await until("both are there", async () => {
      const text = await composer(page).inputValue();
      return messages.every((each) => text.includes(each));
    });
    assert.equal(suite.server.requests.length, 1);
  });
});
