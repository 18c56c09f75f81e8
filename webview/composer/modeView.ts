import { visibleLine } from "../../src/base/text/visibleText.ts";
import type { PanelStatus } from "../../src/protocol/messages.ts";
import { CHAT_MODES, type ChatMode } from "../../src/turns/plan/chatMode.ts";
import { h } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";

const NAMES: Readonly<Record<(typeof CHAT_MODES)[number], () => string>> = {
  ask: () => t("Ask"),
  plan: () => t("Plan"),
  edit: () => t("Edit"),
};

const SAYS: Readonly<Record<(typeof CHAT_MODES)[number], () => string>> = {
  ask: () => t("Ask: Graft looks and answers. It cannot change anything."),
  plan: () => t("Plan: Graft looks and writes a plan for you to edit and start. Nothing changes."),
  edit: () => t("Edit: Graft proposes changes and runs commands, as you allow."),
};

/**
 * Chooses how messages are answered: a mode of Graft, or an agent of the workspace. Nothing can be
 * chosen before the first {@link ModeView.update}, since there is no chat to choose it for.
 */
export class ModeView {
  readonly element = h("select", { class: "mode", attributes: { "aria-label": t("Mode") } });
  private shown = "";

  constructor(context: PanelContext) {
    this.element.disabled = true;
    this.element.addEventListener("change", () => {
      context.setMode(this.element.value);
      this.describe();
    });
  }

  /** Shows the mode of the chat, and what else can be chosen. */
  update(mode: ChatMode, agents: NonNullable<PanelStatus["agents"]>): void {
    const own = CHAT_MODES.map((id) => ({ id, name: NAMES[id]() }));
    const known = [...own, ...agents].some(({ id }) => id === mode);
    // Its file is gone: it stays chosen until the user chooses another, and the turn says so.
    const gone = known ? [] : [{ id: mode, name: mode.replace(/^.*\//, "") }];
    const offered = JSON.stringify([agents, gone]);
    if (offered !== this.shown) {
      this.shown = offered;
      const option = ({ id, name }: { readonly id: string; readonly name: string }) =>
        h("option", { attributes: { value: id } }, visibleLine(name));
      const more = [...agents, ...gone];
      const group = h("optgroup", { attributes: { label: t("Agents") } }, ...more.map(option));
      this.element.replaceChildren(...own.map(option), ...(more.length > 0 ? [group] : []));
    }
    if (this.element.value !== mode) this.element.value = mode;
    this.element.disabled = false;
    this.describe();
  }

  private describe(): void {
    const own = CHAT_MODES.find((id) => id === this.element.value);
    this.element.title = own ? SAYS[own]() : t("Agent: {path}", { path: this.element.value });
  }
}
