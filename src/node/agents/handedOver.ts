import type { NewSessionRequest } from "@agentclientprotocol/sdk";
import type { ToolServer } from "../../ports/commands/chatAgent.ts";

/** What the agents name the server's tools by. */
const SERVER = "graft";

/** Claude Code's adapter would allow a mode without questions, and as root not start with it. */
export const NO_BYPASS = { claudeCode: { options: { allowDangerouslySkipPermissions: false } } };

/** How an agent leaves its own tools that change files and run commands. */
interface OwnToolsOff {
  /** Variables of its process. */
  readonly env: Readonly<Record<string, string>>;
  readonly meta: NonNullable<NewSessionRequest["_meta"]>;
  /** The only modes in which it leaves them; null for all. */
  readonly modes: ReadonlySet<string> | null;
}

/** What a session of an agent begins with that has Graft's tools in place of its own. */
interface HandedOver extends Pick<OwnToolsOff, "modes"> {
  readonly session: Pick<NewSessionRequest, "mcpServers" | "_meta">;
}

/**
 * No setting of the user has these keys, so they come last, and the last one that fits counts. They
 * stand with the agents that there always are, too, since what an agent has counts more.
 */
const OPENCODE_PERMISSION = { "edit*": "deny", "bash*": "deny", [`${SERVER}_*`]: "allow" };
const OPENCODE_AGENTS = ["build", "plan", "general", "explore"];

/** Agents that those start have these tools in no case; one of the user's own may else allow them. */
const OPENCODE_NOT_INNER = ["edit", "bash"];

/** By what the agents call themselves. */
const OWN_TOOLS_OFF: ReadonlyMap<string, OwnToolsOff> = new Map<string, OwnToolsOff>([
  [
    "@agentclientprotocol/claude-agent-acp",
    {
      env: {},
      meta: {
        claudeCode: {
          options: {
            ...NO_BYPASS.claudeCode.options,
            disallowedTools: ["Edit", "MultiEdit", "Write", "NotebookEdit", "Bash"],
            allowedTools: [`mcp__${SERVER}`],
          },
        },
      },
      modes: null,
    },
  ],
  [
    "OpenCode",
    {
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          default_agent: "build",
          permission: OPENCODE_PERMISSION,
          agent: Object.fromEntries(
            OPENCODE_AGENTS.map((name) => [name, { permission: OPENCODE_PERMISSION }]),
          ),
          experimental: { primary_tools: OPENCODE_NOT_INNER },
        }),
      },
      meta: NO_BYPASS,
      // Another one is an agent of the user's own, with permissions of its own.
      modes: new Set(OPENCODE_AGENTS),
    },
  ],
]);

/** The variables by which agents leave their own tools; which agent it is, it tells later. */
export function toolsOffVariables(): Readonly<Record<string, string>> {
  return Object.assign({}, ...[...OWN_TOOLS_OFF.values()].map(({ env }) => env));
}

/**
 * Graft's tools in place of an agent's own; null for one that has no way to leave those, or whose
 * variables the user's own `env` has.
 */
export function handedOver(
  agent: string,
  { command, args, env }: ToolServer,
  own: Readonly<Record<string, string | undefined>>,
): HandedOver | null {
  const off = OWN_TOOLS_OFF.get(agent);
  if (!off || Object.keys(off.env).some((name) => own[name] !== undefined)) return null;
  const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
  return {
    session: {
      mcpServers: [{ name: SERVER, command, args: [...args], env: variables }],
      _meta: off.meta,
    },
    modes: off.modes,
  };
}
