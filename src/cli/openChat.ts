import * as path from "node:path";
import { Chat } from "../agent/chat/chat.ts";
import { newId } from "../base/ids.ts";
import { ok, type Result } from "../base/result.ts";
import { createDemoClient } from "../demo/demoClient.ts";
import { ChangeJournal } from "../edits/history/changeJournal.ts";
import { proposedWorkspace } from "../edits/propose/proposedWorkspace.ts";
import { memoryStore } from "../model/learnedCapabilities.ts";
import { createNodeWorkspaceFiles } from "../node/files/nodeWorkspaceFiles.ts";
import { findRipgrep } from "../node/files/ripgrepSearch.ts";
import { createNodeGit } from "../node/processes/nodeGit.ts";
import { createNodeShell } from "../node/processes/nodeShell.ts";
import { createNodeShadows } from "../node/shadow/nodeShadows.ts";
import type { Approval } from "../ports/approval.ts";
import type { EventLog } from "../ports/eventLog.ts";
import type { McpProblem } from "../ports/mcp.ts";
import type { Reviewer } from "../ports/review.ts";
import type { Workspace } from "../ports/workspace.ts";
import { createSyntax } from "../syntax/createSyntax.ts";
import { editorTools } from "../tools/editorTools.ts";
import type { McpServers } from "../tools/mcp/mcpServers.ts";
import { mcpProblemMessage } from "../tools/mcp/messages.ts";
import { processTools } from "../tools/processTools.ts";
import { discardingLog } from "../turns/turnStore.ts";
import { type CommandIo, complain, stderrLogger } from "./commandIo.ts";
import type { ModelArguments } from "./commandLine.ts";
import { noLanguageServices, nonInteractiveQuestion } from "./nonInteractive.ts";
import { learnedModels, openClient } from "./openClient.ts";

/** Who decides in a chat of the command line. */
interface Deciding {
  readonly reviewer: Reviewer;
  readonly approval: Approval;
}

/** A chat of the command line; `dispose` ends it with all that it started. */
interface OpenedChat {
  readonly chat: Chat;
  /** Settles when nothing of a stopped turn still runs. */
  ended(): Promise<void>;
  dispose(): Promise<void>;
}

/**
 * Opens a chat in the folder `root`, without an editor; `given` are more MCP servers, as `mcp.json` defines
 * them. Without a `log`, what the caller hears is the only record. The error is a sentence.
 */
export async function openChat(
  command: ModelArguments,
  root: string,
  workspace: Workspace,
  io: CommandIo,
  { reviewer, approval }: Deciding,
  given: Readonly<Record<string, unknown>> = {},
  log: EventLog = discardingLog,
): Promise<Result<OpenedChat, string>> {
  const logger = stderrLogger(io);
  const tell = (problem: McpProblem) => void complain(io, mcpProblemMessage(problem));
  const hasServers = command.mcp !== null || Object.keys(given).length > 0;
  const mcp = hasServers ? await openMcpServers(command.mcp, given, root, tell) : null;
  if (mcp && !mcp.ok) return mcp;
  const syntax = createSyntax(io.grammars, logger);
  const isDemo = command.baseUrl === "demo";
  const learned = isDemo ? memoryStore() : await learnedModels();
  const client = isDemo
    ? createDemoClient({ workspace, syntax, useModel: "name its server with `--base-url`" })
    : openClient(command, learned, io);
  const machine = processTools({
    workspace,
    shell: createNodeShell(),
    git: createNodeGit(async () => ({ folders: [root], opened: null })),
    shadows: createNodeShadows(() => [path.resolve(root)]),
  });
  const question = nonInteractiveQuestion;
  const seen = proposedWorkspace(workspace, reviewer);
  const deps = { workspace, seen, syntax, services: noLanguageServices, question, editor: null };
  const chat = await Chat.open({
    chatId: newId("chat"),
    ...{ workspace, syntax, reviewer, approval, question, logger },
    files: await createNodeWorkspaceFiles(root, await findRipgrep(null, [root])),
    tools: editorTools(deps),
    processTools: (proposals) => machine.of(proposals),
    ...(mcp && { turnTools: (signal) => mcp.value.tools(signal) }),
    log,
    journal: new ChangeJournal(discardingLog, logger),
    connect: async () => ok({ client, model: command.model, info: null }),
    learned,
    maxSteps: () => command.maxSteps,
    defaultMode: command.mode,
    contextWindow: () => command.contextWindow ?? null,
    activeFile: () => null,
  });
  let ending: Promise<unknown> = Promise.resolve();
  chat.onEvent((event) => {
    if (event.type === "turn-end" && event.reason === "cancelled")
      ending = Promise.all([ending, machine.turnStopped(event.turnId)]);
  });
  return ok({
    chat,
    ended: async () => void (await ending),
    async dispose() {
      await Promise.all([machine.dispose(), chat.dispose(), mcp?.value.dispose()]);
    },
  });
}

async function openMcpServers(
  file: string | null,
  given: Readonly<Record<string, unknown>>,
  root: string,
  tell: (problem: McpProblem) => void,
): Promise<Result<McpServers, string>> {
  const { openFileMcp } = await import("./mcpFile.ts");
  return openFileMcp(file, given, root, tell);
}
