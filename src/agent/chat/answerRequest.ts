import { english } from "../../base/localize.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import { learnedCapabilities } from "../../model/learnedCapabilities.ts";
import { abortedError } from "../../model/modelFailure.ts";
import type { AgentProgram } from "../../ports/commands/chatAgent.ts";
import { guestName } from "../../ports/guest.ts";
import { readOnlyLimit } from "../../tools/toolRouter.ts";
import { COMPACT_REQUEST } from "../../turns/conversation.ts";
import {
  CHAT_MODES,
  type ChatMode,
  DEFAULT_MODE,
  isReadOnlyMode,
} from "../../turns/plan/chatMode.ts";
import type { UserTurn } from "../../turns/turn.ts";
import type { TurnError } from "../../turns/turnError.ts";
import type { TurnEndReason } from "../../turns/turnEvent.ts";
import { AgentBlocks } from "../chatAgents/agentBlocks.ts";
import { answerWithAgent } from "../chatAgents/answerWithAgent.ts";
import type { AgentConnection, ChatOptions, ModelConnection } from "../chatOptions.ts";
import { internalError } from "../loop/agentLoop.ts";
import { type AgentFile, findAgentFiles } from "../request/agentFiles.ts";
import { modePrompt } from "../request/prompts.ts";
import { agentLimit } from "./agentLimit.ts";
import type { AnswerParts } from "./answeringTurn.ts";
import { innerAgents, tellOtherModel } from "./innerAgents.ts";
import { compactNow, runModelTurn } from "./modelTurn.ts";

/** Runs the agent turn `turnId` in answer to `asked`. Never throws. */
export async function answerRequest(
  parts: AnswerParts,
  asked: UserTurn,
  turnId: string,
  signal: AbortSignal,
): Promise<TurnEndReason> {
  const { options, hub, tree, tools } = parts;
  const mode = asked.editFile === null ? parts.mode : DEFAULT_MODE;
  const emit = hub.emitter(turnId);
  const chosen = await agentOfMode(options, mode, signal);
  const connected = chosen.ok
    ? await tryConnect(options, signal, chosen.value?.model ?? null)
    : chosen;
  const model = connected.ok ? answererOf(connected.value) : "";
  emit({
    type: "turn-start",
    role: "agent",
    parentTurnId: asked.id,
    model,
    text: null,
    editFile: null,
    activeFile: null,
    ...(mode !== DEFAULT_MODE && { mode }),
  });
  if (!connected.ok) {
    const { error } = connected;
    const reason = error.kind === "aborted" ? "cancelled" : "error";
    emit({ type: "turn-end", reason, error: reason === "error" ? error : null });
    return reason;
  }
  const connection = connected.value;
  if ("agent" in connection)
    return askAgent({ ...parts, mode }, asked, turnId, connection.agent, signal);
  const learned = learnedCapabilities(parts.learned, connection.client.baseUrl, connection.model);
  parts.formats.begin(turnId, learned, options.editFormat?.() ?? null);
  const unavailable = (detail: string | null) =>
    emit({ type: "notice", level: "info", code: "tools-unavailable", detail });
  const otherTools =
    asked.editFile === null && !isReadOnlyMode(mode)
      ? ((await options.turnTools?.(signal, unavailable)) ?? [])
      : [];
  const support = { connection, learned, tree, hasOtherTools: otherTools.length > 0, emit };
  const file = chosen.ok ? chosen.value : null;
  if (file) tellOtherModel(emit, file, connection);
  const limit = isReadOnlyMode(mode) ? readOnlyLimit(mode) : file && agentLimit(file);
  const every = tools.router.withTools(otherTools);
  const router = limit ? every.within(limit) : every;
  const maxSteps = Math.max(1, options.maxSteps());
  const told = { instructions: modePrompt(mode, file), maxSteps, agents: null };
  const own = { ...parts, mode, turnId, asked, connection, emit, router, support, signal, ...told };
  const turn = { ...own, agents: innerAgents(own, runModelTurn) };
  return asked.text === COMPACT_REQUEST ? compactNow(turn) : runModelTurn(turn);
}

/** The agent whose file the user chose as the mode; null in Graft's own modes. */
async function agentOfMode(
  { workspace }: ChatOptions,
  mode: ChatMode,
  signal: AbortSignal,
): Promise<Result<AgentFile | null, TurnError>> {
  if (CHAT_MODES.some((own) => own === mode)) return ok(null);
  const found = (await findAgentFiles(workspace, signal)).find(({ path }) => path === mode);
  if (found?.agent) return ok(found.agent);
  const problem = found ? "broken" : "not-found";
  return err({ code: "agent-file", kind: "agent", retryable: false, path: mode, problem });
}

function answererOf(connection: ModelConnection | AgentConnection): string {
  return "agent" in connection ? connection.agent.name : connection.model;
}

async function askAgent(
  { options, hub, tree, tools, agent, learned, mode }: AnswerParts,
  asked: UserTurn,
  turnId: string,
  program: AgentProgram,
  signal: AbortSignal,
): Promise<TurnEndReason> {
  const emit = hub.emitter(turnId);
  if (agent === null || mode !== DEFAULT_MODE) {
    const error = { code: "agent-failed", kind: "agent", retryable: false } as const;
    const why = agent === null ? "no-processes" : "own-modes";
    const problem = { agent: program.name, problem: why, detail: "" } as const;
    emit({ type: "turn-end", reason: "error", error: { ...error, ...problem } });
    return "error";
  }
  const { chatId, approval, images = null, t = english } = options;
  const name = guestName(program.name);
  const edits = { ...tools.edits, agent: name, shown: tools.shownTo(name) };
  const blocks = new AgentBlocks(edits, { turnId, hub, emit, signal });
  const parts = {
    ...{ chatId, approval, images, t, turnId, tree, asked },
    ...{ program, agent, blocks, memory: learned },
  };
  hub.turnStart(turnId);
  try {
    return await answerWithAgent({ ...parts, emit, signal });
  } catch (reason) {
    emit({ type: "turn-end", reason: "error", error: internalError(reason) });
    return "error";
  } finally {
    hub.turnEnd();
  }
}

async function tryConnect(
  options: ChatOptions,
  signal: AbortSignal,
  model: string | null,
): Promise<Result<ModelConnection | AgentConnection, TurnError>> {
  try {
    const connected = await untilAborted(options.connect(model ?? undefined), signal);
    return connected.ok ? connected.value : err(abortedError());
  } catch (reason) {
    return err(internalError(reason));
  }
}
