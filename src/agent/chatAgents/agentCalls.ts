import { newId } from "../../base/ids.ts";
import type { Localize } from "../../base/localize.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import { unifiedDiff } from "../../edits/text/lineDiff.ts";
import type { Approval, ApprovalRequest } from "../../ports/approval.ts";
import type {
  AgentCall,
  AgentCallKind,
  AgentProgram,
  AgentUpdate,
  AgentYes,
  SignInWay,
} from "../../ports/commands/chatAgent.ts";
import type { ShadowProblem } from "../../ports/commands/shadow.ts";
import type { ImageStore } from "../../ports/imageStore.ts";
import type { Memory } from "../../ports/memory.ts";
import { changeCounts, didOf } from "../../tools/command/changeCounts.ts";
import type { AgentChanges, AgentHearer, ChatAgent } from "../../tools/command/chatAgent.ts";
import type { ProposingContext } from "../../tools/command/chatProposals.ts";
import { MAX_NAMED } from "../../tools/notes.ts";
import type { ProposedPath, ShadowResult } from "../../tools/tool.ts";
import type { EditBlock } from "../../turns/editBlock.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import { AGENT_TOOL_NAMES } from "../../turns/toolNames.ts";
import type { TurnTree, UserTurn } from "../../turns/turn.ts";
import { storeAnswerImage } from "../loop/storeAnswerImage.ts";
import { changesLost } from "../messages.ts";
import type { AgentBlocks } from "./agentBlocks.ts";

/** In an overlay these calls only propose. */
const PROPOSES: ReadonlySet<AgentCallKind> = new Set(["edit", "delete", "move"]);
const LOOKS: ReadonlySet<AgentCallKind> = new Set(["read", "search", "think"]);

/** A turn that another maker's agent answers. */
export interface AgentAnswer {
  readonly chatId: string;
  readonly turnId: string;
  readonly tree: TurnTree;
  readonly asked: UserTurn;
  readonly program: AgentProgram;
  readonly agent: ChatAgent;
  /** Takes the edit blocks of its text. */
  readonly blocks: AgentBlocks;
  readonly approval: Approval;
  readonly memory: Memory;
  /** The chat's images; null where there are none. */
  readonly images: ImageStore | null;
  readonly emit: EmitTurnEvent;
  /** Words what the user is asked. */
  readonly t: Localize;
  readonly signal: AbortSignal;
}

/** A call of which no more is known. */
const NO_FACTS = { command: null, paths: [], input: {}, diffs: [] };

type AgentPlan = Extract<AgentUpdate, { type: "plan" }>["entries"];

const MARKS = { completed: "x", in_progress: "~", pending: " " } as const;

/**
 * What an agent of another maker does in a turn, as events: its words, its plan, and its calls with
 * the permissions that they need.
 */
export class AgentCalls implements AgentHearer, AgentChanges {
  private readonly answer: AgentAnswer;
  private readonly began = new Map<string, number>();
  private readonly open = new Map<string, AgentCall>();
  private readonly results = new Map<string, { readonly ok: boolean; readonly output: string }>();
  private readonly told = new Map<string, AgentCall>();
  private readonly files = new Map<string, Map<string, ProposedPath["did"]>>();
  /** Has what is changed outside of calls. */
  private readonly ownId = newId("agent");
  private readonly planId = newId("plan");
  private planned: AgentPlan | null = null;
  private step = 0;
  private refused = 0;
  private hasCalled = false;
  private isRepositoryTold = false;

  constructor(answer: AgentAnswer) {
    this.answer = answer;
  }

  /** What is changed outside of a call gets a row of its own. */
  context(): ProposingContext {
    const { turnId, emit, signal } = this.answer;
    const { ownId: callId } = this;
    return {
      ...{ turnId, callId, signal },
      emit: (event) => {
        const isOwn = event.type === "edit-update" && event.edit.callId === callId;
        if (isOwn && !this.began.has(callId)) {
          this.begin({ callId, kind: "edit", title: "", ...NO_FACTS });
          this.results.set(callId, { ok: true, output: "" });
        }
        if (event.type === "edit-update") this.countFile(event.edit);
        emit(event);
      },
    };
  }

