import { visibleLine } from "../../src/base/text/visibleText.ts";
import type { PanelMessage } from "../../src/protocol/messages.ts";
import type { ToolCallState } from "../../src/turns/turn.ts";
import { button, disableControls } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";
import { allowLabel, alwaysAllow, denyLabel, permissionCovers } from "./messages.ts";
import { wholeText } from "./wholeText.ts";

/** The most files that the question names, and that a commit lists. */
const MAX_NAMED = 5;
const MAX_LISTED = 200;

type PostedApproval = Extract<PanelMessage, { type: "approve" }>;
type AskedPermission = NonNullable<ToolCallState["approval"]>;

const SCOPES = [
  { scope: "turn", label: t("This turn") },
  { scope: "session", label: t("This session") },
  { scope: "workspace", label: t("This workspace") },
] as const;

type PostAnswer = (answer: Omit<PostedApproval, "type" | "callId">) => void;

/** Asks the user to allow a tool call and shows what would run and where. Posts one decision. */
export function permissionView(
  { callId, name: tool }: ToolCallState,
  asked: AskedPermission,
  context: PanelContext,
): HTMLElement {
  const { command, commit, eachTime, onProposals } = asked;
  const action = visibleLine(asked.summary);
  const name = t("Permission: {action}", { action });
  const element = h("div", {
    class: "question",
    attributes: { role: "group", tabindex: "-1", "aria-label": name },
  });
  const post: PostAnswer = (answer) => {
    context.post({ type: "approve", callId, ...answer });
    disableControls(element);
  };
  const subject = commit ? t("Commit this?") : t("{action}?", { action });
  const words = h("span", {}, command ? commandPlace(command.folder, onProposals) : subject);
  const prepare = prepareButton(asked, action, post);
  const longer = eachTime ? null : longerView(choices(tool, asked), prepare !== null, post);
  const always = t("This file is protected or may hold keys, so Graft always asks.");
  element.append(
    h("p", {}, icon("question"), words),
    ...(command ? [wholeText(command.text, t("Command"))] : []),
    ...(asked.arguments === undefined ? [] : [wholeText(asked.arguments, t("Arguments"))]),
    ...(commit ? commitView(commit) : []),
    ...notesOf(asked).map((text) => h("p", {}, text)),
    decisionButtons(tool, action, prepare, longer?.toggle ?? null, post),
    longer ? longer.element : h("p", { class: "always" }, always),
  );
  return element;
}

/** What the user should know before they decide. */
function notesOf({
  pendingFiles = [],
  unsavedFiles = [],
  changedFiles = [],
  programs = [],
  onProposals,
  notOnProposals,
}: AskedPermission): readonly string[] {
  return [
    ...(onProposals ? [placeNote(onProposals.ground === "copy")] : []),
    ...(changedFiles.length > 0 ? [changedText(changedFiles, onProposals?.deciding ?? [])] : []),
    ...(programs.length > 0
      ? [t("It runs what the repository names: {programs}.", { programs: shortList(programs) })]
      : []),
    ...(pendingFiles.length > 0 ? [notSeenText("proposed", pendingFiles)] : []),
    ...(notOnProposals ? [noProposalsText(notOnProposals)] : []),
    ...(unsavedFiles.length > 0 ? [notSeenText("unsaved", unsavedFiles)] : []),
  ];
}

/** What a command on the proposals can change. */
function placeNote(isCopy: boolean): string {
  return isCopy
    ? t(
        "The copy is at another path. Absolute paths lead to your own files, and it has your network and your other folders.",
      )
    : t("Your files in the workspace do not change. It has your network and your other folders.");
}

/** Why a command would not run on the proposals. */
function noProposalsText({ code, size }: NonNullable<AskedPermission["notOnProposals"]>): string {
  if (code === "too-large" && size) {
    const [megabytes, limit] = [size.bytes, size.limit].map((each) => Math.ceil(each / 1_048_576));
    return t(
      "To run it on the proposals, Graft would copy at least {size} MB. Your limit is {limit} MB (graft.commands.copyLimit).",
      { size: megabytes ?? 0, limit: limit ?? 0 },
    );
  }
  return code === "repository-outside"
    ? t(
        "It cannot run on the proposals: in a copy of the workspace, git would change a repository outside of it.",
      )
    : t("It cannot run on the proposals on this machine. Graft: Diagnose tells why.");
}

/** Accepts or saves first what the call would not see; null where it sees everything. */
function prepareButton(
  { pendingFiles = [], unsavedFiles = [] }: AskedPermission,
  action: string,
  post: PostAnswer,
): HTMLElement | null {
  if (pendingFiles.length === 0 && unsavedFiles.length === 0) return null;
  const isPending = pendingFiles.length > 0;
  const label = isPending ? t("Accept all and run") : t("Save and run");
  return button({
    label,
    appearance: "primary",
    description: described(label, action),
    onClick: () => post({ allowed: true, first: isPending ? "accept-all" : "save-files" }),
  });
}

