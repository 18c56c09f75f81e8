import type { ToolCallState } from "../../src/turns/turn.ts";
import { button, disableControls } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import { alwaysAllow, permissionCovers } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";

type Asked = NonNullable<ToolCallState["approval"]>;

const SCOPES = [
  { scope: "turn", label: t("This turn") },
  { scope: "session", label: t("This session") },
  { scope: "workspace", label: t("This workspace") },
] as const;

/** Asks the user to allow a tool call and shows what would run and where. Posts one decision. */
export function permissionView({ callId, name: tool }: ToolCallState, asked: Asked, context: PanelContext): HTMLElement {
  const { command, server, eachTime } = asked;
  const action = plainLine(asked.summary);
  const name = t("Permission: {action}", { action });
  const element = h("div", { class: "question", attributes: { role: "group", tabindex: "-1", "aria-label": name } });
  const decide = (allowed: boolean, scope?: (typeof SCOPES)[number]["scope"]): void => {
    context.post({ type: "approve", callId, allowed, ...(scope && { scope }) });
    disableControls(element);
  };
  const question = h("p", {}, icon("question"), h("span", {}, command ? commandPlace(command.folder) : action));
  const allow = button({
    label: t("Allow"),
    appearance: "primary",
    description: t("Allow: {action}", { action }),
    onClick: () => decide(true),
  });
  const deny = button({ label: t("Deny"), description: t("Deny: {action}", { action }), onClick: () => decide(false) });
  const what = permissionCovers(tool, command !== undefined, server === undefined ? null : plainLine(server));
  const longer = SCOPES.map(({ scope, label }) =>
    button({ label, description: alwaysAllow(what, scope), onClick: () => decide(true, scope) }),
  );
  const always = t("Always allow {what}:", { what });
  element.append(
    question,
    ...(command ? [h("pre", { class: "command", attributes: { "aria-label": t("Command") } }, plainText(command.text))] : []),
    h("div", { class: "buttons" }, allow, deny),
  );
  if (eachTime) element.append(h("p", { class: "always" }, t("VS Code acts on this file, so Graft always asks.")));
  else
    element.append(
      h("p", { class: "always" }, always),
      h("div", { class: "buttons", attributes: { role: "group", "aria-label": always } }, ...longer),
    );
  return element;
}

function commandPlace(folder: string): string {
  if (folder === "." || folder === "") return t("Run this command in the workspace?");
  return t("Run this command in {folder}?", { folder: plainLine(folder) });
}

/** Control characters, invisible ones, look-alikes of a space, and those that reverse the text direction. */
const HIDDEN = /[^\P{C}\n\t]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}|\u2800/gu;

/** Shows hidden characters as their code points: what the user sees is what would run. */
function plainText(text: string): string {
  return text.replace(HIDDEN, codePoint);
}

function plainLine(text: string): string {
  return plainText(text).replace(/[\n\t]/g, codePoint);
}

function codePoint(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
