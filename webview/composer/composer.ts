import type { PanelStatus } from "../../src/protocol/messages.ts";
import { type PanelCommand, readSlashCommand } from "../../src/protocol/slashCommands.ts";
import type { AttachmentRef } from "../../src/turns/attachment.ts";
import type { ChatMode } from "../../src/turns/plan/chatMode.ts";
import type { Todo } from "../../src/turns/plan/todos.ts";
import type { AgentTurn } from "../../src/turns/turn.ts";
import type { QueuedMessage } from "../../src/turns/turnEvent.ts";
import { ContextInput } from "../context/contextInput.ts";
import { draftWithExample } from "../context/examples.ts";
import { button, setDisabled } from "../controls.ts";
import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { setLinkedText } from "../markdown/linkedText.ts";
import { imageWarning, STILL_ANSWERING, whySendIsDisabled } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import type { SavedState } from "../panelStore.ts";
import { VoiceView } from "../voice/voiceView.ts";
import { AgreementsView } from "./agreementsView.ts";
import { ChordKeys } from "./chordKeys.ts";
import { ContextMeter } from "./contextMeter.ts";
import { ModeView } from "./modeView.ts";
import { QueueView } from "./queueView.ts";
import { ReviewBar } from "./reviewBar.ts";
import { TodoView } from "./todoView.ts";

const STILL_READING = t("Graft is still reading the image. Send again in a moment.");

/**
 * The message box. Enter sends and Shift+Enter inserts a line break. Enter that confirms input
 * method text does neither.
 */
export class Composer {
  readonly element: HTMLElement;
  // The toolkit's text area does not grow with its text, and its shadow tree hides composition
  // events.
  private readonly input = h("textarea", {
    attributes: { rows: "1", "aria-label": t("Message to Graft") },
  });
  private readonly hint = h("p", { class: "composer-hint", attributes: { id: "composer-hint" } });
  private readonly send = button({
    label: t("Send"),
    icon: "send",
    appearance: "primary",
    description: t("Send"),
    folds: true,
    onClick: () => this.submit(),
  });
  private readonly stop = button({
    label: t("Stop"),
    icon: "stop",
    appearance: "icon",
    onClick: () => this.stopAnswer(),
  });
  private readonly queueButton = button({
    label: t("Queue"),
    icon: "send",
    description: t("Queue message for the next step"),
    folds: true,
    onClick: () => this.submit(),
  });
  private readonly queue: QueueView;
  private readonly review: ReviewBar;
  private readonly agreements: AgreementsView;
  private readonly model = h("button", {
    class: "model",
    attributes: { type: "button" },
    onClick: () => this.context.post({ type: "choose-model" }),
  });
  private readonly options = h("button", {
    class: "model agent-options",
    attributes: { type: "button" },
    onClick: () => {
      const isEffort = this.status?.agentOptions === undefined;
      this.context.post({ type: isEffort ? "choose-effort" : "choose-agent-option" });
    },
  });
  private readonly several = button({
    label: t("Send to several models…"),
    icon: "models",
    appearance: "icon",
    onClick: () => this.sendToModels(),
  });
  private readonly meter: ContextMeter;
  private readonly mode: ModeView;
  private readonly todos = new TodoView();
  private readonly context: PanelContext;
  private readonly keepDraft: (draft: Partial<SavedState>) => void;
  readonly attachments: ContextInput;
  readonly voice: VoiceView;
  private readonly chord = new ChordKeys();
  private status: PanelStatus | null = null;
  /** The user sent before the host answered. */
  private isSendAwaited = false;
  private measured: AgentTurn | null = null;

