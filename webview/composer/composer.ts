import type { PanelStatus } from "../../src/protocol/messages.ts";
import type { QueuedMessage } from "../../src/turns/turnEvent.ts";
import { button, setDisabled } from "../controls.ts";
import { h, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { whySendIsDisabled } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import { ChordKeys } from "./chordKeys.ts";
import { QueueView } from "./queueView.ts";
import { ReviewBar } from "./reviewBar.ts";

/** The box for requests. Enter sends, Shift+Enter breaks the line; Enter that confirms an input method's text does neither. */
export class Composer {
  readonly element: HTMLElement;
  // Not the toolkit's text area: it does not grow with its text, and its shadow tree hides composition events.
  private readonly input = h("textarea", { attributes: { rows: "1", "aria-label": t("Message to Graft") } });
  private readonly hint = h("p", { class: "composer-hint", attributes: { id: "composer-hint" } });
  private readonly send: HTMLElement;
  private readonly stop: HTMLElement;
  private readonly queueButton: HTMLElement;
  private readonly queue: QueueView;
  private readonly review: ReviewBar;
  private readonly model: HTMLElement;
  private readonly context: PanelContext;
  private readonly keepDraft: (draft: string) => void;
  private readonly chord = new ChordKeys();
  private status: PanelStatus | null = null;

  /** `draft` is the text from before a reload; `keepDraft` saves every change. */
  constructor(context: PanelContext, draft: string, keepDraft: (draft: string) => void) {
    this.context = context;
    this.keepDraft = keepDraft;
    this.input.value = draft;
    this.input.placeholder = t("Ask a question or request a change");
    this.input.setAttribute("aria-describedby", "composer-hint");
    this.send = button({ label: t("Send"), icon: "send", appearance: "primary", onClick: () => this.submit() });
    this.stop = button({ label: t("Stop"), icon: "stop", onClick: () => context.post({ type: "stop" }) });
    this.queueButton = button({
      label: t("Queue"),
      icon: "send",
      description: t("Queue message for the next step"),
      onClick: () => this.submit(),
    });
    this.queue = new QueueView(context);
    this.review = new ReviewBar(context, () => this.input.focus());
    this.model = h("button", { class: "model", attributes: { type: "button" }, onClick: () => context.post({ type: "open-settings" }) });
    this.input.addEventListener("input", () => this.changed());
    this.input.addEventListener("keydown", (event) => this.keyDown(event));
    const bar = h("div", { class: "composer-bar" }, this.model, this.queueButton, this.stop, this.send);
    const box = h("div", { class: "composer-box" }, this.input, bar);
    this.element = h("div", { class: "composer" }, this.review.element, this.queue.element, this.hint, box);
    this.changed();
    this.update(null);
  }

  update(status: PanelStatus | null): void {
    this.status = status;
    const blocked = whySendIsDisabled(status);
    const busy = status?.busy ?? false;
    this.input.disabled = blocked !== null && status !== null;
    setText(this.hint, status === null ? "" : (blocked ?? ""));
    this.hint.hidden = this.hint.textContent === "";
    const hadFocus = [this.stop, this.send, this.queueButton].some((each) => each.contains(document.activeElement));
    this.stop.hidden = !busy;
    this.queueButton.hidden = !busy;
    this.queue.update({ busy });
    this.review.update(status?.pending ?? []);
    this.send.hidden = busy;
    if (hadFocus) this.input.focus();
    const name = status?.demo ? t("Demo (no AI)") : (status?.model ?? "");
    setText(this.model, name === "" ? t("No model") : name);
    this.model.title = name === "" ? t("No model. Open settings.") : t("Model: {name}. Open settings.", { name });
    this.updateSend();
  }

  /** Shows the queued messages. */
  showQueue(messages: readonly QueuedMessage[]): void {
    this.queue.update({ messages });
  }

  /** Shows why something was not done, until the status changes. */
  explain(sentence: string): void {
    setText(this.hint, sentence);
    this.hint.hidden = false;
    this.context.announce(sentence);
  }

  focus(): void {
    this.input.focus();
  }

  /** Adds `text` to the box. */
  suggest(text: string): void {
    const before = this.input.value.trim();
    this.input.value = before === "" ? text : `${before}\n${text}`;
    this.changed();
    this.input.focus();
  }

  private keyDown(event: KeyboardEvent): void {
    if (this.chord.completes(event)) {
      event.preventDefault();
      return;
    }
    // 229: an input method handles this key (https://www.w3.org/TR/uievents/#determine-keydown-keyup-keyCode).
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    this.submit();
  }

  private submit(): void {
    const text = this.input.value.trim();
    if (text === "" || whySendIsDisabled(this.status) !== null) return;
    this.context.post({ type: "send", text });
    if (this.status?.busy) this.context.announce(t("Queued"));
    this.input.value = "";
    this.changed();
  }

  private changed(): void {
    this.keepDraft(this.input.value);
    this.updateSend();
    // Fallback for browsers without field-sizing.
    if (CSS.supports("field-sizing", "content")) return;
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight}px`;
  }

  private updateSend(): void {
    const disabled = this.input.value.trim() === "" || whySendIsDisabled(this.status) !== null;
    setDisabled(this.send, disabled);
    setDisabled(this.queueButton, disabled);
  }
}
