import type { EditBlock } from "../../src/turns/editBlock.ts";
import { noticeMessage, unheardMessage } from "../../src/turns/messages.ts";
import { planText } from "../../src/turns/plan/planText.ts";
import type { AgentTurn, TurnPart } from "../../src/turns/turn.ts";
import { CandidatesView } from "../candidates/candidatesView.ts";
import { CommandChanges } from "../cards/commandChanges.ts";
import { shownStatus, wasApplied } from "../cards/editState.ts";
import { ExploredRow } from "../cards/exploredRow.ts";
import { FileCards } from "../cards/fileCards.ts";
import { ToolRow } from "../cards/toolRow.ts";
import { onlyLooks } from "../cards/toolSentence.ts";
import { sentChips } from "../context/chip.ts";
import { button, quietButton } from "../controls.ts";
import { h } from "../dom.ts";
import { t } from "../l10n.ts";
import { restoredText, turnFacts, usageDetails } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import { allOf, type TurnChanges } from "../turnChanges.ts";
import { asideView } from "./asideView.ts";
import { InnerView } from "./innerView.ts";
import { foldedView, noteView, ReportsView, startEditModeButton } from "./noteView.ts";
import { outcomeView, retry } from "./outcomeView.ts";
import { planView } from "./planView.ts";
import { ReasoningView } from "./reasoningView.ts";
import { RetryView } from "./retryView.ts";
import { StepText } from "./stepText.ts";
import { turnOutcome } from "./turnOutcome.ts";
import { userMessageView } from "./userTurnView.ts";

/** One agent turn: its parts in order, and how it ended. */
export class AgentTurnView {
  readonly element = h("div", { class: "agent-parts" });
  private readonly turn: AgentTurn;
  private readonly context: PanelContext;
  private readonly parts: (HTMLElement | ReasoningView | RetryView)[] = [];
  private readonly calls = new Map<string, ToolRow>();
  /** The agents that calls started, by their turns. */
  private readonly inner = new Map<string, InnerView>();
  /** The folded rows of calls that only look, by call. */
  private readonly explored = new Map<string, ExploredRow>();
  /** What commands changed, by call. */
  private readonly commands = new Map<string, CommandChanges>();
  /** The models that answer, where several do. */
  readonly candidates: CandidatesView;
  private readonly cards: FileCards;
  private readonly steps = new Map<number, StepText>();
  /** The cards of code that the user applied. */
  private readonly appliedCode = h("div", { class: "text-part" });
  private reports: ReportsView | null = null;
  private readonly foot = h("div", { class: "turn-foot" });
  private readonly restore: HTMLElement;
  private readonly outcome = h("div");
  private shownOutcome = "";
  private ended = false;

  constructor(turn: AgentTurn, context: PanelContext) {
    this.turn = turn;
    this.context = context;
    this.element.dataset.turn = turn.id;
    this.cards = new FileCards(turn.id, context);
    this.restore = quietButton({
      label: t("Undo this turn's changes"),
      icon: "restore",
      onClick: () => context.post({ type: "restore-files", turnId: turn.id, path: null }),
    });
    this.restore.hidden = true;
    this.candidates = new CandidatesView(turn, context);
    this.element.append(this.candidates.element, this.appliedCode, this.foot);
    this.update(allOf(turn));
  }

  /** Draws the changes and nothing else. */
  update(changes: TurnChanges): void {
    const edits = [...changes.edits].flatMap((blockId) => this.turn.edits.get(blockId) ?? []);
    for (const edit of edits) {
      this.cards.update(edit);
      if (hasText(edit)) this.step(edit.step).setEdit(edit);
    }
    let next = 0;
    while (next < changes.appended.length || this.parts.length < this.turn.parts.length) {
      const piece = changes.appended[next];
      if (!piece || piece.part >= this.parts.length) {
        if (this.parts.length >= this.turn.parts.length) break;
        this.addPart();
        continue;
      }
      this.appendText(piece.part, piece.text);
      next++;
    }
    for (const callId of changes.calls) {
      const call = this.turn.toolCalls.get(callId);
      if (call) this.calls.get(callId)?.update(call);
      this.explored.get(callId)?.update();
      this.showInner(callId);
    }
    this.updateRetry(Date.now());
    for (const edit of edits)
      if (!hasText(edit)) this.cards.place(edit.blockId, this.placeOf(edit));
    for (const [number, step] of this.steps) {
      if (number < this.turn.step || this.turn.endReason !== null) step.interrupt();
      step.draw();
    }
    this.candidates.update();
    if (this.turn.endReason !== null) this.end();
    this.cards.settle();
    if (this.turn.endReason !== null) this.updateEnd();
  }

