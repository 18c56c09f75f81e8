import { editorText } from "../../src/turns/promptText.ts";
import type { UserTurn } from "../../src/turns/turn.ts";
import { sentChips } from "../context/chip.ts";
import { button } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import { STILL_ANSWERING } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";

/** A message that reached the model during a turn. */
export function userMessageView(
  message: Pick<UserTurn, "text" | "attachments" | "spoken">,
  context: PanelContext,
): HTMLElement {
  const { text, attachments } = message;
  const attributes = { role: "note", "aria-label": t("You") };
  const words = h("div", { class: "user-words" }, text);
  return h(
    "div",
    { class: "user-text", attributes },
    spokenMark(message),
    words,
    sentChips(attachments, context),
  );
}

function spokenMark({ spoken }: Pick<UserTurn, "spoken">): HTMLElement | null {
  return spoken
    ? h("div", { class: "user-place user-spoken" }, icon("microphone"), h("span", {}, t("Spoken")))
    : null;
}

/** A request as the user wrote it, with its file. It can be edited and sent again. */
export function userTurnView(turn: UserTurn, context: PanelContext): HTMLElement {
  const place =
    turn.editFile === null
      ? null
      : h(
          "div",
          { class: "user-place" },
          icon("diff"),
          h("span", {}, t("Edit mode on {file}", { file: turn.editFile })),
        );
  const active =
    turn.activeFile === null || turn.editFile !== null
      ? null
      : t("Active file: {file}", { file: turn.activeFile });
  const words = h("div", { class: "user-words" }, turn.text);
  const edit = button({
    label: t("Edit and resend"),
    icon: "edit",
    appearance: "icon",
    onClick: () => begin(),
  });
  edit.classList.add("user-edit");
  const element = h(
    "div",
    { class: "user-text" },
    place,
    spokenMark(turn),
    words,
    sentChips(turn.attachments, context),
    active === null
      ? null
      : h("div", { class: "user-place", title: editorText(turn) ?? "" }, active),
    edit,
  );
  const key = `edit ${turn.id}`;
  const end = (form: HTMLElement) => {
    context.keepForm(key, null);
    form.replaceWith(words);
    edit.hidden = false;
    edit.focus();
  };
  const show = (text: string) => {
    const form = editForm(turn, text, context, () => end(form));
    words.replaceWith(form);
    form.addEventListener("input", () =>
      context.keepForm(key, [form.querySelector("textarea")?.value ?? ""]),
    );
    edit.hidden = true;
    return form;
  };
  const begin = () => {
    context.keepForm(key, [turn.text]);
    show(turn.text).querySelector("textarea")?.focus();
  };
  const [kept] = context.formKept(key) ?? [];
  if (kept !== undefined) show(kept);
  return element;
}

function editForm(
  turn: UserTurn,
  value: string,
  context: PanelContext,
  end: () => void,
): HTMLElement {
  const input = h("textarea", { attributes: { rows: "3", "aria-label": t("Edited request") } });
  input.value = value;
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
    // 229: see composer.ts.
    else if (
      event.key === "Enter" &&
      !event.shiftKey &&
      !event.isComposing &&
      event.keyCode !== 229
    )
      send();
    else return;
    event.preventDefault();
  });
  const buttons = h(
    "div",
    { class: "buttons" },
    button({ label: t("Send"), icon: "send", appearance: "primary", onClick: send }),
    button({ label: t("Cancel"), onClick: end }),
  );
  return h("div", { class: "user-form" }, input, buttons);
}
