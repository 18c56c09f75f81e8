import { Chat } from "../agent/chat.ts";
import { counted } from "../base/counted.ts";
import { newId } from "../base/ids.ts";
import { english } from "../base/localize.ts";
import { ok, type Result } from "../base/result.ts";
import { createDemoFetch } from "../demo/demoEndpoint.ts";
import type { DemoPorts } from "../demo/demoSource.ts";
import { createAutoReviewer } from "../edits/autoReviewer.ts";
import { ChangeJournal } from "../edits/changeJournal.ts";
import type { ModelClient } from "../model/modelClient.ts";
import { createOpenaiClient } from "../model/openaiClient.ts";
import type { Approval } from "../ports/approval.ts";
import type { EventLog } from "../ports/eventLog.ts";
import { createSyntax } from "../syntax/treeSitterSyntax.ts";
import { editorTools } from "../tools/editorTools.ts";
import { fileTools } from "../tools/fileTools.ts";
import { machineTools } from "../tools/machineTools.ts";
import type { McpServers } from "../tools/mcp/mcpServers.ts";
import { turnErrorMessage } from "../turns/messages.ts";
import type { TurnEvent } from "../turns/turnEvent.ts";
import { type CommandIo, complain, stderrLogger } from "./commandIo.ts";
import type { Command } from "./commandLine.ts";
import { createFileApplier } from "./fileApplier.ts";
import { createNodeGit } from "./nodeGit.ts";
import { createNodeShell } from "./nodeShell.ts";
import { createNodeWorkspaceFiles } from "./nodeWorkspaceFiles.ts";
import { nobodyToAsk, noLanguageServices } from "./noEditor.ts";
import { openRoot } from "./openRoot.ts";
import { createTraceWriter } from "./traceWriter.ts";

type RunArguments = Extract<Command, { name: "run" }>;

const LIMITS = { connectMs: 15_000, firstTokenMs: 120_000, idleMs: 60_000 };

/** A client needs an address even where nothing is sent. */
const DEMO_URL = "http://demo.invalid/v1";

/** `graft run`: one turn, its events as JSON lines on stdout. Answers with the exit status. */
export async function runCommand(command: RunArguments, io: CommandIo): Promise<number> {
  const workspace = await openRoot(command.root);
  if (!workspace.ok) {
    await complain(io, workspace.error);
    return 2;
  }
  const logger = stderrLogger(io);
  const mcp = await openMcp(command, (problem) => void complain(io, problem));
  if (mcp && !mcp.ok) {
    await complain(io, mcp.error);
    return 2;
  }
  const syntax = createSyntax(io.grammars, logger);
  const client = connect(command, io, { workspace: workspace.value, syntax });
  const machine = machineTools(workspace.value, createNodeShell(), createNodeGit());
  const deps = { workspace: workspace.value, syntax, services: noLanguageServices, question: nobodyToAsk, editor: null };
  const chat = await Chat.open({
    chatId: newId("chat"),
    workspace: workspace.value,
    syntax,
    reviewer: createAutoReviewer(command.accept, createFileApplier(workspace.value)),
    approval: approvalOf(command),
    question: nobodyToAsk,
    tools: [...fileTools(workspace.value, await createNodeWorkspaceFiles(command.root)), ...editorTools(deps), ...machine.tools],
    ...(mcp && { turnTools: (signal) => mcp.value.tools(signal) }),
    log: nowhere,
    journal: new ChangeJournal(nowhere, logger),
    logger,
    connect: async () => ok({ client, model: command.model }),
    maxSteps: () => command.maxSteps,
    activeFile: () => null,
  });
  const stop = () => chat.stop();
  const trace = createTraceWriter(io.stdout, stop);
  let last: TurnEvent | null = null;
  let withheld = 0;
  chat.onEvent((event) => {
    last = event;
    if (event.type === "edit-update" && event.edit.status === "rejected") withheld++;
    trace.write(event);
  });
  io.interrupted.addEventListener("abort", stop);
  try {
    const turn = chat.send(command.prompt);
    if (io.interrupted.aborted) stop();
    const reason = await turn;
    await trace.flush();
    if (command.accept === "none" && withheld > 0) await complain(io, "Edits were proposed and not written; --accept all writes them.");
    if (reason === "done") return 0;
    if (reason === "cancelled" && io.interrupted.aborted) return 130;
    await complain(io, endSentence(last, reason, command.maxSteps));
    return 1;
  } finally {
    io.interrupted.removeEventListener("abort", stop);
    await Promise.all([machine.dispose(), chat.dispose(), mcp?.value.dispose()]);
  }
}

async function openMcp({ mcp, root }: RunArguments, tell: (problem: string) => void): Promise<Result<McpServers, string> | null> {
  if (mcp === null) return null;
  const { openFileMcp } = await import("./mcp/fileMcp.ts");
  return openFileMcp(mcp, root, tell);
}

function connect({ baseUrl }: RunArguments, { apiKey }: CommandIo, demo: DemoPorts): ModelClient {
  if (baseUrl !== "demo") return createOpenaiClient({ baseUrl, apiKey, limits: LIMITS });
  return createOpenaiClient({ baseUrl: DEMO_URL, apiKey: null, fetch: createDemoFetch(demo), limits: LIMITS });
}

/** Whether a proposal is written is decided by `--accept` in its review; what is done at once, by the same flag here. */
function approvalOf({ accept, allowCommands }: RunArguments): Approval {
  return {
    async request({ tool, effect, reviewed }) {
      const allowed = reviewed || effect === "read" || (effect === "write" ? accept === "all" : allowCommands);
      const flag = effect === "write" ? "--accept all" : "--allow-commands";
      return { allowed, by: "settings", reason: allowed ? null : `${tool} is allowed with ${flag} only.` };
    },
  };
}

/** The trace on stdout is the only record of a headless turn. */
const nowhere: EventLog = { read: async () => [], append: async () => undefined };

function endSentence(last: TurnEvent | null, reason: string, maxSteps: number): string {
  if (last?.type === "turn-end" && last.error) return turnErrorMessage(last.error, english);
  if (reason === "step-limit") return `The turn ended after its ${counted(maxSteps, "step")}; --max-steps allows more.`;
  return reason === "length" ? "The model's answer was cut off at its output limit." : `The turn ended early: ${reason}.`;
}