  /** Shows what the agent does that this call started, unless it is shown. */
  showInner(callId: string): void {
    const id = this.turn.toolCalls.get(callId)?.agentTurnId ?? null;
    const row = this.calls.get(callId);
    const turn = id === null || this.inner.has(id) ? null : this.context.agentTurn(id);
    if (!turn || !row) return;
    const view = new InnerView(turn, new AgentTurnView(turn, this.context));
    this.inner.set(turn.id, view);
    row.element.append(view.element);
  }

  /** Draws changes of the turn of an agent; false where it is not shown yet. */
  updateInner(turnId: string, changes: TurnChanges): boolean {
    const view = this.inner.get(turnId);
    view?.update(changes);
    return view !== undefined;
  }

  /** Where the card of a change stands that no text of the answer shows. */
  private placeOf(edit: EditBlock): HTMLElement {
    const call = this.calls.get(edit.callId);
    if (call?.latest.name !== "run_command") return call?.element ?? this.appliedCode;
    let changes = this.commands.get(edit.callId);
    if (!changes) {
      changes = new CommandChanges(this.turn.id, call.latest, this.context);
      this.commands.set(edit.callId, changes);
      call.element.append(changes.element);
    }
    changes.update(edit);
    return changes.cards;
  }

  /** Updates the running times of its tools; `now` is in milliseconds since 1970. */
  updateTimes(now: number): void {
    for (const row of this.calls.values()) row.updateTime(now);
    for (const view of this.inner.values()) view.updateTimes(now);
    this.candidates.update();
    this.updateRetry(now);
  }

  private updateRetry(now: number): void {
    const last = this.parts.findLast((view) => view instanceof RetryView);
    last?.update(this.turn.retryAt, now);
  }

  private addPart(): void {
    const index = this.parts.length;
    const part = this.turn.parts[index];
    if (!part) return;
    const before = this.parts[index - 1];
    if (before instanceof ReasoningView) before.finish();
    const previous = this.turn.parts[index - 1];
    if (previous?.type === "text") this.step(previous.step).interrupt();
    const view = this.viewOf(part, before);
    this.parts.push(view);
    const element = elementOf(view);
    if (!element.parentElement) this.appliedCode.before(element);
    if (part.type === "tool-call") this.fold(part.callId, index);
  }

  /** Folds a call that only looks with those right before it. Thinking between them goes along. */
  private fold(callId: string, index: number): void {
    const row = this.calls.get(callId);
    if (!row || !onlyLooks(row.latest.name)) return;
    const isBetween = (part: TurnPart | undefined) =>
      part?.type === "reasoning" || (part?.type === "text" && part.text.trim() === "");
    let at = index - 1;
    while (isBetween(this.turn.parts[at])) at--;
    const part = this.turn.parts[at];
    const first = part?.type === "tool-call" ? this.calls.get(part.callId) : undefined;
    if (!first || part?.type !== "tool-call" || !onlyLooks(first.latest.name)) return;
    let group = this.explored.get(part.callId);
    if (!group) {
      group = new ExploredRow();
      first.element.before(group.element);
      group.add(first);
      this.explored.set(part.callId, group);
    }
    group.add(row, ...this.parts.slice(at + 1, index).map(elementOf));
    this.explored.set(callId, group);
  }

  private viewOf(
    part: TurnPart,
    before: HTMLElement | ReasoningView | RetryView | undefined,
  ): HTMLElement | ReasoningView | RetryView {
    switch (part.type) {
      case "text":
        return h("div", { class: "text-part" });
      case "reasoning":
        return new ReasoningView();
      case "notice":
        if (part.code === "retry") {
          if (!(before instanceof RetryView)) return new RetryView(part, this.context);
          before.show(part);
          return before;
        }
        return noteView(
          part.level,
          noticeMessage(part, t),
          part.code === "tools-refused" ? startEditModeButton(this.context) : null,
        );
      case "user-message":
        return userMessageView(part, this.context);
      case "files-restored":
        return noteView("info", restoredText(part));
      case "rules":
        return foldedView(
          part.path.endsWith("/")
            ? t("Listed to the model: {path}", { path: part.path })
            : t("Rules: {path}", { path: part.path }),
          part.text,
        );
      case "compaction":
        return foldedView(
          part.before === undefined ? t("Conversation compacted") : t("Earlier steps summarized"),
          part.summary,
        );
      case "answer-image":
        return sentChips([part.attachment], this.context, t("Images")) ?? h("div");
      case "edit-report":
        // Below the answer: beside each change it would interrupt the reading.
        this.reports ??= new ReportsView();
        this.reports.add(part.text);
        this.foot.before(this.reports.element);
        return this.reports.element;
      case "decisions":
        return foldedView(t("Review result sent"), part.text);
      case "aside":
        return asideView(part.question, part.text, this.context);
      case "todos":
        // They stand above the composer, and their call in its row.
        return h("div", { hidden: true });
      case "unheard":
        return noteView("info", unheardMessage(part, t));
      case "tool-call":
        return this.toolRow(part.callId);
    }
  }