  /** `saved` is the text from before a reload. `keepDraft` saves every change. */
  constructor(
    context: PanelContext,
    saved: SavedState,
    keepDraft: (draft: Partial<SavedState>) => void,
  ) {
    this.context = context;
    this.keepDraft = keepDraft;
    this.input.value = saved.draft;
    this.input.placeholder = t("Ask a question or request a change");
    this.input.setAttribute("aria-describedby", "composer-hint");
    this.queue = new QueueView(context, () => this.focus());
    this.agreements = new AgreementsView(context);
    this.review = new ReviewBar(context, () => this.input.focus());
    this.attachments = new ContextInput(
      this.input,
      context,
      (attached) => {
        keepDraft({ attached: [...attached] });
        this.showContext();
      },
      () => this.changed(),
    );
    this.meter = new ContextMeter(context);
    this.mode = new ModeView(context);
    this.input.addEventListener("input", () => {
      this.isSendAwaited = false;
      this.changed();
    });
    this.input.addEventListener("keydown", (event) => this.keyDown(event));
    this.voice = new VoiceView(context);
    const buttons = [this.voice.button, this.queueButton, this.stop, this.send];
    const bar = h(
      "div",
      { class: "composer-bar" },
      this.mode.element,
      this.model,
      this.options,
      this.meter.element,
      this.several,
      ...buttons,
    );
    const { chips, list } = this.attachments;
    const box = h("div", { class: "composer-box" }, list.element, chips.element, this.input, bar);
    this.element = h(
      "div",
      { class: "composer" },
      this.agreements.element,
      this.todos.element,
      this.review.element,
      this.queue.element,
      this.hint,
      this.voice.element,
      box,
    );
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
    const hadFocus = [this.stop, this.send, this.queueButton].some((each) =>
      each.contains(document.activeElement),
    );
    const canStop = busy || status?.asking === true;
    this.stop.hidden = !canStop;
    if (!canStop) this.showStopping(false);
    this.queueButton.hidden = !busy;
    this.queue.update({ busy });
    this.agreements.update(status?.agreements ?? []);
    this.review.update(status?.pending ?? [], status?.check);
    this.send.hidden = busy;
    this.several.hidden = busy;
    this.attachments.chips.warnOfImages(status && imageWarning(status));
    if (hadFocus) this.input.focus();
    const name = modelName(status);
    setText(this.model, name === "" ? t("No model") : name);
    this.model.title =
      name === "" ? t("No model. Choose one.") : t("Model: {name}. Choose another.", { name });
    this.showOptions(status?.agentOptions ?? effortOption(status?.effort));
    this.showContext();
    this.updateSend();
    if (!this.isSendAwaited || status === null) return;
    this.isSendAwaited = false;
    // Messages from before a reload are sent again first.
    queueMicrotask(() => this.submit());
  }

  /** Shows at once that it was heard: what the host has sent before may take a while to draw. */
  private stopAnswer(): void {
    this.context.post({ type: "stop" });
    this.context.announce(t("Stopping…"));
    this.showStopping(true);
  }

  private showStopping(isStopping: boolean): void {
    const label = isStopping ? t("Stopping…") : t("Stop");
    if (this.stop.title === label) return;
    this.stop.title = label;
    this.stop.setAttribute("aria-label", label);
    this.stop.replaceChildren(icon(isStopping ? "spinner" : "stop"));
  }

  /** Names the first choice that an agent or a model leaves to the user, such as its mode; all of them on hover. */
  private showOptions(options: NonNullable<PanelStatus["agentOptions"]>): void {
    const [first] = options;
    this.options.hidden = first === undefined;
    setText(this.options, first?.value ?? "");
    const all = options.map(({ name, value }) => `${name || t("Mode")}: ${value}`).join(", ");
    this.options.title = t("{choices}. Choose another.", { choices: all });
    this.options.setAttribute("aria-label", this.options.title);
  }

  /**
   * Shows the context window's usage after the last request, which `turn` sent. Null if there was
   * none.
   */
  showContext(turn: AgentTurn | null = this.measured): void {
    this.measured = turn;
    const { status } = this;
    const canCompact = status?.busy === false && whySendIsDisabled(status) === null;
    const draft = this.attachments.chips.tokens;
    this.meter.update(turn, { model: modelName(status), next: status?.next, draft }, canCompact);
  }

  /** Shows how the next message is answered, and what the model has to do. */
  showPlan(mode: ChatMode, todos: readonly Todo[]): void {
    this.mode.update(mode, this.status?.agents ?? []);
    this.todos.update(todos, this.status?.busy ?? false);
  }

  /** Shows queued messages and those still being sent to the host. */
  showQueue(messages: readonly QueuedMessage[], outgoing: readonly QueuedMessage[]): void {
    this.queue.update({ messages, outgoing });
  }