/** With `prepare`, running without it is the second choice. */
function decisionButtons(
  tool: string,
  action: string,
  prepare: HTMLElement | null,
  toggle: HTMLElement | null,
  post: PostAnswer,
): HTMLElement {
  const yes = prepare ? t("Run without them") : allowLabel(tool);
  const allow = button({
    label: yes,
    ...(prepare ? {} : { appearance: "primary" as const }),
    description: described(yes, action),
    onClick: () => post({ allowed: true }),
  });
  const no = denyLabel(tool);
  const deny = button({
    label: no,
    description: described(no, action),
    onClick: () => post({ allowed: false }),
  });
  const split = toggle ? h("span", { class: "split" }, allow, toggle) : allow;
  return h("div", { class: "buttons" }, prepare, split, deny);
}

/**
 * What can be allowed for longer: all that a permission covers, and for some commands also further
 * words after them.
 */
function choices(
  tool: string,
  { command, server }: AskedPermission,
): readonly { readonly what: string; readonly more?: true }[] {
  const what = permissionCovers(
    visibleLine(tool),
    command !== undefined,
    server === undefined ? null : visibleLine(server),
  );
  return [
    { what },
    ...(command?.prefix === undefined
      ? []
      : [{ what: `${visibleLine(command.prefix)} …`, more: true as const }]),
  ];
}

/**
 * The other half of the split button, and what it unfolds: for how long to allow, in a row for each
 * choice.
 */
function longerView(
  offered: ReturnType<typeof choices>,
  isSecondary: boolean,
  post: PostAnswer,
): { readonly toggle: HTMLElement; readonly element: HTMLElement } {
  const element = h("div", { class: "longer", hidden: true });
  const toggle = button({
    label: t("Allow for longer"),
    icon: "chevron",
    appearance: "icon",
    onClick: () => open(element.hasAttribute("hidden")),
  });
  const open = (isOpen: boolean): void => {
    element.hidden = !isOpen;
    toggle.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) element.querySelector<HTMLElement>("vscode-button")?.focus();
    else toggle.focus();
  };
  toggle.setAttribute("appearance", isSecondary ? "secondary" : "primary");
  toggle.setAttribute("aria-expanded", "false");
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    open(false);
  });
  for (const { what, more } of offered) {
    const always = t("Always allow {what}:", { what });
    const scopes = SCOPES.map(({ scope, label }) =>
      button({
        label,
        description: alwaysAllow(what, scope),
        onClick: () => post({ allowed: true, scope, ...(more && { more }) }),
      }),
    );
    const group = { role: "group", "aria-label": always };
    element.append(
      h("p", { class: "always" }, always),
      h("div", { class: "buttons", attributes: group }, ...scopes),
    );
  }
  return { toggle, element };
}

/** The whole message and the files of a commit. */
function commitView({
  message,
  paths,
}: NonNullable<AskedPermission["commit"]>): readonly HTMLElement[] {
  const rest = paths.length - MAX_LISTED;
  const files = paths.slice(0, MAX_LISTED).map((path) => h("li", {}, visibleLine(path)));
  if (rest > 0) files.push(h("li", {}, t("{count} more", { count: rest })));
  const list = h(
    "ul",
    {
      class: "commit-files",
      attributes: { tabindex: "0", "aria-label": t("Files of the commit") },
    },
    ...files,
  );
  return [
    wholeText(message.trimEnd(), t("Commit message")),
    paths.length > 0 ? list : h("p", {}, t("Commits what is staged.")),
  ];
}

/** A button's accessible name, which begins with its label. */
function described(label: string, action: string): string {
  return action.startsWith(label) ? action : `${label}: ${action}`;
}

/** What decides what runs, and is not what the user allowed. */
function changedText(changed: readonly string[], proposed: readonly string[]): string {
  const isProposed = changed.every((file) => proposed.includes(file));
  const files = shortList(changed);
  return isProposed
    ? t("These proposed files decide what it runs: {files}.", { files })
    : t("Changed since you allowed it: {files}.", { files });
}

/** The first names of a list. */
function shortList(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  const shown = names.slice(0, MAX_NAMED).map(visibleLine).join(", ");
  return more > 0 ? t("{files} and {count} more", { files: shown, count: more }) : shown;
}

function notSeenText(what: "proposed" | "unsaved", paths: readonly string[]): string {
  const files = paths.slice(0, MAX_NAMED).map(visibleLine).join(", ");
  const count = paths.length - MAX_NAMED;
  const isProposed = what === "proposed";
  if (count <= 0) {
    return isProposed
      ? t("It would not see the proposed changes to {files}.", { files })
      : t("It would not see your unsaved edits to {files}.", { files });
  }
  return isProposed
    ? t("It would not see the proposed changes to {files} and {count} more.", { files, count })
    : t("It would not see your unsaved edits to {files} and {count} more.", { files, count });
}

function commandPlace(folder: string, onProposals: AskedPermission["onProposals"]): string {
  if (onProposals?.ground === "copy")
    return t("Run this command in a copy of the workspace, with the proposals?");
  if (onProposals) return t("Run this command on the proposals?");
  if (folder === "." || folder === "") return t("Run this command in the workspace?");
  return t("Run this command in {folder}?", { folder: visibleLine(folder) });
}
