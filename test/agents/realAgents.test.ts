import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { buildCli, type CliBundle } from "../fakes/cliBundle.ts";
import {
  assertFilesAfter,
  editsFolder,
  guestCalls,
  PLACED_EDITS,
} from "../fakes/edits/sameEdits.ts";
import { startAnthropicServer } from "../fakes/model/anthropicServer.ts";
import { startModelServer } from "../fakes/model/modelServer.ts";
import { type TempFolder, tempFolder } from "../fakes/workspace/tempFolder.ts";
import { agentFile, needsAgents } from "./agentPrograms.ts";

const run = promisify(execFile);
/** Each of a hundred calls is a request of the agent's, which takes seconds on a busy machine. */
const PATIENCE_MS = 900_000;
const CLAUDE = "@anthropic-ai/claude-agent-sdk-linux-x64";

/** Runs only where it is asked for: the agents take a gigabyte in the cache folder. */
describe("graft mcp in agents of other makers", () => {
  let cli: CliBundle;
  let folder: TempFolder;
  let home: TempFolder;

  before(async function () {
    await needsAgents(this);
    cli = await buildCli();
  });
  after(() => cli?.remove());
  beforeEach(async () => {
    folder = await editsFolder();
    home = await tempFolder();
  });
  afterEach(async () => {
    await folder.remove();
    await home.remove();
  });

  const calls = PLACED_EDITS.flatMap(guestCalls);
  const start = (command: string, args: readonly string[], env: Record<string, string>) => {
    const child = run(command, [...args], {
      cwd: folder.root,
      env: { PATH: process.env.PATH ?? "", HOME: home.root, ...env },
      timeout: PATIENCE_MS,
    });
    child.child.stdin?.end();
    return child;
  };
  const server = () => [process.execPath, cli.program, "mcp"] as const;
  /** The last edit is refused. */
  const isExplained = /Nothing was changed or proposed in '[^']+a\.txt'/;

  it("edits and explains itself in Claude Code", async () => {
    const model = await startAnthropicServer(
      calls.map(({ name, args: input }) => ({ tool: `mcp__graft__${name}`, input })),
    );
    const [command, ...args] = server();
    const config = path.join(home.root, "mcp.json");
    writeFileSync(config, JSON.stringify({ mcpServers: { graft: { command, args } } }));
    const flags = ["--mcp-config", config, "--strict-mcp-config"];
    const allowed = ["--allowedTools", "mcp__graft"];
    await start(agentFile(CLAUDE, "claude"), ["-p", "Edit", ...flags, ...allowed], {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "x",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    });
    assertFilesAfter(folder.root);
    assert.match(model.heard.at(-1) ?? "", isExplained);
    await model.close();
  }).timeout(PATIENCE_MS);

  it("edits and explains itself in OpenCode", async () => {
    const model = await startModelServer(({ body }) => {
      if (!body.tools) return { text: "title" };
      const call = calls[body.messages.filter(({ role }) => role === "tool").length];
      return call
        ? { toolCalls: [{ name: `graft_${call.name}`, args: call.args }] }
        : { text: "done" };
    });
    const options = { baseURL: model.url, apiKey: "x" };
    const local = { npm: "@ai-sdk/openai-compatible", options, models: { m: { name: "m" } } };
    const config = {
      autoupdate: false,
      ...{ model: "local/m", small_model: "local/m", provider: { local } },
      mcp: { graft: { type: "local", command: [...server()] } },
    };
    writeFileSync(path.join(folder.root, "opencode.json"), JSON.stringify(config));
    await start(agentFile("opencode-linux-x64", "bin/opencode"), ["run", "Edit"], {});
    assertFilesAfter(folder.root);
    const last = model.requests.findLast(({ body }) => body.tools)?.body.messages.at(-1);
    assert.match(last?.content ?? "", isExplained);
    await model.close();
  }).timeout(PATIENCE_MS);
});
