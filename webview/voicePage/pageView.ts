import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { type PageState, pageStateMessage } from "./messages.ts";
import { LINE_RATE } from "./workletMessages.ts";

/** The user's actions in the page. */
export interface PageActions {
  retry(): void;
  /** Starts or stops talking. */
  talk(): void;
  hear(): void;
  stop(): void;
}

/** The meter is empty at -50 dB and full at -10 dB, in steps, because each costs the browser a frame. */
const [QUIET, LOUD] = [-50, -10];
const STEPS = 10;
/** Samples per meter update (200 ms). */
const DRAWN = LINE_RATE / 5;

/** The page: a state, a level meter, and the available buttons. */
export class PageView {
  private readonly status = h("p", { class: "status", attributes: { role: "status" } });
  private readonly level = h("div", {
    class: "level",
    attributes: { role: "meter", "aria-label": t("Microphone level") },
  });
  private readonly bar = h("div", { class: "level-bar" });
  private readonly retry: HTMLButtonElement;
  private readonly hear: HTMLButtonElement;
  private readonly talk: HTMLButtonElement;
  private readonly stop: HTMLButtonElement;
  private readonly note = h(
    "p",
    { class: "note" },
    t("Keep this page open while you talk. Graft stores no sound."),
  );
  private percent = -1;
  private energy = 0;
  private samples = 0;

  constructor(root: HTMLElement, actions: PageActions) {
    const button = (label: string, onClick: () => void) =>
      h("button", { attributes: { type: "button" }, hidden: true, onClick }, label);
    this.retry = button(t("Try again"), actions.retry);
    this.hear = button(t("Click to hear Graft"), actions.hear);
    this.talk = button("", actions.talk);
    this.stop = button(t("Stop voice"), actions.stop);
    for (const [name, value] of [
      ["aria-valuemin", "0"],
      ["aria-valuemax", "100"],
    ] as const)
      this.level.setAttribute(name, value);
    this.level.append(this.bar);
    const image = h("div", { class: "microphone" }, icon("microphone"));
    root.append(
      h("h1", {}, t("Talk with Graft")),
      image,
      this.status,
      this.level,
      h("div", { class: "buttons" }, this.hear, this.retry, this.talk, this.stop),
      this.note,
    );
  }

  show(state: PageState, muted: boolean): void {
    const open = state.code === "listening" || state.code === "paused";
    const focused = document.activeElement;
    document.documentElement.dataset.state = state.code;
    document.title = open ? t("● Graft: microphone open") : t("Graft: voice");
    setText(this.status, pageStateMessage(state, t));
    this.retry.hidden = state.code !== "refused";
    this.hear.hidden = !(open && muted);
    this.talk.hidden = !open || document.body.dataset.mode === "handsFree";
    setText(this.talk, state.code === "listening" ? t("Send what you said") : t("Talk"));
    this.talk.setAttribute("aria-pressed", String(state.code === "listening"));
    this.stop.hidden = !open && !this.isOpening(state);
    this.level.hidden = state.code !== "listening";
    this.note.hidden = this.stop.hidden && state.code !== "connecting";
    this.showPercent(0);
    // By keyboard alone, what is to be done next has the focus.
    if (focused === document.body || (focused instanceof HTMLButtonElement && focused.hidden))
      [this.hear, this.retry, this.talk].find(({ hidden }) => !hidden)?.focus();
  }

  /** Shows the loudness of the recorded sound. */
  showSound(pcm: Int16Array): void {
    if (document.hidden) return;
    for (const sample of pcm) this.energy += (sample / 32_768) ** 2;
    this.samples += pcm.length;
    if (this.samples < DRAWN) return;
    const decibels = 10 * Math.log10(Math.max(this.energy / this.samples, 1e-12));
    const share = Math.max(0, Math.min(1, (decibels - QUIET) / (LOUD - QUIET)));
    this.showPercent((Math.round(share * STEPS) * 100) / STEPS);
    this.energy = 0;
    this.samples = 0;
  }

  private showPercent(percent: number): void {
    if (percent === this.percent) return;
    this.percent = percent;
    this.level.setAttribute("aria-valuenow", String(percent));
    this.bar.style.transform = `scaleX(${percent / 100})`;
  }

  private isOpening({ code }: PageState): boolean {
    return code === "asking" || code === "refused";
  }
}
