import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { type ModelServer, startModelServer } from "../fakes/model/modelServer.ts";
import { root } from "../harness/root.mjs";
import { screenshot, screenshotsOfFailures } from "./screenshot.ts";
import {
  ask,
  fillBox,
  openPanel,
  openWorkbench,
  panel,
  until,
  type Workbench,
} from "./workbench.ts";

const KEY = "the-key-of-the-user";

/** The workspace's definition of a server. A different `mark` makes it a different definition. */
function definition(mark: string): string {
  const program = path.join(root, "test/fakes/mcp/mcpServer.ts");
  const variable = (name: string) => ["$", `{${name}}`].join("");
  const env = {
    MCP_LOG: `${variable("workspaceFolder")}/mcp.log`,
    MARK: mark,
    KEY: variable("input:key"),
  };
  const theirs = {
    command: process.execPath,
    args: ["--import", "tsx", program],
    env,
    envFile: `${variable("workspaceFolder")}/.env`,
    cwd: root,
  };
  const inputs = [{ id: "key", type: "promptString", description: "The key", password: true }];
  return JSON.stringify({ inputs, servers: { theirs } });
}

describe("a workspace's MCP server, in a real VS Code", () => {
  let model: ModelServer;
  let workbench: Workbench;
  const at = (name: string) => path.join(workbench.folder, name);
  const starts = () =>
    fs.existsSync(at("mcp.log"))
      ? (fs.readFileSync(at("mcp.log"), "utf8").match(/^start /gm) ?? []).length
      : 0;
  const list = () =>
    panel(workbench.page).getByRole("group", { name: "The workspace wants to start MCP servers" });
  const decide = async (label: string) => {
    if (label === "Start selected")
      await list()
        .getByLabel(/^theirs runs/)
        .check();
    await list().getByRole("button", { name: label, exact: true }).click();
    await list().waitFor({ state: "detached" });
  };

  /** The server's tools in the last request. */
  const offered = () => {
    const names = model.requests.at(-1)?.body.tools?.map((tool) => tool.function.name) ?? [];
    return names.filter((name) => name.startsWith("mcp__"));
  };
  const allow = () => panel(workbench.page).getByText("Allow", { exact: true }).click();
  const answered = (text: string) =>
    panel(workbench.page).getByText(text, { exact: true }).waitFor();

  before(async () => {
    // The model calls the tool that the user names, and repeats the result.
    model = await startModelServer(({ body }) => {
      const { role, content } = body.messages.at(-1) ?? { role: "user", content: "" };
      if (role === "tool") return { text: `Told: ${content}` };
      const [, number, name] =
        /^(\d): use (\w+)/m.exec(
          body.messages.findLast((message) => message.role === "user")?.content ?? "",
        ) ?? [];
      const found = body.tools?.some((tool) => tool.function.name === name);
      return found && name
        ? { toolCalls: [{ name, args: { a: Number(number), b: 40, name: "KEY" } }] }
        : { text: `${number}: there is no ${name}` };
    });
    // A rule by name does not allow the tools of a workspace's server.
    const rules = [{ tool: "mcp__theirs__*", allow: "always" }];
    const settings = {
      "graft.baseUrl": model.url,
      "graft.model": "test-model",
      "graft.permissions.rules": rules,
    };
    workbench = await openWorkbench({
      files: { ".vscode/mcp.json": definition("one"), ".env": "PLAIN=yes\n" },
      settings,
    });
    await openPanel(workbench.page);
  });
  after(async () => {
    await workbench?.close();
    await model?.close();
  });
  screenshotsOfFailures(() => workbench.page);

  it("shows its definition and starts nothing when the user types on or starts none", async () => {
    const { page } = workbench;
    await ask(page, "1: use mcp__theirs__add");
    await list().waitFor();
    await page.keyboard.press("Enter");
    assert.match(
      (await list().textContent()) ?? "",
      /theirs Runs on this machine, with your full user permissions.*"MARK":"one"/s,
    );
    await screenshot(page, "mcp-agreement");
    await list().getByRole("button", { name: "Open .vscode/mcp.json" }).click();
    await page.locator(".tab.active", { hasText: "mcp.json" }).waitFor();
    assert.equal(model.requests.length, 0);
    await decide("Start none");
    await answered("1: there is no mcp__theirs__add");
    assert.deepEqual(offered(), []);
    assert.equal(starts(), 0);
  });

  it("asks again when its definition changes, and runs in the same turn once allowed", async () => {
    fs.writeFileSync(at(".vscode/mcp.json"), definition("two"));
    await ask(workbench.page, "2: use mcp__theirs__add");
    await decide("Start selected");
    const box = workbench.page.locator(".quick-input-widget", {
      hasText: "MCP server theirs: The key",
    });
    await box.locator('input[type="password"]').waitFor();
    await fillBox(workbench.page, "MCP server theirs: The key", KEY);
    await allow();
    await answered("Told: 42");
    assert.equal(starts(), 1);
  });

  it("receives the user's input, which is hidden from the model", async () => {
    await ask(workbench.page, "3: use mcp__theirs__tell");
    await allow();
    await answered("Told: It is •••.");
    assert.ok(!JSON.stringify(model.requests).includes(KEY));
  });

  it("stops when the user refuses a changed definition", async () => {
    const pid = Number(/^start (\d+)/m.exec(fs.readFileSync(at("mcp.log"), "utf8"))?.[1]);
    fs.writeFileSync(at(".vscode/mcp.json"), definition("three"));
    await ask(workbench.page, "4: use mcp__theirs__add");
    await decide("Start none");
    await answered("4: there is no mcp__theirs__add");
    assert.equal(starts(), 1);
    await until("the process is gone", () => !fs.existsSync(`/proc/${pid}`));
  });
});
