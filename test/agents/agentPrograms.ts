import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { AgentProgram } from "../../src/ports/commands/chatAgent.ts";
import type { TempFolder } from "../fakes/workspace/tempFolder.ts";
import { npm } from "../harness/dependencies.mjs";
import { cacheDir } from "../harness/root.mjs";

const run = promisify(execFile);
const VERSIONS = {
  "@anthropic-ai/claude-agent-sdk-linux-x64": "0.3.332",
  "@agentclientprotocol/claude-agent-acp": "0.101.0",
  "@google/gemini-cli": "0.61.0",
  "opencode-linux-x64": "1.18.33",
} as const;
const place = path.join(cacheDir, "agents");

/** Where a file of an agent's package is. */
export function agentFile(name: keyof typeof VERSIONS, file: string): string {
  return path.join(place, "node_modules", name, file);
}

/**
 * Puts the agents into the cache folder, where they take a gigabyte. Skips a suite where they do
 * not run.
 */
export async function needsAgents(suite: Mocha.Context): Promise<void> {
  if (process.platform !== "linux" || process.arch !== "x64") return suite.skip();
  suite.timeout(600_000);
  mkdirSync(place, { recursive: true });
  const manifest = path.join(place, "package.json");
  const wanted = JSON.stringify({ private: true, dependencies: VERSIONS });
  const isThere = Object.keys(VERSIONS).every((name) =>
    existsSync(path.join(place, "node_modules", name)),
  );
  if (isThere && readFileSync(manifest, "utf8") === wanted) return;
  writeFileSync(manifest, wanted);
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  await run(npm, ["install", ...flags], { cwd: place });
  writeFileSync(manifest, wanted);
}

/** OpenCode with the model at `url`. Writes its settings, with `permission`, to `home`. */
export async function openCode(
  home: TempFolder,
  url: string,
  others: object = { permission: { edit: "ask", bash: "ask" } },
): Promise<AgentProgram> {
  const options = { baseURL: url, apiKey: "x" };
  const models = { m: { name: "m", tool_call: true } };
  const local = { npm: "@ai-sdk/openai-compatible", name: "local", options, models };
  const config = {
    ...{ autoupdate: false, model: "local/m", small_model: "local/m" },
    ...{ provider: { local }, ...others },
  };
  await home.write(".config/opencode/opencode.json", JSON.stringify(config));
  const env = {
    HOME: home.root,
    XDG_CONFIG_HOME: path.join(home.root, ".config"),
    XDG_DATA_HOME: path.join(home.root, ".data"),
  };
  const command = agentFile("opencode-linux-x64", "bin/opencode");
  return { name: "OpenCode", command, args: ["acp"], env };
}

/** Claude Code by its adapter, with the model at `url`. Writes its settings to `home`. */
export async function claudeCode(home: TempFolder, url: string): Promise<AgentProgram> {
  const settings = { permissions: { defaultMode: "default" } };
  await home.write(".claude/settings.json", JSON.stringify(settings));
  const entry = agentFile("@agentclientprotocol/claude-agent-acp", "dist/index.js");
  const env = {
    HOME: home.root,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "x",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
  return { name: "Claude Code", command: process.execPath, args: [entry], env };
}
