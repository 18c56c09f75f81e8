import { visibleLine } from "../../src/base/text/visibleText.ts";
import type { PanelAction } from "../../src/protocol/messages.ts";
import { AGENT_TOOL_NAMES } from "../../src/turns/toolNames.ts";
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

type PostedApproval = Extract<PanelAction, { type: "approve" }>;
type AskedPermission = NonNullable<ToolCallState["approval"]>;

const SCOPES = [
  { scope: "turn", label: t("This turn") },
  { scope: "session", label: t("This session") },
  { scope: "workspace", label: t("This workspace") },
] as const;

type PostedAnswer = Omit<PostedApproval, "type" | "callId">;
type PostAnswer = (answer: PostedAnswer) => void;

/** Answers that count for more than this call, after some words. */
interface LastingAnswers {
  readonly words: string;
  readonly answers: readonly {
    readonly label: string;
    readonly description: string;
    readonly answer: PostedAnswer;
  }[];
}

/** Asks the user to allow a tool call and shows what would run and where. Posts one decision. */
export function permissionView(
  call: ToolCallState,
  asked: AskedPermission,
  context: PanelContext,
): HTMLElement {
  const { callId, name: tool } = call;
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
  const lasting = onProposals?.isChosen ? placesOfChat(action) : permissions(call, asked);
  const unfolds = onProposals?.isChosen ? t("Choose for the whole chat") : t("Allow for longer");
  const longer = eachTime ? null : longerView(unfolds, lasting, prepare !== null, post);
  const always = t("This file is protected or may hold keys, so Graft always asks.");
  element.append(
    h("p", {}, icon("question"), words),
    ...(command ? [wholeText(command.text, t("Command"))] : []),
    ...(asked.arguments === undefined ? [] : [wholeText(asked.arguments, t("Arguments"))]),
    ...(commit ? commitView(commit) : []),
    ...notesOf(asked).map((text) => h("p", {}, text)),
    decisionButtons(tool, asked, prepare, longer?.toggle ?? null, post),
    ...(eachTime && !isAgentTool(tool) ? [h("p", { class: "always" }, always)] : []),
    ...(longer ? [longer.element] : []),
  );
  return element;
}

/** True for a call of another maker's agent, whose questions name no file. */
function isAgentTool(tool: string): boolean {
  return Object.values(AGENT_TOOL_NAMES).some((each) => each === tool);
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
    ...(onProposals ? [placeNote(onProposals)] : []),
    ...(changedFiles.length > 0 ? [changedNote(changedFiles, onProposals?.deciding ?? [])] : []),
    ...(programs.length > 0
      ? [t("The repository makes it run: {programs}.", { programs: shortList(programs) })]
      : []),
    ...(pendingFiles.length > 0 ? [notSeenText("proposed", pendingFiles)] : []),
    ...(notOnProposals ? [noProposalsText(notOnProposals)] : []),
    ...(unsavedFiles.length > 0 ? [notSeenText("unsaved", unsavedFiles)] : []),
  ];
}

/** What a command on the proposals can change. */
function placeNote({ ground, isSandboxed }: NonNullable<AskedPermission["onProposals"]>): string {
  if (isSandboxed) return t("Your files do not change. It has no network.");
  return ground === "copy"
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
  { summary, onProposals }: AskedPermission,
  prepare: HTMLElement | null,
  toggle: HTMLElement | null,
  post: PostAnswer,
): HTMLElement {
  const action = visibleLine(summary);
  const yes = prepare ? t("Run without them") : allowLabel(tool);
  const ownFiles = t("Run on my own files…");
  const elsewhere = onProposals?.isChosen
    ? button({
        label: ownFiles,
        description: described(ownFiles, action),
        onClick: () => post({ allowed: true, first: "own-files" }),
      })
    : null;
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
  return h("div", { class: "buttons" }, prepare, split, elsewhere, deny);
}

/**
 * What can be allowed for longer: all that a permission covers, and for some commands also further
 * words after them.
 */
function permissions(
  call: ToolCallState,
  { command, server, host }: AskedPermission,
): readonly LastingAnswers[] {
  const what = permissionCovers(
    call,
    command !== undefined,
    server === undefined ? null : visibleLine(server),
    host === undefined ? null : visibleLine(host),
  );
  const prefix = command?.prefix;
  return [
    { what },
    ...(prefix === undefined ? [] : [{ what: `${visibleLine(prefix)} …`, more: true as const }]),
  ].map(({ what, ...more }) => ({
    words: t("Allow {what} for:", { what }),
    answers: SCOPES.map(({ scope, label }) => ({
      label,
      description: alwaysAllow(what, scope),
      answer: { allowed: true, scope, ...more },
    })),
  }));
}

/** Where all commands of the chat can run that the user would be asked about. */
function placesOfChat(action: string): readonly LastingAnswers[] {
  const answers = [
    { label: t("On the proposals…"), first: "always-proposals" },
    { label: t("On my own files…"), first: "always-own-files" },
  ] as const;
  return [
    {
      words: t("Run all commands of this chat:"),
      answers: answers.map(({ label, first }) => ({
        label,
        description: described(label, action),
        answer: { allowed: true, first },
      })),
    },
  ];
}

/** The other half of the split button, and what it unfolds: a row for each choice. */
function longerView(
  label: string,
  offered: readonly LastingAnswers[],
  isSecondary: boolean,
  post: PostAnswer,
): { readonly toggle: HTMLElement; readonly element: HTMLElement } {
  const element = h("div", { class: "longer", hidden: true });
  const toggle = button({
    label,
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
  for (const { words, answers } of offered) {
    const buttons = answers.map(({ label, description, answer }) =>
      button({ label, description, onClick: () => post(answer) }),
    );
    const group = { role: "group", "aria-label": words };
    element.append(
      h("p", { class: "always" }, words),
      h("div", { class: "buttons", attributes: group }, ...buttons),
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
    paths.length > 0 ? list : h("p", {}, t("Commits the staged changes.")),
  ];
}

/** A button's accessible name, which begins with its label. */
function described(label: string, action: string): string {
  return action.startsWith(label) ? action : `${label}: ${action}`;
}

/** What decides what runs, and is not what the user allowed. */
function changedNote(changed: readonly string[], proposed: readonly string[]): string {
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