  async update(update: AgentUpdate): Promise<void> {
    const { emit, blocks } = this.answer;
    switch (update.type) {
      case "text":
        this.nextStep();
        await blocks.text(this.step, update.text);
        return;
      case "thought":
        this.nextStep();
        emit({ type: "reasoning-delta", text: update.text });
        return;
      case "image":
        this.nextStep();
        await this.image(update.data);
        return;
      case "call":
        // What it wrote before is a message of its own.
        if (!this.began.has(update.call.callId)) await blocks.end("tool-calls");
        this.begin(update.call);
        return;
      case "call-end":
        this.results.set(update.callId, update);
        await this.read(update.callId, update.ok ? update.output : "");
        return;
      case "plan":
        this.plan(update.entries);
        return;
      case "context": {
        const others = { reserve: 0, system: 0, tools: 0, attachments: 0 };
        emit({
          type: "context-use",
          use: { ...others, window: update.size, history: update.used },
        });
      }
    }
  }

  /** What a call read, the agent has seen. */
  private async read(callId: string, output: string): Promise<void> {
    const call = this.told.get(callId);
    if (call?.kind !== "read" || output === "") return;
    for (const path of call.paths) await this.answer.blocks.saw(path, output);
  }

  /** An image that cannot be read is left out. */
  private async image(data: string): Promise<void> {
    const { images, chatId, emit } = this.answer;
    const attachment = images && (await storeAnswerImage(images, chatId, data));
    if (attachment) emit({ type: "answer-image", attachment });
  }

  /** A row that lasts as long as the turn. */
  private plan(entries: AgentPlan): void {
    const { planId: callId } = this;
    const done = entries.filter(({ state }) => state === "completed").length;
    const now = entries.find(({ state }) => state === "in_progress")?.text ?? "";
    const input = { done, all: entries.length, now };
    const { emit } = this.answer;
    const name = AGENT_TOOL_NAMES.plan;
    emit({ type: "tool-call", callId, name, argsText: JSON.stringify(input), input });
    if (this.planned === null) emit({ type: "tool-start", callId });
    this.planned = entries;
  }

  /**
   * The last call that names a file has changed it, else the last one that is over and may change any.
   * An agent goes on while Graft looks: what neither names may be a later call's.
   */
  callOf(path: string, ended: readonly string[] | null): string | null {
    const calls = [...this.told.values()];
    const named = calls.findLast(({ paths }) => paths.includes(path));
    if (named) return named.callId;
    if (ended === null) return calls.findLast(isAny)?.callId ?? this.ownId;
    return calls.findLast((call) => isAny(call) && ended.includes(call.callId))?.callId ?? null;
  }

  /** Calls are over once what they changed is proposed. */
  filesChanged(result: ShadowResult | null): void {
    const backend = result?.backend ?? null;
    const over = [...this.open.values()].filter(({ callId }) => this.results.has(callId));
    for (const call of over) {
      const ended = this.results.get(call.callId);
      if (ended) this.finish(call, ended.ok ? "success" : "error", ended.output, backend);
    }
    // After the results: what they tell, the agent counts as knowing.
    const lastId = over.at(-1)?.callId ?? this.ownId;
    this.tellRefused(result?.refused ?? [], lastId);
    const unread = result?.problem?.path;
    if (unread)
      this.tellRefused([{ path: "", error: { code: "not-regular", path: unread } }], lastId);
    this.tellLost(result?.unproposed ?? 0, result?.repository === true, result?.unshown ?? []);
  }

  /** The agent takes this for done, and the user believes it. */
  private tellLost(files: number, changesRepository: boolean, unshown: readonly string[]): void {
    const { emit, program } = this.answer;
    const repository = changesRepository && !this.isRepositoryTold;
    if (files === 0 && !repository && unshown.length === 0) return;
    this.isRepositoryTold ||= repository;
    const unproposed = unshown.slice(0, MAX_NAMED);
    const lost = { agent: program.name, files, repository, unproposed };
    emit({ type: "notice", level: "warning", code: "agent-changes-lost", ...lost });
    emit({ type: "edit-report", text: changesLost(files, repository, unproposed), callIds: [] });
  }

