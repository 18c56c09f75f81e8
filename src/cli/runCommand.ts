import { writeFile } from "node:fs/promises";
import * as path from "node:path";
import { text as readText } from "node:stream/consumers";
import { Chat } from "../agent/chat/chat.ts";
import { newId } from "../base/ids.ts";
import { english } from "../base/localize.ts";
import { ok, type Result } from "../base/result.ts";
import { pluralize } from "../base/text/pluralize.ts";
import { createDemoClient } from "../demo/demoClient.ts";
import type { DemoPorts } from "../demo/demoSource.ts";
import { ChangeJournal } from "../edits/history/changeJournal.ts";
import { createAutoReviewer } from "../edits/review/autoReviewer.ts";
import { PendingReviewer } from "../edits/review/pendingReviewer.ts";
import type { ModelClient } from "../model/modelClient.ts";
import { createOpenaiClient } from "../model/openai/openaiClient.ts";
import { createFileApplier } from "../node/files/fileApplier.ts";
import { createNodeWorkspaceFiles } from "../node/files/nodeWorkspaceFiles.ts";
import { findRipgrep } from "../node/files/ripgrepSearch.ts";
import { createNodeGit } from "../node/processes/nodeGit.ts";
import { createNodeShell } from "../node/processes/nodeShell.ts";
import { createNodeShadows } from "../node/shadow/nodeShadows.ts";
import type { Approval } from "../ports/approval.ts";
import type { McpProblem } from "../ports/mcp.ts";
import { createSyntax } from "../syntax/createSyntax.ts";
import { editorTools } from "../tools/editorTools.ts";
import type { McpServers } from "../tools/mcp/mcpServers.ts";
import { mcpProblemMessage } from "../tools/mcp/messages.ts";
import { processTools } from "../tools/processTools.ts";
import { turnErrorMessage } from "../turns/messages.ts";
import type { EditBlock, EditStatus, TurnEvent } from "../turns/turnEvent.ts";
import { discardingLog } from "../turns/turnStore.ts";
import { type CommandIo, complain, fail, print, stderrLogger } from "./commandIo.ts";
import type { CliCommand } from "./commandLine.ts";
import { noLanguageServices, nonInteractiveQuestion } from "./nonInteractive.ts";
import { openRoot } from "./openRoot.ts";
import { pendingPatch } from "./pendingPatch.ts";

type RunArguments = Extract<CliCommand, { name: "run" }>;

const LIMITS = { connectMs: 15_000, firstTokenMs: 120_000, idleMs: 60_000 };

