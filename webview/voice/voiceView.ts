import type { PanelAction, PanelVoice, VoiceMessage } from "../../src/protocol/messages.ts";
import { button } from "../controls.ts";
import { h, icon, setText } from "../dom.ts";
import type { IconName } from "../iconShapes.ts";
import { t } from "../l10n.ts";
import { setLinkedText } from "../markdown/linkedText.ts";
import type { PanelContext } from "../panelContext.ts";
import { voiceButtonLabel, voiceStateMessage } from "./messages.ts";

type VoiceAction = Extract<PanelAction, { readonly type: "voice" }>["action"];

/**
 * A press of at least this many milliseconds is a hold and ends on release. A shorter press is a
 * click, and the next click ends it.
 */
const HOLD_MS = 350;

const ICONS: Readonly<Record<PanelVoice["state"], IconName>> = {
  off: "microphone",
  opening: "clock",
  ready: "microphone",
  listening: "microphone",
  hearing: "microphone",
  recognizing: "edit",
  working: "spinner",
  waiting: "question",
  speaking: "speaker",
};

const OFF: PanelVoice = {
  state: "off",
  handsFree: false,
  words: "",
  muted: false,
  demo: false,
  problem: null,
  unavailable: null,
};

/**
 * Voice chat in the panel: a button in the composer, and a status row above it while the microphone
 * is open.
 */
export class VoiceView {
  readonly element = h("div", {
    class: "voice",
    hidden: true,
    attributes: { role: "group", "aria-label": t("Voice") },
  });
  readonly button = h(
    "button",
    { class: "voice-button", attributes: { type: "button" } },
    icon("microphone"),
  );
  private readonly context: PanelContext;
  private readonly state = h("span", { class: "voice-state" });
  private readonly words = h("span", { class: "voice-words" });
  private readonly bar = h("div", { class: "voice-bar" });
  private readonly level: HTMLElement;
  private readonly problem = h("p", { class: "voice-problem" });
  private readonly hush: HTMLElement;
  private readonly off: HTMLElement;
  private readonly retry: HTMLElement;
  private readonly key: HTMLElement;
  private readonly settings: HTMLElement;
  private voice = OFF;
  /** The time when the button went down, while the press may be a click or a hold. */
  private pressedAt: number | null = null;

  constructor(context: PanelContext) {
    this.context = context;
    const attributes = {
      role: "meter",
      "aria-label": t("Microphone level"),
      "aria-valuemin": "0",
      "aria-valuemax": "100",
    };
    this.level = h("div", { class: "voice-level", attributes }, this.bar);
    const description = t("Hush: silence the spoken answer");
    this.hush = button({
      label: t("Hush"),
      icon: "muted",
      description,
      onClick: () => this.act("hush"),
    });
    this.off = button({
      label: t("Turn off"),
      icon: "cross",
      appearance: "icon",
      onClick: () => this.act("close"),
    });
    this.retry = button({ label: t("Try again"), icon: "retry", onClick: () => this.act("retry") });
    this.key = button({ label: t("Set API key"), onClick: () => this.act("key") });
    this.settings = button({ label: t("Voice settings"), onClick: () => this.act("settings") });
    const head = h("div", { class: "voice-head" }, this.state, this.level, this.hush, this.off);
    this.element.append(
      head,
      this.words,
      h("div", { class: "voice-trouble" }, this.problem, this.retry, this.key, this.settings),
    );
    this.listen();
    this.draw();
  }

  receive(message: VoiceMessage): void {
    if (message.type === "voice-level") {
      this.showLevel(message.level);
      return;
    }
    const { problem } = this.voice;
    this.voice = message.voice;
    const told = this.voice.problem?.text ?? null;
    if (told !== null && told !== problem?.text) this.context.announce(told);
    this.draw();
  }

  private draw(): void {
    const { state, words, problem, unavailable, demo } = this.voice;
    const open = state !== "off";
    const listens = state === "listening" || state === "hearing";
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = !open && problem === null;
    this.element.dataset.voice = state;
    const text = voiceStateMessage(this.voice, t);
    if (this.state.textContent !== text)
      this.state.replaceChildren(icon(ICONS[state]), h("span", {}, text));
    // The page waits for the user to try again: what is wrong says more than the state.
    this.state.hidden = !open || (state === "opening" && problem !== null);
    this.level.hidden = !listens;
    this.hush.hidden = state !== "speaking";
    this.off.hidden = !open;
    setText(
      this.words,
      words === "" && demo && open ? t("Demo mode: made-up words and speech.") : words,
    );
    this.words.hidden = this.words.textContent === "";
    setLinkedText(this.problem, problem?.text ?? "");
    this.problem.hidden = problem === null;
    this.retry.hidden = !problem?.retry;
    this.key.hidden = !problem?.key;
    this.settings.hidden = problem === null;
    const label = voiceButtonLabel(this.voice, t);
    this.button.title = label;
    this.button.setAttribute("aria-label", label);
    this.button.setAttribute("aria-disabled", String(unavailable !== null));
    this.button.setAttribute("aria-pressed", String(listens));
    this.button.classList.toggle("open", open);
    if (!listens) this.showLevel(0);
    if (hadFocus && document.activeElement === document.body) this.button.focus();
  }

  private showLevel(level: number): void {
    const percent = Math.round(Math.max(0, Math.min(1, level)) * 100);
    this.level.setAttribute("aria-valuenow", String(percent));
    this.bar.style.transform = `scaleX(${percent / 100})`;
  }

  /**
   * Holding the button talks until it is released. A click talks until the next click, also from
   * the keyboard.
   */
  private listen(): void {
    const { button } = this;
    button.addEventListener("pointerdown", (event) => {
      this.pressedAt = event.button === 0 && this.begins() ? event.timeStamp : null;
      if (this.pressedAt === null) return;
      button.setPointerCapture(event.pointerId);
      this.act("press");
    });
    button.addEventListener("pointerup", ({ timeStamp }) => {
      if (this.pressedAt !== null && timeStamp - this.pressedAt >= HOLD_MS) this.act("release");
    });
    button.addEventListener("pointercancel", () => {
      if (this.pressedAt !== null) this.act("release");
      this.pressedAt = null;
    });
    button.addEventListener("click", () => {
      // The pointer press already started it.
      if (this.pressedAt === null) this.click();
      this.pressedAt = null;
    });
  }

  private click(): void {
    const { unavailable, state } = this.voice;
    if (unavailable !== null) this.context.explain(unavailable);
    else if (this.begins()) this.act("press");
    else this.act(!this.voice.handsFree && state !== "opening" ? "release" : "close");
  }

  /** Whether pressing the button makes Graft listen. */
  private begins(): boolean {
    const { state, handsFree, unavailable } = this.voice;
    if (unavailable !== null) return false;
    return state === "off" || (!handsFree && !["opening", "listening", "hearing"].includes(state));
  }

  private act(action: VoiceAction): void {
    this.context.post({ type: "voice", action });
  }
}
