import { visibleLine } from "../../src/base/text/visibleText.ts";
import type { CandidateMessage } from "../../src/protocol/messages.ts";
import type { AgentTurn, TurnCandidate } from "../../src/turns/turn.ts";
import { button } from "../controls.ts";
import { h, icon, setText } from "../dom.ts";
import type { IconName } from "../iconShapes.ts";
import { t } from "../l10n.ts";
import { linkedText } from "../markdown/linkedText.ts";
import { usageFacts } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import { proposes } from "./choices.ts";
import { ChooseView } from "./chooseView.ts";
import { candidateState } from "./messages.ts";

/** The models that answer a request side by side, and once they have, the choice from them. */
export class CandidatesView {
  readonly element = h("div", { class: "candidates", hidden: true });
  private readonly turn: AgentTurn;
  private readonly context: PanelContext;
  private readonly list = h("ul", { attributes: { "aria-label": t("Models that answer") } });
  private readonly rows = new Map<string, CandidateRow>();
  private choose: ChooseView | null = null;

  constructor(turn: AgentTurn, context: PanelContext) {
    this.turn = turn;
    this.context = context;
    this.element.append(this.list);
  }

  /** Draws how far the models are. */
  update(): void {
    const { candidates, endReason } = this.turn;
    this.element.hidden = candidates.length === 0;
    for (const candidate of candidates) {
      let row = this.rows.get(candidate.chatId);
      if (!row) {
        row = new CandidateRow(candidate, this.context);
        this.rows.set(candidate.chatId, row);
        this.list.append(row.element);
      }
      row.update(candidate, this.turn);
    }
    if (this.choose || endReason === null || !candidates.some(proposes)) return;
    this.choose = new ChooseView(this.turn, this.context);
    this.element.append(this.choose.element);
  }

  /** What the host says of the answers. */
  receive(message: CandidateMessage): void {
    if (message.type === "compared") this.choose?.compared(message.files);
    if (message.type === "combined") this.choose?.combined(message.problems);
  }
}

/** One model: what became of its answer, what it took, and its chat. */
class CandidateRow {
  readonly element = h("li");
  private readonly context: PanelContext;
  private readonly image = h("span", { class: "candidate-icon" });
  private readonly words = h("span", { class: "state-word" });
  private readonly state: HTMLElement;
  private readonly facts = h("span", { class: "facts" });
  private readonly detail = h("p", { hidden: true });
  private shown: IconName | null = null;

  constructor({ chatId, model }: TurnCandidate, context: PanelContext) {
    this.context = context;
    const name = visibleLine(model);
    this.state = h("span", { class: "state" }, this.image, this.words);
    const open = button({
      label: t("Show answer"),
      description: t("Show answer of {model}", { model: name }),
      onClick: () => context.post({ type: "open-answer", of: chatId }),
    });
    this.element.append(
      h("strong", {}, name),
      h("span", { class: "candidate-facts" }, this.state, this.facts),
      open,
      this.detail,
    );
  }

  update(candidate: TurnCandidate, turn: AgentTurn): void {
    const chat = this.context.chatState(candidate.chatId);
    const { icon: name, tone, text, detail } = candidateState(candidate, turn, chat);
    this.element.dataset.tone = tone;
    setText(this.words, text);
    if (this.shown !== name) this.image.replaceChildren(icon(name));
    this.shown = name;
    const usage = candidate.end?.usage;
    setText(this.facts, usage ? usageFacts(usedBy(usage)).join(" · ") : "");
    if (this.detail.hidden === (detail === "")) return;
    this.detail.hidden = detail === "";
    this.detail.replaceChildren(...linkedText(detail));
  }
}

type CandidateUsage = NonNullable<NonNullable<TurnCandidate["end"]>["usage"]>;

function usedBy(usage: CandidateUsage): Parameters<typeof usageFacts>[0] {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cost = null, estimated } = usage;
  return {
    ...{ inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0, cachedInputTokens, cost },
    estimatesTokens: estimated === "tokens",
    estimatesCost: estimated !== undefined,
  };
}
