import { err, ok, type Result } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import { decisionReport } from "../../edits/messages.ts";
import { linesNow } from "../../edits/propose/linesNow.ts";
import { withoutImages } from "../../model/imageParts.ts";
import type { Message, ToolSpec } from "../../model/message.ts";
import { abortedError } from "../../model/modelFailure.ts";
import { withCost } from "../../model/usageCost.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { branch } from "../../turns/branch.ts";
import {
  attachedTexts,
  beforeStep,
  conversation,
  fromStep,
  sentRules,
  stepSummaryOf,
  summaryOf,
} from "../../turns/conversation.ts";
import { type EditStatus, toldOf } from "../../turns/editBlock.ts";
import { innerTurns } from "../../turns/plan/innerTurns.ts";
import { todosOf } from "../../turns/plan/todosOf.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { AgentTurn, Turn, TurnTree } from "../../turns/turn.ts";
import type { TurnError } from "../../turns/turnError.ts";
import { untoldDecisions } from "../../turns/untoldDecisions.ts";
import type { ModelConnection } from "../chatOptions.ts";
import type { ContextWindow, FittedRequest, KeepRest } from "../request/contextWindow.ts";
import { offeredTools, TOOL_OFFERS, type ToolOffer } from "../request/offeredTools.ts";
import { createRulesReader, touchedPaths } from "../request/rules.ts";
import { summarizeTurns } from "../request/summarizeTurns.ts";
import type { RequestSource } from "./askModel.ts";
import { outdatedOf } from "./outdatedCommands.ts";
import type { ToolForm } from "./partSupport.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";

/** How often a turn shrinks a request that the server refuses as too large: to a tenth in all. */
const MAX_REFUSALS = 4;
/**
 * Messages with calls whose results stay whole as long as something else can be clipped or
 * summarized.
 */
const KEPT = 2;
/** The most of a request that instructions and tools may take. */
const MOST_TOOLS = 0.45;
/** The share of a request that the steps take which a summary of a turn's earlier ones leaves. */
const KEPT_STEPS = 0.2;

/** What the requests of one agent turn are made of. */
interface TurnRequestParts {
  readonly turnId: string;
  /** Holds the turn, with everything that was emitted for it. */
  readonly tree: TurnTree;
  readonly emit: EmitTurnEvent;
  readonly connection: ModelConnection;
  readonly window: ContextWindow;
  readonly workspace: Workspace;
  /** The same with what is proposed, as reads show it. */
  readonly seen: Workspace;
  readonly tools: readonly ToolSpec[];
  /** How the first request offers them. */
  readonly toolForm: ToolForm;
  readonly readOn: KeepRest;
  readonly retry: RetryPolicy;
  /** Called when the model no longer sees what its tools showed it. */
  forgetViews(): void;
  /**
   * The beginning of every request. Stays the same as long as possible, for the providers' caches.
   */
  systemPrompt(form: ToolForm, tools: readonly ToolSpec[]): string;
  readonly signal: AbortSignal;
}

/**
 * Builds the requests of one agent turn: with the rules for the files it touches, and small enough
 * for the model.
 */
export class TurnRequests implements RequestSource {
  private readonly parts: TurnRequestParts;
  private readonly readRules: ReturnType<typeof createRulesReader>;
  private refusals = 0;
  /** What the last request carried. */
  private carries: { readonly tools: ToolForm | null; readonly images: boolean };
  private lastForm: ToolForm;
  /** How much of the tools the requests offer; a turn never offers more again. */
  private offer: ToolOffer = "all";

  constructor(parts: TurnRequestParts) {
    this.parts = parts;
    this.readRules = createRulesReader(parts.workspace);
    this.carries = { tools: parts.toolForm, images: true };
    this.lastForm = parts.toolForm;
  }

  async offered(form: ToolForm | null): Promise<readonly ToolSpec[]> {
    const { connection, window, tools, emit, signal } = this.parts;
    window.asServed((await connection.client.window?.(signal)) ?? null);
    if (form === null) return [];
    const fits = (offer: ToolOffer) => {
      const specs = offeredTools(tools, offer);
      const text = this.parts.systemPrompt(form, specs);
      const beside = window.tokensOf({ role: "system", text });
      const taken = beside + (form === "native" ? window.tokensOfTools(specs) : 0);
      return offer === "none" || taken <= window.limit * MOST_TOOLS;
    };
    const smaller = TOOL_OFFERS.slice(TOOL_OFFERS.indexOf(this.offer));
    this.offer = smaller.find(fits) ?? "none";
    const { offer } = this;
    if (offer !== "all" && !this.hasTold(offer)) {
      const facts = { offer, window: window.tokens };
      emit({ type: "notice", level: "info", code: "small-window", ...facts });
    }
    return offeredTools(tools, offer);
  }

