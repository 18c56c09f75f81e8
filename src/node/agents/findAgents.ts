import { homedir } from "node:os";
import type { AgentProgram } from "../../ports/commands/chatAgent.ts";
import { installedProgram } from "../processes/programOnPath.ts";

/** A program that speaks the Agent Client Protocol, or an adapter's package for one that does not. */
interface KnownAgent {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** What npm's `npx` runs where the adapter is not installed, and the program is. */
  readonly adapter?: { readonly program: string; readonly package: string };
}

/** From the makers' documentation and the protocol's registry, November 2026. */
const KNOWN: readonly KnownAgent[] = [
  {
    name: "Claude Code",
    program: "claude",
    args: [],
    adapter: {
      program: "claude-agent-acp",
      package: "@agentclientprotocol/claude-agent-acp@0.101.0",
    },
  },
  {
    name: "Codex",
    program: "codex",
    args: [],
    adapter: { program: "codex-acp", package: "@agentclientprotocol/codex-acp@2.6.0" },
  },
  { name: "Gemini CLI", program: "gemini", args: ["--acp"] },
  { name: "OpenCode", program: "opencode", args: ["acp"] },
  { name: "Copilot CLI", program: "copilot", args: ["--acp", "--stdio"] },
  { name: "Cline", program: "cline", args: ["--acp"] },
];

/**
 * The agents on this machine. Starts nothing. Programs inside the `folders` of the workspace do not
 * count.
 */
export async function findAgents(folders: readonly string[]): Promise<readonly AgentProgram[]> {
  const find = (name: string) => installedProgram(name, folders);
  const found = await Promise.all(
    KNOWN.map(async ({ name, program, args, adapter }): Promise<readonly AgentProgram[]> => {
      const own = await find(program);
      if (!adapter) return own === null ? [] : [{ name, command: own, args, env: {} }];
      const installed = await find(adapter.program);
      if (installed !== null) return [{ name, command: installed, args: [], env: {} }];
      const npx = own === null ? null : await find("npx");
      // By default npm runs a package that the workspace has, and asks the registry of its `.npmrc`:
      // https://docs.npmjs.com/cli/using-npm/config#prefix
      const started = ["--yes", `--prefix=${homedir()}`, adapter.package];
      return npx === null ? [] : [{ name, command: npx, args: started, env: {} }];
    }),
  );
  return found.flat();
}