  /** Lets the user choose models for the draft, which stays until it is sent. */
  sendToModels(): void {
    const text = this.input.value.trim();
    const problem =
      text === ""
        ? t("Write a message first, then send it to several models.")
        : this.status?.busy
          ? STILL_ANSWERING
          : this.attachments.isReading
            ? STILL_READING
            : whySendIsDisabled(this.status);
    if (problem !== null) {
      this.explain(problem);
      return;
    }
    const attached = [...this.attachments.chips.refs];
    this.context.post({ type: "send-to-models", text, attached });
  }

  /** A draft was sent: it goes, unless the user has changed it since. */
  sent(text: string): void {
    if (this.input.value.trim() !== text) return;
    this.attachments.take();
    this.input.value = "";
    this.changed();
    this.input.focus();
  }

  /** Shows why something was not done, until the status changes. */
  explain(sentence: string): void {
    setLinkedText(this.hint, sentence);
    this.hint.hidden = false;
    this.context.announce(sentence);
  }

  focus(): void {
    this.input.focus();
  }

  /** Appends `text` and attachments to the draft. */
  suggest(text: string, attached: readonly AttachmentRef[] = []): void {
    const before = this.input.value.trim();
    // A blank line keeps messages apart that come back one after the other.
    this.input.value = [before, text].filter((each) => each !== "").join("\n\n");
    this.attachments.chips.add(attached);
    this.changed();
    this.input.focus();
  }

  /** Puts an example into the draft, in place of one that the user left as it was. */
  showExample(text: string): void {
    this.input.value = draftWithExample(this.input.value, text);
    this.changed();
    this.input.focus();
  }

  private keyDown(event: KeyboardEvent): void {
    if (this.chord.completes(event)) {
      event.preventDefault();
      return;
    }
    if (this.attachments.takesKey(event)) return;
    if (event.key === "ArrowUp" && this.recall()) {
      event.preventDefault();
      return;
    }
    // 229: an input method handles this key
    // (https://www.w3.org/TR/uievents/#determine-keydown-keyup-keyCode).
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229)
      return;
    event.preventDefault();
    // A key that is held down since another place gave the focus here has sent nothing.
    if (!event.repeat) this.submit();
  }

  /**
   * Recalls the last message into the empty box, then earlier ones. False while the user is
   * writing.
   */
  private recall(): boolean {
    const sent = this.context.requests();
    const shown = this.input.value === "" ? sent.length : sent.lastIndexOf(this.input.value);
    const earlier = sent[shown - 1];
    if (shown < 0 || earlier === undefined || this.input.selectionStart !== this.input.selectionEnd)
      return false;
    this.input.value = earlier;
    this.changed();
    return true;
  }

  private submit(): void {
    const text = this.input.value.trim();
    this.isSendAwaited = text !== "" && this.status === null;
    if (text === "" || whySendIsDisabled(this.status) !== null) return;
    if (this.attachments.isReading) {
      this.explain(STILL_READING);
      return;
    }
    const attached = this.attachments.take();
    const command = readSlashCommand(text);
    if (command?.by === "panel") this.act(command.name, command.words, attached);
    else {
      if (this.status?.busy) this.context.announce(t("Sending…"));
      this.context.send(text, attached);
    }
    this.input.value = "";
    this.changed();
  }

  /** Does what a command asks at once, without the host. */
  private act(command: PanelCommand, words: string, attached: readonly AttachmentRef[]): void {
    switch (command) {
      case "new":
        {
          const chatId = this.context.newChat();
          if (words === "") this.attachments.chips.add(attached);
          else this.context.send(words, attached, chatId);
        }
        return;
      default:
        command satisfies never;
    }
  }

  private changed(): void {
    this.keepDraft({ draft: this.input.value });
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

function modelName(status: PanelStatus | null): string {
  return status?.demo ? t("Demo (no AI)") : (status?.model ?? "");
}

/** How much the model reasons, as a choice; none for a model that may not. */
function effortOption(effort: string | undefined): NonNullable<PanelStatus["agentOptions"]> {
  if (effort === undefined) return [];
  const value = effort === "default" ? t("default effort") : t("{effort} effort", { effort });
  return [{ name: t("Reasoning"), value }];
}
