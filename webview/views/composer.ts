import type { PanelStatus } from "../../src/protocol/messages.ts";
import type { QueuedMessage } from "../../src/turns/turnEvent.ts";
import { ChordKeys } from "../chordKeys.ts";
import { button, setDisabled } from "../controls.ts";
import { h, setText } from "../dom.ts";
import type { PanelContext } from "../panelContext.ts";
import { sendBlock } from "../sendBlock.ts";
import { QueueView } from "./queueView.ts";

/** Where the user writes. Enter sends, Shift+Enter breaks the line, and Enter that ends an input method's composition does neither. */
export class Composer {
  readonly element: HTMLElement;
  // Not the toolkit's text area: it grows with its text only by script, and hides composition events in its shadow tree.
  private readonly input = h("textarea", { attributes: { rows: "1", "aria-label": "Message to Graft" } });
  private readonly hint = h("p", { class: "composer-hint", attributes: { id: "composer-hint" } });
  private readonly send: HTMLElement;
  private readonly stop: HTMLElement;
  private readonly queueButton: HTMLElement;
  private readonly queue: QueueView;
  private readonly model: HTMLElement;
  private readonly context: PanelContext;
  private readonly keepDraft: (draft: string) => void;
  private readonly chord = new ChordKeys();
  private status: PanelStatus | null = null;

  /** `draft` is what was typed before a reload; `keepDraft` is told of every change. */
  constructor(context: PanelContext, draft: string, keepDraft: (draft: string) => void) {
    this.context = context;
    this.keepDraft = keepDraft;
    this.input.value = draft;
    this.input.placeholder = "Ask for a change, or a question about the code";
    this.input.setAttribute("aria-describedby", "composer-hint");
    this.send = button({ label: "Send", icon: "send", appearance: "primary", onClick: () => this.submit() });
    this.stop = button({ label: "Stop", icon: "stop", onClick: () => context.post({ type: "stop" }) });
    this.queueButton = button({
      label: "Queue",
      icon: "send",
      description: "Queue the message: it is sent at the next step",
      onClick: () => this.submit(),
    });
    this.queue = new QueueView(context);
    this.model = h("button", { class: "model", attributes: { type: "button" }, onClick: () => context.post({ type: "open-settings" }) });
    this.input.addEventListener("input", () => this.changed());
    this.input.addEventListener("keydown", (event) => this.keyDown(event));
    const bar = h("div", { class: "composer-bar" }, this.model, this.queueButton, this.stop, this.send);
    this.element = h("div", { class: "composer" }, this.queue.element, this.hint, h("div", { class: "composer-box" }, this.input, bar));
    this.changed();
    this.update(null);
  }

  update(status: PanelStatus | null): void {
    this.status = status;
    const blocked = sendBlock(status);
    const busy = status?.busy ?? false;
    this.input.disabled = blocked !== null && status !== null;
    setText(this.hint, status === null ? "" : (blocked ?? ""));
    this.hint.hidden = this.hint.textContent === "";
    const hadFocus = [this.stop, this.send, this.queueButton].some((each) => each.contains(document.activeElement));
    this.stop.hidden = !busy;
    this.queueButton.hidden = !busy;
    this.queue.update({ busy });
    this.send.hidden = busy;
    if (hadFocus) this.input.focus();
    const name = status === null ? "" : status.demo ? "Demo (no AI)" : status.model;
    setText(this.model, name === "" ? "No model" : name);
    this.model.title = `Model: ${name === "" ? "none" : name}. Open the settings.`;
    this.updateSend();
  }

  /** Shows what waits to be sent. */
  showQueue(messages: readonly QueuedMessage[]): void {
    this.queue.update({ messages });
  }

  /** Says why something was not done, until the status changes. */
  explain(sentence: string): void {
    setText(this.hint, sentence);
    this.hint.hidden = false;
    this.context.announce(sentence);
  }

  focus(): void {
    this.input.focus();
  }

  /** Puts `text` into the box, behind what is there already. */
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
    // 229 is what browsers report for a key that an input method is still working on (https://www.w3.org/TR/uievents/#determine-keydown-keyup-keyCode).
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    this.submit();
  }

  private submit(): void {
    const text = this.input.value.trim();
    if (text === "" || sendBlock(this.status) !== null) return;
    this.context.post({ type: "send", text });
    if (this.status?.busy) this.context.announce("Queued. It is sent at the next step of the answer.");
    this.input.value = "";
    this.changed();
  }

  private changed(): void {
    this.keepDraft(this.input.value);
    this.updateSend();
    // The style sheet lets the box grow where the browser can; elsewhere its height is set.
    if (CSS.supports("field-sizing", "content")) return;
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight}px`;
  }

  private updateSend(): void {
    const disabled = this.input.value.trim() === "" || sendBlock(this.status) !== null;
    setDisabled(this.send, disabled);
    setDisabled(this.queueButton, disabled);
  }
}
