import type { Chat } from "../agent/chat/chat.ts";
import { newId } from "../base/ids.ts";
import { err, ok, type Result } from "../base/result.ts";
import { visibleLine } from "../base/text/visibleText.ts";
import { editFacts } from "../edits/block.ts";
import { type Decider, decidePending, type PendingChange } from "../edits/review/decidePending.ts";
import { createPendingReviewer } from "../edits/review/pendingReviewer.ts";
import {
  type AcpFacts,
  type AskedCall,
  type ChatClient,
  type ServedChat,
  serveAcp,
} from "../node/agents/acpServer.ts";
import { earlierSessions, sessionLog } from "../node/agents/earlierSessions.ts";
import { kindOf } from "../node/agents/turnUpdates.ts";
import { createFileApplier } from "../node/files/fileApplier.ts";
import { createNodeWorkspaceFiles } from "../node/files/nodeWorkspaceFiles.ts";
import { findRipgrep } from "../node/files/ripgrepSearch.ts";
import { oneWriter } from "../node/guests/oneWriter.ts";
import type { Approval, ApprovalRequest } from "../ports/approval.ts";
import { fileErrorMessage } from "../ports/messages.ts";
import { warningsText } from "../turns/blockMessages.ts";
import type { EditBlock } from "../turns/editBlock.ts";
import { turnErrorMessage } from "../turns/messages.ts";
import { outerEvents } from "../turns/plan/outerEvents.ts";
import { discardingLog } from "../turns/turnStore.ts";
import { type CommandIo, fail } from "./commandIo.ts";
import type { CliCommand, ModelArguments } from "./commandLine.ts";
import { commandLineWords } from "./messages.ts";
import { openChat } from "./openChat.ts";
import { openRoot } from "./openRoot.ts";

/** `graft acp`: is an agent for one client until that is gone. Returns the exit status. */
export async function acpCommand(
  command: Extract<CliCommand, { name: "acp" }>,
  io: CommandIo,
): Promise<number> {
  const { version, stdin, stdout, interrupted } = io;
  const facts = {
    ...{ version, t: commandLineWords },
    open: (...given: Parameters<AcpFacts["open"]>) => openServedChat(command, io, ...given),
    list: (cwd: string | null) => earlierSessions(cwd).catch(() => []),
  };
  const end = await serveAcp(stdin, stdout, facts, interrupted);
  if (end === "message-too-large") return fail(io, "A message on stdin has more than 32 MB.", 1);
  return interrupted.aborted ? 130 : 0;
}

/** A chat that asks its client for each file that it changed, after each turn. */
async function openServedChat(
  command: ModelArguments,
  io: CommandIo,
  sessionId: string,
  cwd: string,
  client: ChatClient,
  servers: Readonly<Record<string, unknown>>,
): Promise<Result<ServedChat, string>> {
  const workspace = await openRoot(cwd);
  if (!workspace.ok) return workspace;
  const reviewer = createPendingReviewer();
  const approval = clientApproval(command, client);
  const deciding = { reviewer, approval };
  // Without a folder of the user's, a chat lasts as long as its client.
  const log = await sessionLog(cwd, sessionId).catch(() => discardingLog);
  const opened = await openChat(command, cwd, workspace.value, io, deciding, servers, log);
  if (!opened.ok) return opened;
  const { chat, dispose, ended } = opened.value;
  const files = await createNodeWorkspaceFiles(cwd, await findRipgrep(null, [cwd]));
  const write = oneWriter(createFileApplier(workspace.value));
  let failure: string | null = null;
  const edits = new Map<string, EditBlock>();
  chat.onEvent(outerEvents((event) => client.hear(event)));
  chat.onEvent((event) => {
    if (event.type === "edit-update") edits.set(event.edit.blockId, event.edit);
    if (event.type === "turn-end")
      failure = event.error && turnErrorMessage(event.error, commandLineWords);
  });
  return ok({
    earlier: [...chat.events()],
    async prompt(text, signal) {
      const stop = () => chat.stop();
      signal.addEventListener("abort", stop);
      try {
        failure = null;
        const reason = await chat.send(text);
        await ended();
        const changed = { workspace: workspace.value, files, write };
        const decider = { ...changed, ...clientDecider(client, chat, edits, signal) };
        await decidePending(reviewer, decider, signal);
        await chat.flush();
        return failure === null ? ok(reason) : err(failure);
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    dispose,
  });
}

/** The client decides on each change, and is shown what became of it. */
function clientDecider(
  client: ChatClient,
  chat: Pick<Chat, "decided">,
  edits: ReadonlyMap<string, EditBlock>,
  signal: AbortSignal,
): Pick<Decider, "ask" | "settled" | "decided"> {
  const calls = new Map<PendingChange, AskedCall>();
  return {
    ask(change) {
      const blocks = change.blocks.flatMap(({ blockId }) => edits.get(blockId) ?? []);
      const call = changeCall(change, blocks);
      calls.set(change, call);
      return client.permit(call, signal);
    },
    settled(change, isAllowed, error) {
      const call = calls.get(change);
      const why = error && fileErrorMessage(error);
      if (call)
        client.show(
          why ? { ...call, text: why } : call,
          isAllowed && !error ? "completed" : "failed",
        );
    },
    decided: (origin, file, blocks) => chat.decided(origin, file, blocks, null),
  };
}

function changeCall(change: PendingChange, blocks: readonly EditBlock[]): AskedCall {
  const { file, to, executable, before, after } = change;
  const callId = newId("change");
  const caution = file.protected ? fileErrorMessage({ code: "protected", path: file.path }) : "";
  const warnings = blocks.map((block) => warningsText(block.warnings, commandLineWords));
  const text = [caution, warnings.filter(Boolean).join(" ")].filter(Boolean).join("\n");
  const edits = blocks.map(editFacts);
  const name = visibleLine(file.path);
  if (to) {
    const title = `Rename ${name} to ${visibleLine(to.path)}`;
    return { callId, kind: "move", title, text, diffs: [], edits };
  }
  if (executable !== undefined) {
    const title = `Make ${name} ${executable ? "executable" : "no longer executable"}`;
    return { callId, kind: "edit", title, text, diffs: [], edits };
  }
  const what = after === null ? "Delete" : before === null ? "Create" : "Edit";
  const kind = after === null ? "delete" : "edit";
  const diffs = [{ path: file.path, before, after }];
  return { callId, kind, title: `${what} ${name}`, text, diffs, edits };
}

/** Allows what is only proposed, and by its flag commands; the client is asked for all else. */
function clientApproval({ allowCommands }: ModelArguments, client: ChatClient): Approval {
  return {
    async request(request, signal) {
      const { effect, reviewed, eachTime } = request;
      if (reviewed) return { allowed: true, by: "flags" };
      if (allowCommands && effect === "execute" && !eachTime)
        return { allowed: true, by: "flags", rule: "--allow-commands" };
      const isAllowed = await client.permit(approvalCall(request), signal);
      return { allowed: isAllowed === true, by: isAllowed === null ? "cancel" : "user" };
    },
  };
}

function approvalCall(request: ApprovalRequest): AskedCall {
  const { callId, tool, summary, command, arguments: given, programs } = request;
  const parts = [
    command && `In ${command.folder}: ${command.text}`,
    given,
    programs && `Programs of the repository: ${programs.join(", ")}`,
    request.onProposals &&
      !request.onProposals.isSandboxed &&
      "It runs whatever the proposed changes make of it, with your account.",
  ];
  const text = parts.filter(Boolean).join("\n");
  return { callId, kind: kindOf(tool), title: visibleLine(summary), text, diffs: [], edits: [] };
}