  /** The agent takes for written what could not be proposed: it hears of it as of a decision. */
  private tellRefused(refused: ShadowResult["refused"], callId: string): void {
    const { emit } = this.context();
    for (const { path: place, error } of refused) {
      const { path } = error;
      // A file that is none of the workspace's has no place in the review.
      if (path === place) continue;
      const block = { index: ++this.refused, target: "complete file", op: "complete" as const };
      const none = { addedLines: 0, removedLines: 0, step: this.step, textStart: 0, textEnd: 0 };
      const outcome = { status: "rejected" as const, warnings: [] };
      const reason = { code: "write-failed" as const, error };
      emit({
        type: "edit-update",
        edit: { blockId: newId(callId), callId, path, ...block, ...none, ...outcome, reason },
      });
    }
  }

  async permit(
    call: AgentCall,
    lasts: AgentYes,
    onProposals: NonNullable<ApprovalRequest["onProposals"]> | null,
  ): Promise<boolean> {
    const { kind, title, command, callId } = call;
    // In a copy of the workspace an absolute path leads to the user's own file.
    const onlyProposes = PROPOSES.has(kind) && onProposals?.backend === "overlay";
    if (lasts === "always") return this.permitAlways(call);
    if (LOOKS.has(kind) || onlyProposes) return true;
    return this.ask({
      ...{ callId, tool: AGENT_TOOL_NAMES[kind], effect: "execute" },
      summary: title === "" ? this.answer.program.name : title,
      ...(command === null
        ? { ...shownArguments(call), eachTime: true }
        : { command: { text: command, folder: "." }, ...(onProposals && { onProposals }) }),
    });
  }

  /** The agent would not ask again, so no rule and no earlier yes counts. */
  private permitAlways(call: AgentCall): Promise<boolean> {
    const { t, program } = this.answer;
    const { kind, title, callId, command } = call;
    const args = command === null ? shownArguments(call) : { arguments: command };
    return this.ask({
      ...{ callId, tool: AGENT_TOOL_NAMES[kind], effect: "execute", eachTime: true, ...args },
      summary: t("Let {agent} always do this, without asking again: {what}", {
        agent: program.name,
        what: title || kind,
      }),
    });
  }

  permitWriting(notOnProposals: ShadowProblem): Promise<boolean> {
    const { t, program } = this.answer;
    const { name: agent, command, args } = program;
    return this.askInRow({
      summary: t("Start {agent}, which writes to your files before you can review", { agent }),
      arguments: [command, ...args].join(" "),
      notOnProposals,
    });
  }

  async chooseSignIn(ways: readonly SignInWay[]): Promise<string | null> {
    const { t, program, signal } = this.answer;
    const { name: agent } = program;
    for (const { id, name: way, description } of ways) {
      if (signal.aborted) break;
      const summary = t("Sign in to {agent}: {way}", { agent, way });
      const more = description === "" ? {} : { arguments: description };
      if (await this.askInRow({ summary, ...more })) return id;
    }
    return null;
  }

  /** Asks what is about the agent itself, in a row of its own. */
  private async askInRow(
    question: Pick<ApprovalRequest, "summary" | "arguments" | "notOnProposals">,
  ): Promise<boolean> {
    const callId = newId("agent");
    this.begin({ callId, kind: "other", title: this.answer.program.name, ...NO_FACTS });
    const asked = { callId, tool: AGENT_TOOL_NAMES.other, effect: "execute" } as const;
    const isAllowed = await this.ask({ ...asked, eachTime: true, ...question });
    this.results.set(callId, { ok: isAllowed, output: "" });
    this.filesChanged(null);
    return isAllowed;
  }

  worksWithoutShadow(way: "tools" | "writes-first"): void {
    const { emit, program } = this.answer;
    const level = way === "tools" ? "info" : "warning";
    emit({ type: "notice", level, code: "agent-without-shadow", agent: program.name, way });
  }