/** `graft run`: runs one turn and prints its events as JSON lines. Returns the exit status. */
export async function runCommand(command: RunArguments, io: CommandIo): Promise<number> {
  const prompt = command.prompt ?? (await readText(io.stdin));
  if (prompt.trim() === "") return fail(io, "The prompt on stdin is empty.", 2);
  const workspace = await openRoot(command.root);
  if (!workspace.ok) return fail(io, workspace.error, 2);
  const logger = stderrLogger(io);
  const mcp = await openMcpServers(
    command,
    (problem) => void complain(io, mcpProblemMessage(problem)),
  );
  if (mcp && !mcp.ok) return fail(io, mcp.error, 2);
  const syntax = createSyntax(io.grammars, logger);
  const client = createClient(command, io, { workspace: workspace.value, syntax });
  const machine = processTools({
    workspace: workspace.value,
    shell: createNodeShell(),
    git: createNodeGit(async () => ({ folders: [command.root], opened: null })),
    shadows: createNodeShadows(() => [path.resolve(command.root)]),
  });
  const reviewer =
    command.accept === "all"
      ? createAutoReviewer("all", createFileApplier(workspace.value))
      : new PendingReviewer();
  const deps = {
    workspace: workspace.value,
    syntax,
    services: noLanguageServices,
    question: nonInteractiveQuestion,
    editor: null,
  };
  const chat = await Chat.open({
    chatId: newId("chat"),
    workspace: workspace.value,
    syntax,
    reviewer,
    approval: flagApproval(command),
    question: nonInteractiveQuestion,
    files: await createNodeWorkspaceFiles(command.root, await findRipgrep(null, [command.root])),
    tools: editorTools(deps),
    processTools: (proposals) => machine.of(proposals),
    ...(mcp && { turnTools: (signal) => mcp.value.tools(signal) }),
    // The trace on stdout is the only record.
    log: discardingLog,
    journal: new ChangeJournal(discardingLog, logger),
    logger,
    connect: async () => ok({ client, model: command.model, info: null }),
    maxSteps: () => command.maxSteps,
    activeFile: () => null,
  });
  const stop = () => chat.stop();
  // The reader of the trace is gone.
  io.stdout.once("error", stop);
  let last: TurnEvent | null = null;
  const edits = new Map<string, EditBlock>();
  chat.onEvent((event) => {
    last = event;
    if (event.type === "edit-update") edits.set(event.edit.blockId, event.edit);
    io.stdout.write(`${JSON.stringify(event)}\n`);
  });
  io.interrupted.addEventListener("abort", stop);
  try {
    const turn = chat.send(prompt);
    if (io.interrupted.aborted) stop();
    const reason = await turn;
    await print(io.stdout, "");
    const { text, files } = await pendingPatch(reviewer);
    if (command.patch !== null) await writeFile(command.patch, text);
    else if (files > 0)
      await complain(
        io,
        "Edits were proposed but not written. Use --accept all to write them, or --patch FILE to get them.",
      );
    const left = [...edits.values()].filter(({ status }) => LEFT_OUT.has(status));
    if (reason === "done") return left.length === 0 ? 0 : fail(io, leftSentence(left), 1);
    if (reason === "cancelled" && io.interrupted.aborted) return 130;
    return fail(io, endSentence(last, reason, command.maxSteps), 1);
  } finally {
    io.interrupted.removeEventListener("abort", stop);
    await Promise.all([machine.dispose(), chat.dispose(), mcp?.value.dispose()]);
  }
}

/** What an edit has become that is neither in its file nor proposed. */
const LEFT_OUT: ReadonlySet<EditStatus> = new Set([
  ...(["refused", "held", "incomplete", "rejected", "conflict"] as const),
]);

function leftSentence(left: readonly EditBlock[]): string {
  const each = left.map(({ path: file, target, status }) => `${file} (${target}): ${status}`);
  return `${pluralize(left.length, "edit")} had no effect: ${each.join("; ")}. The events say why.`;
}

async function openMcpServers(
  { mcp, root }: RunArguments,
  tell: (problem: McpProblem) => void,
): Promise<Result<McpServers, string> | null> {
  if (mcp === null) return null;
  const { openFileMcp } = await import("./mcpFile.ts");
  return openFileMcp(mcp, root, tell);
}

function createClient(
  { baseUrl }: RunArguments,
  { apiKey }: CommandIo,
  demo: DemoPorts,
): ModelClient {
  return baseUrl === "demo"
    ? createDemoClient(demo)
    : createOpenaiClient({ baseUrl, apiKey, limits: LIMITS });
}

/**
 * Allows reviewed changes, which `--accept` decides during review. `--accept` and
 * `--allow-commands` decide the rest. Denies actions that always need a prompt.
 */
function flagApproval({ accept, allowCommands }: RunArguments): Approval {
  return {
    async request({ effect, reviewed, eachTime }) {
      if (eachTime) return { allowed: false, by: "flags" };
      const allowed =
        reviewed || effect === "read" || (effect === "write" ? accept === "all" : allowCommands);
      return {
        allowed,
        by: "flags",
        ...(allowed ? {} : { rule: effect === "write" ? "--accept all" : "--allow-commands" }),
      };
    },
  };
}

function endSentence(last: TurnEvent | null, reason: string, maxSteps: number): string {
  if (last?.type === "turn-end" && last.error) return turnErrorMessage(last.error, english);
  if (reason === "step-limit")
    return `The turn stopped at its limit of ${pluralize(maxSteps, "step")}. Raise it with --max-steps.`;
  return reason === "length"
    ? "The model's answer reached its output limit."
    : `The turn ended early: ${reason}.`;
}