  private hasTold(offer: ToolOffer): boolean {
    const { tree, connection } = this.parts;
    return [...tree.turns.values()].some(
      (turn) =>
        turn.role === "agent" &&
        turn.model === connection.model &&
        turn.parts.some(
          (part) => part.type === "notice" && part.code === "small-window" && part.offer === offer,
        ),
    );
  }

  /**
   * Clips old results first, then summarizes the earlier turns, then this turn's earlier steps,
   * then clips the newest results too.
   */
  async messages(
    tools: ToolForm | null,
    closing: string | null,
    withImages: boolean,
  ): Promise<Result<readonly Message[], TurnError>> {
    const { window, readOn } = this.parts;
    await this.tellRules();
    await this.tellDecisions();
    this.carries = { tools, images: withImages };
    this.lastForm = tools ?? this.lastForm;
    const fitKeeping = (kept: number) =>
      window.fit(this.build(closing), this.nativeTools(), kept, readOn);
    let fitted = fitKeeping(KEPT);
    for (const compactMore of [() => this.compact(), () => this.compactSteps()]) {
      if (fitted.fits) break;
      const compacted = await compactMore();
      if (!compacted.ok) return compacted;
      fitted = fitKeeping(1);
    }
    if (!fitted.fits) fitted = fitKeeping(0);
    this.sayUse(fitted.messages);
    return fitted.fits ? ok(fitted.messages) : err(tooLarge(fitted));
  }

  tellUse(): void {
    this.sayUse(this.build(null));
  }

  measured(inputTokens: number): void {
    const { window, emit } = this.parts;
    const cut = window.measured(inputTokens);
    if (cut) {
      const facts = { sent: cut.sent, counted: inputTokens };
      emit({ type: "notice", level: "warning", code: "request-cut", ...facts });
    }
  }

  outgrown(limit: number | null): boolean {
    if (this.refusals === MAX_REFUSALS) {
      this.parts.window.refusedAll();
      return false;
    }
    this.parts.window.refused(this.refusals > 0, limit);
    this.refusals += 1;
    return true;
  }

  mayFillWindow(counted: number | null): boolean {
    return this.parts.window.mayBeFull(counted);
  }

  private get branch(): readonly Turn[] {
    return branch(this.parts.tree, this.parts.turnId);
  }

  private nativeTools(): readonly ToolSpec[] {
    return this.carries.tools === "native" ? offeredTools(this.parts.tools, this.offer) : [];
  }

  private build(closing: string | null): readonly Message[] {
    const told = conversation(this.branch, this.carries.tools === "native", closing);
    // The last request of a turn has no tools, but the same beginning.
    const system = {
      role: "system" as const,
      text: this.parts.systemPrompt(
        this.carries.tools ?? this.lastForm,
        offeredTools(this.parts.tools, this.offer),
      ),
    };
    return [system, ...(this.carries.images ? told : told.map(withoutImages))];
  }

  private sayUse(messages: readonly Message[]): void {
    const { emit, window } = this.parts;
    emit({
      type: "context-use",
      use: window.use(messages, this.nativeTools(), attachedTexts(this.branch)),
    });
  }

  private async tellRules(): Promise<void> {
    const { emit, signal } = this.parts;
    const turns = this.branch;
    const rules = await untilAborted(this.readRules(touchedPaths(turns.slice(-2)), signal), signal);
    const told = sentRules(turns);
    const runsAgents = this.parts.tools.some(({ name }) => name === "run_agent");
    for (const { path, text } of rules.ok ? rules.value : [])
      if (told.get(path) !== text && (runsAgents || !path.endsWith("/agents/")))
        emit({ type: "rules", path, text });
  }

