import type { PanelMessage } from "../../src/protocol/messages.ts";
import type { ToolCallState } from "../../src/turns/turn.ts";
import { button, disableControls } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import { alwaysAllow, permissionCovers } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";

/** The most files that the question names. */
const MAX_NAMED = 5;

type PostedApproval = Extract<PanelMessage, { type: "approve" }>;
type Asked = NonNullable<ToolCallState["approval"]>;

const SCOPES = [
  { scope: "turn", label: t("This turn") },
  { scope: "session", label: t("This session") },
  { scope: "workspace", label: t("This workspace") },
] as const;

/** Asks the user to allow a tool call and shows what would run and where. Posts one decision. */
export function permissionView({ callId, name: tool }: ToolCallState, asked: Asked, context: PanelContext): HTMLElement {
  const { command, server, eachTime, pendingFiles = [] } = asked;
  const action = plainLine(asked.summary);
  const name = t("Permission: {action}", { action });
  const element = h("div", { class: "question", attributes: { role: "group", tabindex: "-1", "aria-label": name } });
  const post = (answer: Omit<PostedApproval, "type" | "callId">): void => {
    context.post({ type: "approve", callId, ...answer });
    disableControls(element);
  };
  const question = h("p", {}, icon("question"), h("span", {}, command ? commandPlace(command.folder) : action));
  const isPending = pendingFiles.length > 0;
  const acceptAll = button({
    label: t("Accept all and run"),
    appearance: "primary",
    description: t("Accept all proposed changes, then: {action}", { action }),
    onClick: () => post({ allowed: true, acceptAll: true }),
  });
  const allow = button({
    label: isPending ? t("Run without them") : t("Allow"),
    ...(isPending ? {} : { appearance: "primary" as const }),
    description: isPending ? t("Without the proposed changes: {action}", { action }) : t("Allow: {action}", { action }),
    onClick: () => post({ allowed: true }),
  });
  const deny = button({ label: t("Deny"), description: t("Deny: {action}", { action }), onClick: () => post({ allowed: false }) });
  const what = permissionCovers(tool, command !== undefined, server === undefined ? null : plainLine(server));
  const longer = SCOPES.map(({ scope, label }) =>
    button({ label, description: alwaysAllow(what, scope), onClick: () => post({ allowed: true, scope }) }),
  );
  const always = t("Always allow {what}:", { what });
  element.append(
    question,
    ...(command ? [h("pre", { class: "command", attributes: { "aria-label": t("Command") } }, plainText(command.text))] : []),
    ...(isPending ? [h("p", {}, pendingText(pendingFiles.map(plainLine)))] : []),
    h("div", { class: "buttons" }, ...(isPending ? [acceptAll] : []), allow, deny),
  );
  if (eachTime) element.append(h("p", { class: "always" }, t("VS Code acts on this file, so Graft always asks.")));
  else
    element.append(
      h("p", { class: "always" }, always),
      h("div", { class: "buttons", attributes: { role: "group", "aria-label": always } }, ...longer),
    );
  return element;
}

function pendingText(paths: readonly string[]): string {
  const files = paths.slice(0, MAX_NAMED).join(", ");
  const count = paths.length - MAX_NAMED;
  return count > 0
    ? t("It would not see the proposed changes to {files} and {count} more.", { files, count })
    : t("It would not see the proposed changes to {files}.", { files });
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
