import { Deadline } from "../../base/deadline.ts";
import { newId } from "../../base/ids.ts";
import { learnedCapabilities } from "../../model/learnedCapabilities.ts";
import { failed } from "../../tools/messages.ts";
import type { InnerAgents, ToolContext, ToolResult } from "../../tools/tool.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { AgentTurn, UserTurn } from "../../turns/turn.ts";
import type { TurnEndReason, TurnEvent } from "../../turns/turnEvent.ts";
import type { InnerBudget, ModelConnection } from "../chatOptions.ts";
import { StreamHub } from "../loop/streamHub.ts";
import { type AgentFile, findAgentFiles } from "../request/agentFiles.ts";
import { innerPrompt } from "../request/prompts.ts";
import { agentLimit } from "./agentLimit.ts";
import type { AnsweringTurn } from "./answeringTurn.ts";

const BUDGET: InnerBudget = { steps: 25, tokens: 1_000_000, ms: 15 * 60_000 };

/** Runs a turn to its end. */
type RunTurn = (turn: AnsweringTurn) => Promise<TurnEndReason>;

/**
 * The agents of a turn. Each is a turn of its own, answered by `runTurn`, that stands in the call
 * which started it. It has the turn's tools, as far as its file allows, but for `run_agent`.
 */
export function innerAgents(outer: AnsweringTurn, runTurn: RunTurn): InnerAgents {
  const { innerBudget: budget = BUDGET } = outer.options;
  return {
    async run(name, task, context) {
      const found =
        name === null ? [] : await findAgentFiles(outer.options.workspace, context.signal);
      const known = found.flatMap(({ agent }) => agent ?? []);
      const file = known.find((each) => each.name === name || each.path === name) ?? null;
      if (name !== null && file === null) {
        const broken = found.flatMap(({ path, agent }) => (agent === null ? [path] : []));
        return failed("unknown-agent", { name, known: known.map((each) => each.name), broken });
      }
      return runInner({ outer, runTurn, budget, file, task, context });
    },
  };
}

/** One run of an agent. */
interface InnerRun {
  readonly outer: AnsweringTurn;
  readonly runTurn: RunTurn;
  readonly budget: InnerBudget;
  readonly file: AgentFile | null;
  readonly task: string;
  readonly context: ToolContext;
}

/** Says that another model answers than the agent's file asks for. */
export function tellOtherModel(
  emit: EmitTurnEvent,
  { name, model }: AgentFile,
  { model: answers }: ModelConnection,
): void {
  if (model === null || model === answers) return;
  emit({ type: "notice", level: "info", code: "agent-model", agent: name, wanted: model });
}

/** The connection for the model that the agent's file asks for, else that of the turn. */
async function connectionOf({ outer, file }: InnerRun): Promise<ModelConnection> {
  const connected = file?.model ? await outer.options.connect(file.model) : null;
  return connected?.ok && "client" in connected.value ? connected.value : outer.connection;
}

async function runInner(run: InnerRun): Promise<ToolResult> {
  const { outer, runTurn, budget, context } = run;
  const connection = await connectionOf(run);
  const limit = new Deadline(context.signal);
  limit.restart(budget.ms);
  const spent = new AbortController();
  const turn = innerTurn(run, connection, AbortSignal.any([limit.signal, spent.signal]));
  const { tree } = outer;
  const watching = turn.hub.subscribe(({ type }) => {
    const own = type === "usage" ? agentTurnOf(tree.turns.get(turn.turnId)) : null;
    if (own && own.inputTokens + own.outputTokens > budget.tokens) spent.abort();
  });
  try {
    const reason = await runTurn(turn);
    const done = agentTurnOf(tree.turns.get(turn.turnId));
    if (done) tellUsage(done, context);
    const report = done ? reportOf(done) : "";
    const over = spent.signal.aborted ? "tokens" : limit.expired ? "time" : null;
    if (over === null && context.signal.aborted)
      return failed("cancelled", { tool: "run_agent", begun: true });
    if (over !== null) return failed("agent-spent", { over, report });
    if (reason === "error") return failed("agent-error", { report });
    const note = reason === "step-limit" ? "\n\n[It ended at its limit of steps.]" : "";
    return { ok: true, output: `${report || "It said nothing."}${note}` };
  } finally {
    watching.dispose();
    limit.dispose();
  }
}

/** Records the beginning of an agent's turn. */
function innerTurn(
  { outer, file, task, context, budget }: InnerRun,
  connection: ModelConnection,
  signal: AbortSignal,
): AnsweringTurn {
  const { options, tree, formats } = outer;
  const [askedId, turnId] = [newId("turn"), newId("turn")];
  const within = { turnId: context.turnId, callId: context.callId };
  // Its own, so that the turn's edits do not get its text, nor its edits the turn's.
  const hub = new StreamHub(
    0,
    (event) => outer.hub.emit(event.turnId, unstamped(event)),
    options.logger,
  );
  const emit = hub.emitter(turnId);
  const start = { type: "turn-start", editFile: null, activeFile: null, within } as const;
  hub.emit(askedId, { ...start, role: "user", parentTurnId: null, text: task, model: null });
  emit({ ...start, role: "agent", parentTurnId: askedId, text: null, model: connection.model });
  if (file) tellOtherModel(emit, file, connection);
  const learned = learnedCapabilities(outer.learned, connection.client.baseUrl, connection.model);
  formats.begin(turnId, learned, options.editFormat?.() ?? null);
  const asked: UserTurn = {
    ...{ role: "user", id: askedId, parentTurnId: null, startedAt: Date.now() },
    ...{ text: task, editFile: null, activeFile: null, within },
  };
  const own = file && agentLimit(file);
  const alone = {
    mode: file?.name ?? "agent",
    allows: (tool: { name: string }) => tool.name !== "run_agent",
  };
  const router = outer.router.within(alone);
  return {
    ...outer,
    ...{ turnId, asked, hub, emit, connection, signal, agents: null, windows: new Map() },
    router: own ? router.within(own) : router,
    support: { ...outer.support, connection, learned, tree, emit },
    instructions: innerPrompt(file),
    maxSteps: Math.max(1, Math.min(budget.steps, options.maxSteps())),
  };
}

function unstamped({ seq, turnId, at, ...body }: TurnEvent) {
  return body;
}

function agentTurnOf(turn: ReturnType<AnsweringTurn["tree"]["turns"]["get"]>): AgentTurn | null {
  return turn?.role === "agent" ? turn : null;
}

/** What it said last. */
function reportOf(turn: AgentTurn): string {
  const last = turn.parts.findLast((part) => part.type === "text" && part.text.trim() !== "");
  return turn.parts
    .map((part) => (part.type === "text" && part.step === last?.step ? part.text : ""))
    .join("")
    .trim();
}

/** Its tokens and cost count as the turn's. */
function tellUsage(turn: AgentTurn, { emit }: ToolContext): void {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, cost } = turn;
  const estimated = turn.estimatesTokens ? ("tokens" as const) : null;
  const usage = { inputTokens, outputTokens, cachedInputTokens, reasoningTokens };
  emit({
    type: "usage",
    usage: { ...usage, ...(cost !== null && { cost }), ...(estimated && { estimated }) },
  });
}
