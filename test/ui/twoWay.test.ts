import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { ask, modelWorkbench, openPanel, PATIENCE, panel, until } from "./workbench.ts";

const CALL = { name: "extension__other_add", args: { a: 2, b: 40 } };

describe("Graft and other extensions, in a real VS Code", () => {
  const suite = modelWorkbench(
    (request) => {
      const last = request.body.messages.at(-1)?.content ?? "";
      if (last.includes("From the other extension")) return { text: "Hello, extension." };
      const tools = request.body.tools?.map((tool) => tool.function.name) ?? [];
      if (last.includes("Add them")) {
        assert.ok(tools.includes(CALL.name));
        return { toolCalls: [CALL] };
      }
      return { text: `It is ${last}.` };
    },
    { "one.js": "export {};\n" },
    {
      "graft.extensionTools": ["other_*"],
      "graft.shareModels": true,
      "chat.disableAIFeatures": false,
    },
    "otherAgent",
  );

  it("lets the model use a tool of another extension once the user allowed it", async () => {
    await openPanel(suite.page);
    await ask(suite.page, "Add them.");
    const question = panel(suite.page).getByRole("group", { name: /other_add/ });
    await question.getByRole("button", { name: "Allow" }).first().click();
    await panel(suite.page).getByText("It is 42.", { exact: true }).waitFor({ timeout: PATIENCE });
  });

  it("answers another extension with the user's connection, while the setting says so", async () => {
    const at = (name: string) => path.join(suite.workbench.folder, name);
    fs.writeFileSync(at("ask-1.json"), JSON.stringify("From the other extension"));
    const allow = suite.page.getByRole("button", { name: "Allow" });
    await until("an answer", async () => {
      // VS Code asks before an extension's first request.
      if (await allow.isVisible()) await allow.click({ timeout: 5_000 }).catch(() => undefined);
      return fs.existsSync(at("said-1.json")) && fs.statSync(at("said-1.json")).size > 0;
    });
    assert.deepEqual(JSON.parse(fs.readFileSync(at("said-1.json"), "utf8")), {
      models: 1,
      text: "Hello, extension.",
    });
  });
});