  private async ask(request: Omit<ApprovalRequest, "turnId" | "reviewed">): Promise<boolean> {
    const { approval, emit, turnId, signal } = this.answer;
    const { callId } = request;
    const wanted = { turnId, reviewed: false, ...request };
    emit({ type: "approval-request", ...request });
    const decided = await untilAborted(approval.request(wanted, signal), signal);
    const decision = decided.ok ? decided.value : { allowed: false, by: "cancel" as const };
    const { allowed, by, rule, scope } = decision;
    emit({
      ...{ type: "approval-decision", callId, allowed, by },
      ...(rule !== undefined && { rule }),
      ...(scope && { scope }),
    });
    return allowed;
  }

  /** What is still open is over with the turn. */
  end(): void {
    const { planned, planId: callId } = this;
    if (planned) {
      const output = planned.map(({ text, state }) => `[${MARKS[state]}] ${text}`).join("\n");
      const result = { status: "success" as const, output, error: null, durationMs: 0 };
      this.answer.emit({ type: "tool-result", callId, ...result });
    }
    for (const call of this.open.values()) {
      const ended = this.results.get(call.callId);
      if (ended) this.finish(call, ended.ok ? "success" : "error", ended.output, null);
      else this.finish(call, "cancelled", "", null);
    }
  }

  private begin(call: AgentCall): void {
    const { emit } = this.answer;
    const { callId, kind, title, command } = call;
    const isNew = !this.began.has(callId);
    const input = { name: title, ...(command !== null && { command }) };
    if (isNew) {
      this.began.set(callId, Date.now());
      this.hasCalled = true;
    } else if (JSON.stringify(this.open.get(callId)) === JSON.stringify(call)) return;
    this.open.set(callId, call);
    this.told.set(callId, call);
    const argsText = JSON.stringify(input);
    emit({ type: "tool-call", callId, name: AGENT_TOOL_NAMES[kind], argsText, input });
    if (isNew) emit({ type: "tool-start", callId });
  }

  private finish(
    { callId, command }: AgentCall,
    status: "success" | "error" | "cancelled",
    output: string,
    backend: ShadowResult["backend"] | null,
  ): void {
    this.open.delete(callId);
    const durationMs = Date.now() - (this.began.get(callId) ?? Date.now());
    const counts = changeCounts([...(this.files.get(callId)?.values() ?? [])]);
    this.answer.emit({
      ...{ type: "tool-result", callId, status, output, durationMs },
      ...(backend && command !== null && { onProposals: { ...counts, backend } }),
      error:
        status === "success"
          ? null
          : {
              category: status === "error" ? "execution" : "cancelled",
              message: firstLine(output),
            },
    });
  }

  private countFile({ callId, path, op }: EditBlock): void {
    const files = this.files.get(callId) ?? new Map<string, ProposedPath["did"]>();
    this.files.set(callId, files);
    // The mode of a new file comes after its text.
    if (!files.has(path)) files.set(path, didOf(op));
  }

  private nextStep(): void {
    if (!this.hasCalled) return;
    this.hasCalled = false;
    this.answer.emit({ type: "step-start", step: ++this.step });
  }
}

/** What a call would change where the agent says it, else its arguments. */
function shownArguments({ input, diffs }: AgentCall): { readonly arguments?: string } {
  const changes = diffs.map(({ path, before, after }) => {
    const diff = unifiedDiff(before ?? "", after);
    return diff === null ? null : `${path}\n${diff}`;
  });
  if (changes.length > 0 && !changes.includes(null)) return { arguments: changes.join("\n\n") };
  const text = JSON.stringify(input, null, 2) ?? "{}";
  return text === "{}" ? {} : { arguments: text };
}

/** A call that may change files which it does not name. */
function isAny({ kind }: AgentCall): boolean {
  return !LOOKS.has(kind) && !PROPOSES.has(kind);
}

/** Some agents put what a command wrote between fences. */
function firstLine(text: string): string {
  return text.split("\n").find((line) => line.trim() !== "" && !/^`{3}/.test(line)) ?? "";
}
