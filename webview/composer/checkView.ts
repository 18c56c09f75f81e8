import { visibleLine } from "../../src/base/text/visibleText.ts";
import type { PanelMessage, PanelStatus } from "../../src/protocol/messages.ts";
import { button } from "../controls.ts";
import { h, icon, setText } from "../dom.ts";
import type { IconName } from "../iconShapes.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";
import { checkText } from "./messages.ts";

type Check = NonNullable<PanelStatus["check"]>;
/** With more changes, running it without each of them takes too long. */
const MOST_NEEDED = 8;

type Action = Extract<PanelMessage, { type: "check" }>["action"];

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

  /** `isOpen` where the list of files is shown: only then it offers to choose a check. */
  update(check: Check | undefined, isOpen: boolean): void {
    const isChosen = check !== undefined && check.command !== null;
    this.element.hidden = check === undefined || (!isChosen && !isOpen);
    if (!check || this.element.hidden) return;
    const text = checkText({ ...check, command: check.command && visibleLine(check.command) });
    this.element.dataset.state = check.stale ? "stale" : check.state;
    setText(this.text, text);
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
  const { command, state, stale, breaking, changes = 0, needed } = check;
  const choose = {
    action: "choose" as const,
    label: t("Choose a check…"),
    description: t("Choose a check…: a command that runs on the proposals after each answer"),
  };
  if (command === null) return [choose];
  const isRunning = state === "running" || state === "searching";
  const facts = { command: visibleLine(command) };
  const output = {
    action: "output" as const,
    label: t("Show"),
    description: t("Show the output of {command}", facts),
  };
  if (isRunning)
    return [
      { action: "stop", label: t("Stop"), description: t("Stop {command}", facts) },
      ...(state === "running" ? [output] : []),
    ];
  const again = state === "none" || state === "asks" ? t("Check") : t("Check again");
  const run = {
    action: "run" as const,
    label: again,
    description: t("{label}: run {command} on the proposals", { label: again, ...facts }),
  };
  if (state === "passed" && !stale) {
    const need = {
      action: "need" as const,
      label: t("What does it need?"),
      description: t("What does it need? Run {command} without each of the changes in turn", facts),
    };
    return [output, ...(needed === undefined && changes <= MOST_NEEDED ? [need] : [])];
  }
  if (state !== "failed") return [run];
  if (stale) return [run, output];
  const found = breaking?.path
    ? {
        action: "show" as const,
        label: t("Show change"),
        description: t("Show change: the one that breaks {command}", facts),
      }
    : null;
  const find = {
    action: "find" as const,
    label: t("Which change?"),
    description: t(
      "Which change? Run {command} without some of the changes, at most 8 times",
      facts,
    ),
  };
  const fix = {
    action: "fix" as const,
    label: t("Fix"),
    description: t("Fix: send the output of {command} to the model", facts),
  };
  return [output, fix, ...(found ? [found] : breaking ? [] : [find])];
}
