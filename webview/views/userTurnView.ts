import type { UserTurn } from "../../src/turns/turn.ts";
import { button } from "../controls.ts";
import { h } from "../dom.ts";
import { icon } from "../icons.ts";
import { type PanelContext, STILL_ANSWERING } from "../panelContext.ts";

/** What the user said while an answer was under way. */
export function userMessageView(text: string): HTMLElement {
  return h("div", { class: "user-text", attributes: { role: "note", "aria-label": "You" } }, h("div", { class: "user-words" }, text));
}

/** What the user asked, as he wrote it, with the file the model was told about; he can write it anew. */
export function userTurnView(turn: UserTurn, context: PanelContext): HTMLElement {
  const place =
    turn.editFile === null ? null : h("div", { class: "user-place" }, icon("diff"), h("span", {}, `Edit mode on ${turn.editFile}`));
  const active = turn.activeFile === null || turn.editFile !== null ? null : `Active file: ${turn.activeFile}`;
  const words = h("div", { class: "user-words" }, turn.text);
  const edit = button({ label: "Edit and send again", icon: "edit", appearance: "icon", onClick: () => begin() });
  edit.classList.add("user-edit");
  const element = h("div", { class: "user-text" }, place, words, active === null ? null : h("div", { class: "user-place" }, active), edit);
  const end = (form: HTMLElement) => {
    form.replaceWith(words);
    edit.hidden = false;
    edit.focus();
  };
  const begin = () => {
    const form = editForm(turn, context, () => end(form));
    words.replaceWith(form);
    edit.hidden = true;
    form.querySelector("textarea")?.focus();
  };
  return element;
}

function editForm(turn: UserTurn, context: PanelContext, end: () => void): HTMLElement {
  const input = h("textarea", { attributes: { rows: "3", "aria-label": "The request, to be sent again" } });
  input.value = turn.text;
  const send = () => {
    const text = input.value.trim();
    if (text === "") return;
    if (context.busy()) {
      context.explain(STILL_ANSWERING);
      return;
    }
    context.post({ type: "resend", turnId: turn.id, text });
    end();
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") end();
    // 229: see the composer.
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229) send();
    else return;
    event.preventDefault();
  });
  const buttons = h(
    "div",
    { class: "buttons" },
    button({ label: "Send", icon: "send", appearance: "primary", onClick: send }),
    button({ label: "Cancel", onClick: end }),
  );
  return h("div", { class: "user-form" }, input, buttons);
}
