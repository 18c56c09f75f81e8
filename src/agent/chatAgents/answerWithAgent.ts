import * as z from "zod/mini";
import type { Result } from "../../base/result.ts";
import { toBase64 } from "../../base/text/base64.ts";
import { decisionReport } from "../../edits/messages.ts";
import type { AgentImage, AgentStop } from "../../ports/commands/chatAgent.ts";
import type { AgentFailure, AgentOutcome } from "../../tools/command/chatAgent.ts";
import { branch } from "../../turns/branch.ts";
import { conversation } from "../../turns/conversation.ts";
import { toldOf } from "../../turns/editBlock.ts";
import { editorText, spokenText } from "../../turns/promptText.ts";
import type { MessageEnd } from "../../turns/streamRegistry.ts";
import type { UserTurn } from "../../turns/turn.ts";
import type { TurnError } from "../../turns/turnError.ts";
import type { TurnEndReason } from "../../turns/turnEvent.ts";
import { untoldDecisions } from "../../turns/untoldDecisions.ts";
import { AGENT_BLOCKS, historyText } from "../messages.ts";
import { type AgentAnswer, AgentCalls } from "./agentCalls.ts";

/** The sessions by which agents find a chat's conversation again, by the chat's id. */
const SESSIONS = "graft.agentSessions";
const MOST_SESSIONS = 100;
const sessionsSchema = z.catch(
  z.record(z.string(), z.object({ agent: z.string(), id: z.string(), turnId: z.string() })),
  {},
);

const ENDS: Readonly<Record<Exclude<AgentStop, "refused">, TurnEndReason>> = {
  done: "done",
  length: "length",
  "step-limit": "step-limit",
  cancelled: "cancelled",
};

/** Emits all of the turn but its `turn-start`; the caller ends a turn that throws. */
export async function answerWithAgent(answer: AgentAnswer): Promise<TurnEndReason> {
  const { asked, agent, program, memory, chatId, emit, signal } = answer;
  const text = agentPrompt(answer);
  const known = sessionsSchema.parse(memory.get(SESSIONS))[chatId];
  const after = asked.parentTurnId;
  const calls = new AgentCalls(answer);
  emit({ type: "step-start", step: 0 });
  const images = await promptImages(answer);
  const isKnown = tellLeftOut(answer, images);
  const outcome = await agent.ask(
    {
      ...{ program, after, images, text, history: earlierText(answer) },
      introduction: AGENT_BLOCKS,
      resumeId: known?.agent === program.name && known.turnId === after ? known.id : null,
    },
    calls,
    calls,
    calls.context(),
  );
  await answer.blocks.end(messageEnd(outcome, signal));
  calls.end();
  if (!isKnown) tellLeftOut(answer, images);
  if (outcome.ok) await rememberSession(answer, outcome.value);
  const reason = outcome.ok ? endOf(outcome.value) : signal.aborted ? "cancelled" : "error";
  const error: TurnError | null =
    reason === "error" ? failureOf(program.name, outcome.ok ? REFUSED : outcome.error) : null;
  emit({ type: "turn-end", reason, error });
  return reason;

  function endOf({ stop }: AgentOutcome): TurnEndReason {
    return stop === "refused" ? "error" : ENDS[stop];
  }
}

/** The images that the user attached, as far as they still exist. */
async function promptImages({ asked, images, chatId }: AgentAnswer): Promise<AgentImage[]> {
  const found: AgentImage[] = [];
  for (const { image } of asked.attachments ?? []) {
    const bytes = image && (await images?.read(chatId, image.id));
    if (!image || !bytes) continue;
    const type = image.id.endsWith(".png") ? "png" : "jpeg";
    found.push({ type, data: toBase64(bytes) });
  }
  return found;
}

/** Says that an agent takes no images, where it is known; true where it is. */
function tellLeftOut({ tree, program, emit }: AgentAnswer, images: readonly AgentImage[]): boolean {
  const { offers } = tree;
  if (offers?.agent !== program.name) return false;
  const { name: agent } = program;
  if (images.length > 0 && !offers.images)
    emit({ type: "notice", level: "warning", code: "agent-without-images", agent });
  return true;
}

const REFUSED: AgentFailure = { code: "refused", detail: "" };

function failureOf(agent: string, failure: AgentFailure): TurnError {
  const code = failure.code === "not-allowed" ? "refused" : failure.code;
  const detail = failure.code === "no-shadow" ? failure.problem.detail : failure.detail;
  const why = failure.code === "no-shadow" ? failure.problem.code : null;
  return {
    ...{ code: "agent-failed", kind: "agent", retryable: code !== "not-found" },
    ...{ agent, problem: code, detail, ...(why && { why }) },
  };
}

async function rememberSession(
  { memory, chatId, turnId, program }: AgentAnswer,
  { resumeId }: AgentOutcome,
): Promise<void> {
  const others = Object.entries(sessionsSchema.parse(memory.get(SESSIONS))).filter(
    ([chat]) => chat !== chatId,
  );
  const own =
    resumeId === null ? [] : [[chatId, { agent: program.name, id: resumeId, turnId }] as const];
  await memory.update(SESSIONS, Object.fromEntries([...others.slice(1 - MOST_SESSIONS), ...own]));
}

/** What the user says, and what the agent does not know yet. */
function agentPrompt(answer: AgentAnswer): string {
  const { asked } = answer;
  const news = [lastReports(answer), tellDecisions(answer)];
  const spoken = spokenText(asked);
  // A command of the agent is only one at the beginning.
  const first = isCommand(asked) ? [spoken, ...news] : [...news, spoken];
  return [...first, editorText(asked) ?? ""].filter((part) => part !== "").join("\n\n");
}

/** A message that reached a limit has no later part. */
function messageEnd(
  outcome: Result<AgentOutcome, AgentFailure>,
  signal: AbortSignal,
): MessageEnd["reason"] {
  if (signal.aborted || (outcome.ok && outcome.value.stop === "cancelled")) return "cancelled";
  return outcome.ok && outcome.value.stop !== "length" ? "stop" : "error";
}

/** What became of the blocks of its last answer, as far as that was told while it ran. */
function lastReports({ tree, asked, program }: AgentAnswer): string {
  const last = asked.parentTurnId === null ? undefined : tree.turns.get(asked.parentTurnId);
  if (last?.role !== "agent" || last.model !== program.name) return "";
  return last.parts.flatMap((part) => (part.type === "edit-report" ? part.text : [])).join("\n\n");
}

/** What the user decided on proposals, which the agent does not know yet. */
function tellDecisions({ tree, turnId, emit }: AgentAnswer): string {
  const untold = untoldDecisions(branch(tree, turnId));
  if (untold.length === 0) return "";
  const text = decisionReport(untold.map(({ edit }) => edit));
  const told = untold.map(({ turnId: of, edit }) => ({ turnId: of, ...toldOf(edit) }));
  emit({ type: "decisions", text, told });
  return text;
}

function isCommand(asked: UserTurn): boolean {
  return spokenText(asked).startsWith("/");
}

function earlierText({ tree, asked }: AgentAnswer): string {
  const turns = asked.parentTurnId === null ? [] : branch(tree, asked.parentTurnId);
  const messages = conversation(turns, false);
  return messages.length === 0
    ? ""
    : historyText(
        messages.map(({ role, text }) => ({ role, text })),
        !isCommand(asked),
      );
}