  /**
   * Tells the model, once, what the user decided on its proposals, and again what is in one of the
   * states `again`.
   */
  private async tellDecisions(again: (status: EditStatus) => boolean = () => false): Promise<void> {
    const { emit, seen, signal, tree } = this.parts;
    const told = this.branch.flatMap((turn) => [turn, ...innerTurns(tree, turn)]);
    const untold = untoldDecisions(told, again);
    if (untold.length === 0) return;
    const now = untold.map(({ turnId: of, edit }) => ({ turnId: of, ...toldOf(edit) }));
    const edits = untold.map(({ edit }) => edit);
    const lines = await linesNow(edits, seen, signal);
    const isTold = (path: string) => edits.some((edit) => edit.path === path);
    const outdated = told.flatMap((turn) =>
      turn.role === "agent" ? outdatedOf(turn).filter(({ paths }) => paths.some(isTold)) : [],
    );
    emit({ type: "decisions", text: decisionReport(edits, lines, outdated), told: now });
  }

  /**
   * Summarizes the turns before this one; false where there are none or it was done in this turn.
   */
  async compact(): Promise<Result<boolean, TurnError>> {
    const { emit } = this.parts;
    const turns = this.branch;
    const earlier = turns.slice(0, -2);
    if (earlier.length === 0 || summaryOf(turns.at(-1)) !== null) return ok(false);
    const compacted = await this.summarize(earlier);
    if (compacted.ok) emit({ type: "notice", level: "info", code: "compacted" });
    return compacted;
  }

  /** Summarizes the earlier steps of this turn, unless there are none. */
  private async compactSteps(): Promise<Result<boolean, TurnError>> {
    const { window } = this.parts;
    const [asked, turn] = this.branch.slice(-2);
    if (asked?.role !== "user" || asked.editFile !== null || turn?.role !== "agent")
      return ok(false);
    const before = firstKeptStep(turn, window);
    return before === null ? ok(false) : this.summarize([asked, beforeStep(turn, before)], before);
  }

  /**
   * Replaces turns, or the steps of this one before `before`, by a summary. What they said of rules
   * and pending proposals is said again.
   */
  private async summarize(
    turns: readonly Turn[],
    before?: number,
  ): Promise<Result<boolean, TurnError>> {
    const { emit, connection, window, signal } = this.parts;
    const request = () => {
      emit({ type: "compaction-start" });
      return summarizeTurns(turns, connection, window, signal);
    };
    const summary = await withRetries(this.parts.retry, emit, signal, request, (result) =>
      result.ok ? null : result.error,
    );
    if (!summary.ok) {
      const { error: cause } = summary;
      return err(
        signal.aborted
          ? abortedError()
          : {
              code: "compaction-failed",
              kind: "context-length",
              retryable: cause.retryable,
              cause,
            },
      );
    }
    if (summary.value.usage)
      emit({ type: "usage", usage: withCost(summary.value.usage, connection.info?.price ?? null) });
    emit({
      type: "compaction",
      summary: summary.value.text,
      ...(before !== undefined && { before }),
    });
    this.parts.forgetViews();
    await this.tellRules();
    await this.tellDecisions((status) => status === "pending" || status === "conflict");
    this.tellTodos();
    return ok(true);
  }

  /** Tells the list that a summary took out of the model's sight, as it was written. */
  private tellTodos(): void {
    const items = [...todosOf(this.branch)];
    if (items.length > 0) this.parts.emit({ type: "todos", items, again: true });
  }
}

function tooLarge({ tokens, limit, largest }: FittedRequest): TurnError {
  return {
    code: "request-too-large",
    kind: "context-length",
    retryable: false,
    tokens,
    limit,
    largest,
  };
}

/**
 * The first of a turn's newest steps that fit into their share of a request, at least one; null
 * where no earlier one is left to summarize.
 */
function firstKeptStep(turn: AgentTurn, window: ContextWindow): number | null {
  const shown = turn.parts.flatMap(({ type, step }) =>
    type === "text" || type === "tool-call" ? [step] : [],
  );
  const done = stepSummaryOf(turn)?.before ?? 0;
  const steps = [...new Set(shown)].filter((step) => step >= done).sort((a, b) => b - a);
  const fitting = steps.findIndex(
    (step) =>
      window.tokensOf(...conversation([fromStep(turn, step)], true)) > window.limit * KEPT_STEPS,
  );
  const first = steps[fitting === -1 ? steps.length - 1 : Math.max(0, fitting - 1)];
  return first === undefined || first === steps.at(-1) ? null : first;
}
