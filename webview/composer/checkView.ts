import { visibleLine } from "../../src/base/text/visibleText.ts";
import type { PanelAction, PanelStatus } from "../../src/protocol/messages.ts";
import { button } from "../controls.ts";
import { h, icon } from "../dom.ts";
import type { IconName } from "../iconShapes.ts";
import { t } from "../l10n.ts";
import { setLinkedText } from "../markdown/linkedText.ts";
import type { PanelContext } from "../panelContext.ts";
import { checkText } from "./messages.ts";

type Check = NonNullable<PanelStatus["check"]>;
/** With more changes, running it without each of them takes too long. */
const MOST_NEEDED = 8;

type Action = Exclude<Extract<PanelAction, { type: "check" }>["action"], "choose">;

const ICONS: Readonly<Record<Check["state"], IconName>> = {
  none: "check",
  asks: "question",
  running: "spinner",
  searching: "spinner",
  passed: "check",
  failed: "cross",
  stopped: "stopped",
  problem: "warning",
};

/** What the workspace's check says of the proposals, and what to do about it. */
export class CheckView {
  readonly element = h("div", { class: "check", hidden: true });
  private readonly context: PanelContext;
  private readonly image = h("span", { class: "check-image" });
  private readonly text = h("span", { class: "check-text" });
  private readonly buttons = h("div", { class: "buttons" });
  private shown = "";
  private said = "";

  constructor(context: PanelContext) {
    this.context = context;
    this.element.append(h("span", { class: "check-line" }, this.image, this.text), this.buttons);
  }

  update(check: Check | undefined): void {
    this.element.hidden = check === undefined || check.command === null;
    if (!check || this.element.hidden) return;
    const text = checkText({ ...check, command: check.command && visibleLine(check.command) });
    this.element.dataset.state = check.stale ? "stale" : check.state;
    setLinkedText(this.text, text);
    this.text.title = check.problem ?? "";
    this.say(check, text);
    const actions = actionsOf(check);
    const key = `${check.state} ${actions.map(({ action }) => action).join(" ")}`;
    if (key === this.shown) return;
    this.shown = key;
    this.image.replaceChildren(icon(ICONS[check.state]));
    const focused = document.activeElement?.getAttribute("data-check");
    this.buttons.replaceChildren(
      ...actions.map(({ action, label, description }) => {
        const element = button({
          label,
          description,
          onClick: () => this.context.post({ type: "check", action }),
        });
        element.setAttribute("data-check", action);
        return element;
      }),
    );
    if (focused == null) return;
    // The button that had the focus is another one now.
    const next =
      this.buttons.querySelector<HTMLElement>(`[data-check="${focused}"]`) ??
      this.buttons.querySelector<HTMLElement>("[data-check]");
    next?.focus();
  }

  /** Results are announced; that it runs is not. */
  private say({ state, stale }: Check, text: string): void {
    const isResult = ["asks", "passed", "failed", "problem"].includes(state) && !stale;
    if (isResult && text !== this.said) this.context.announce(text);
    this.said = isResult ? text : "";
  }
}

function actionsOf(check: Check): readonly {
  readonly action: Action;
  readonly label: string;
  readonly description: string;
}[] {
  const facts = { command: visibleLine(check.command ?? "") };
  return offered(check).map((action) => ({ action, ...actionWords(action, check, facts) }));
}

/** What the user can do about a check. */
function offered(check: Check): readonly Action[] {
  const { command, state, stale, breaking, changes = 0, needed, lacked } = check;
  if (command === null) return [];
  if (state === "running") return ["stop", "output"];
  if (state === "searching") return ["stop"];
  if (state === "passed" && !stale)
    return needed === undefined && changes <= MOST_NEEDED ? ["output", "need"] : ["output"];
  if (state !== "failed") return ["run"];
  if (stale) return ["run", "output"];
  if (breaking) return breaking.path ? ["output", "fix", "show"] : ["output", "fix"];
  return lacked ? ["output", "network", "fix", "find"] : ["output", "fix", "find"];
}

function actionWords(
  action: Action,
  { state }: Check,
  facts: { readonly command: string },
): { readonly label: string; readonly description: string } {
  switch (action) {
    case "stop":
      return { label: t("Stop"), description: t("Stop {command}", facts) };
    case "output":
      return { label: t("Show"), description: t("Show the output of {command}", facts) };
    case "run": {
      const label = state === "none" || state === "asks" ? t("Check") : t("Check again");
      const description = t("{label}: run {command} on the proposals", { label, ...facts });
      return { label, description };
    }
    case "network":
      return {
        label: t("Run with network"),
        description: t(
          "Run with network: {command} runs without its sandbox, with your account, in this chat",
          facts,
        ),
      };
    case "need":
      return {
        label: t("What does it need?"),
        description: t(
          "What does it need? Run {command} without each of the changes in turn",
          facts,
        ),
      };
    case "show":
      return {
        label: t("Show change"),
        description: t("Show change: the one that breaks {command}", facts),
      };
    case "find":
      return {
        label: t("Which change?"),
        description: t(
          "Which change? Run {command} without some of the changes, at most 8 times",
          facts,
        ),
      };
    case "fix":
      return {
        label: t("Fix"),
        description: t("Fix: send the output of {command} to the model", facts),
      };
  }
}
