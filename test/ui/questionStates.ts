import { argumentLines } from "../../src/tools/mcp/mcpTool.ts";
import type { ToolOrigin } from "../../src/turns/turnEvent.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { busy } from "./panelStates.ts";
import type { TestedPanel } from "./withPanel.ts";

interface Asked {
  /** The tool and its arguments. */
  readonly call: readonly [name: string, input: object];
  /** What the permission is about. */
  readonly request: object;
  readonly origin?: ToolOrigin;
}

const SUM = { a: 2, b: 40, note: "both of them\nin two lines" };
const command = { text: "npm test -- --reporter dot", folder: ".", prefix: "npm test" };
const runs = ["run_command", { command: command.text }] as const;
const QUESTIONS: Readonly<Record<string, Asked>> = {
  "a question about a tool of an MCP server": {
    call: ["mcp__everything__get-sum", SUM],
    origin: { server: "everything", tool: "get-sum" },
    request: {
      effect: "execute",
      summary: "Run get-sum on the MCP server everything",
      server: "everything",
      arguments: argumentLines(SUM),
    },
  },
  "a question about a page of the web": {
    call: ["fetch_url", { url: "https://docs.example.com/guide/intro?version=2" }],
    request: {
      effect: "read",
      summary: "Read a page of docs.example.com",
      host: "docs.example.com",
      arguments: "https://docs.example.com/guide/intro?version=2",
    },
  },
  "a question about a command in a copy": {
    call: runs,
    request: {
      effect: "execute",
      summary: `Run ${command.text}`,
      command,
      onProposals: { backend: "copy" },
    },
  },
  "a question about a command of another maker's agent": {
    call: ["agent_execute", { name: "Run the tests", command: command.text }],
    request: {
      effect: "execute",
      summary: "Run the tests",
      command,
      onProposals: { backend: "overlay", isConfined: true },
    },
  },
  "a question about how to sign in to another maker's agent": {
    call: ["agent_other", { name: "Gemini CLI" }],
    request: {
      effect: "execute",
      summary: "Sign in to Gemini CLI: Log in with Google",
      arguments: "Opens your browser.",
      eachTime: true,
    },
  },
  "a question about where a command runs": {
    call: runs,
    request: {
      effect: "execute",
      summary: `Run ${command.text}`,
      command,
      onProposals: { backend: "overlay", isChosen: true },
    },
  },
  "a question about a command that wants the network": {
    call: runs,
    request: { effect: "execute", summary: `Run ${command.text}`, command, wantsNetwork: true },
  },
  "a question about a commit with hooks": {
    call: ["git_commit", { message: "Fix the cart" }],
    request: {
      effect: "execute",
      summary: "Commit src/cart.ts: Fix the cart",
      commit: {
        message: "Fix the cart\n\nremove() removed everything else.",
        paths: ["src/cart.ts"],
      },
      programs: [".git/hooks/pre-commit", "core.fsmonitor=.git/watch.sh"],
      unsavedFiles: ["src/money.ts", "src/tax.ts"],
    },
  },
};

/** Questions for permissions, to be drawn one after the other. */
export function questionStates(
  panel: Pick<TestedPanel, "snapshot">,
): Readonly<Record<string, () => Promise<unknown>>> {
  return Object.fromEntries(
    Object.entries(QUESTIONS).map(([name, asked]) => [
      name,
      () => panel.snapshot(askedFor(asked).events, busy),
    ]),
  );
}

function askedFor({ call: [name, input], request, origin }: Asked): TurnScript {
  const call = { callId: "c", name, argsText: JSON.stringify(input), input };
  return new TurnScript()
    .ask("Do it")
    .text("I do it.")
    .add(
      { type: "tool-call-start", callId: "c", name, ...(origin && { origin }) },
      { type: "tool-call", ...call },
      { type: "tool-start", callId: "c" },
      {
        type: "approval-request",
        callId: "c",
        tool: name,
        summary: "",
        effect: "execute",
        ...request,
      },
    );
}