  private toolRow(callId: string): HTMLElement {
    const call = this.turn.toolCalls.get(callId);
    if (!call) return h("div");
    const row = new ToolRow(this.turn.id, call, this.context);
    this.calls.set(callId, row);
    this.showInner(callId);
    return row.element;
  }

  private appendText(index: number, text: string): void {
    const view = this.parts[index];
    const part = this.turn.parts[index];
    if (view instanceof ReasoningView) view.append(text);
    else if (view instanceof HTMLElement && part?.type === "text")
      this.step(part.step).append(text, view);
  }

  private step(number: number): StepText {
    const known = this.steps.get(number);
    if (known) return known;
    const step = new StepText(this.context, this.cards);
    this.steps.set(number, step);
    return step;
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    const last = this.parts.at(-1);
    if (last instanceof ReasoningView) last.finish();
    const rest = h("div", { class: "text-part" });
    for (const step of this.steps.values()) step.finish(rest);
    // Any insertion here makes the browser style the whole answer anew.
    if (rest.hasChildNodes()) this.appliedCode.before(rest);
    this.cards.end();
    const plan = planText(this.turn) === null ? [] : [planView(this.turn.id, this.context)];
    this.foot.append(this.outcome, ...plan, this.restore, this.summaryLine());
  }

  /** What follows from decisions, which can be made after the turn. */
  private updateEnd(): void {
    this.restore.hidden = ![...this.turn.edits.values()].some((edit) =>
      wasApplied(shownStatus(edit)),
    );
    const ended = turnOutcome(this.turn);
    // What the user can do is said of the turn that started it, or by the models' own chats.
    const isPart = this.turn.within !== undefined || this.turn.candidates.length > 0;
    const outcome = ended && isPart ? { ...ended, actions: [] } : ended;
    const shown = JSON.stringify(outcome);
    if (shown === this.shownOutcome) return;
    this.shownOutcome = shown;
    this.outcome.hidden = outcome === null;
    this.outcome.replaceChildren(
      ...(outcome ? [outcomeView(outcome, this.turn.id, this.context)] : []),
    );
  }

  private summaryLine(): HTMLElement {
    const text = this.answerText();
    const copy = button({
      label: t("Copy answer"),
      icon: "copy",
      appearance: "icon",
      onClick: () => this.copy(text),
    });
    const line = h("span", { class: "facts" }, turnFacts(this.turn));
    line.addEventListener("pointerenter", () =>
      line.setAttribute("title", usageDetails(this.turn, this.context.answers())),
    );
    const buttons = h(
      "span",
      {},
      this.offersRetry() || this.turn.within || this.turn.candidates.length > 0
        ? null
        : this.againButton(),
      text === "" ? null : copy,
    );
    return h("div", { class: "turn-summary" }, line, buttons);
  }

  private offersRetry(): boolean {
    return turnOutcome(this.turn)?.actions.includes("retry") ?? false;
  }

  private againButton(): HTMLElement {
    return button({
      label: t("Retry"),
      icon: "retry",
      appearance: "icon",
      onClick: () => retry(this.turn.id, this.context),
    });
  }

  private answerText(): string {
    return this.turn.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  }

  private copy(text: string): void {
    this.context.post({ type: "copy", text });
    this.context.announce(t("Answer copied"));
  }
}

function elementOf(view: HTMLElement | ReasoningView | RetryView): HTMLElement {
  return view instanceof HTMLElement ? view : view.element;
}

/** False for a change that a tool proposes: it stands in the arguments, not in the answer. */
function hasText({ textStart, textEnd }: EditBlock): boolean {
  return textEnd === null || textEnd > textStart;
}
