import type { ToolCallState } from "../../src/turns/turn.ts";
import { button, disableControls } from "../controls.ts";
import { h } from "../dom.ts";
import { icon } from "../icons.ts";
import type { PanelContext } from "../panelContext.ts";

type Asked = NonNullable<ToolCallState["approval"]>;

const SCOPES = [
  { scope: "turn", label: "This turn" },
  { scope: "session", label: "This session" },
  { scope: "workspace", label: "This workspace" },
] as const;

/** The question whether a tool may do what it wants, with what would run and where; what the user decides is posted once. */
export function permissionView({ callId, name }: ToolCallState, asked: Asked, context: PanelContext): HTMLElement {
  const { command, server, eachTime } = asked;
  const said = plainLine(asked.summary);
  const element = h("div", { class: "question", attributes: { role: "group", tabindex: "-1", "aria-label": `Permission: ${said}` } });
  const decide = (allowed: boolean, scope?: (typeof SCOPES)[number]["scope"]): void => {
    context.post({ type: "approve", callId, allowed, ...(scope && { scope }) });
    disableControls(element);
  };
  const what = h("p", {}, icon("question"), h("span", {}, command ? commandPlace(command.folder) : said));
  const allow = button({ label: "Allow", appearance: "primary", description: `Allow: ${said}`, onClick: () => decide(true) });
  const deny = button({ label: "Deny", description: `Deny: ${said}`, onClick: () => decide(false) });
  const covered = coveredWords(name, command !== undefined, server);
  const longer = SCOPES.map(({ scope, label }) =>
    button({ label, description: `Always allow ${covered} in ${label.toLowerCase()}`, onClick: () => decide(true, scope) }),
  );
  const always = { role: "group", "aria-label": `Always allow ${covered}` };
  element.append(
    what,
    ...(command ? [h("pre", { class: "command", attributes: { "aria-label": "Command" } }, plainText(command.text))] : []),
    h("div", { class: "buttons" }, allow, deny),
  );
  if (eachTime) element.append(h("p", { class: "always" }, "The editor acts upon what is there, so this is asked each time."));
  else
    element.append(h("p", { class: "always" }, `Always allow ${covered}:`), h("div", { class: "buttons", attributes: always }, ...longer));
  return element;
}

function commandPlace(folder: string): string {
  return folder === "." || folder === "" ? "Run this command in the workspace?" : `Run this command in ${plainLine(folder)}?`;
}

function coveredWords(tool: string, command: boolean, server: string | undefined): string {
  if (server !== undefined) return `the reading tools of ${plainLine(server)}`;
  return command ? "exactly this command" : tool;
}

/** Controls, signs that do not show or look like a blank, and those that turn the direction of the text around. */
const HIDDEN = /[^\P{C}\n\t]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}|\u2800/gu;

/** Signs that hide something as their numbers: what is shown is what would run. */
function plainText(text: string): string {
  return text.replace(HIDDEN, numbered);
}

function plainLine(text: string): string {
  return plainText(text).replace(/[\n\t]/g, numbered);
}

function numbered(sign: string): string {
  return `\\u{${sign.codePointAt(0)?.toString(16)}}`;
}
