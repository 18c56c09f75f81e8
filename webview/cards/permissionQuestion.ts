import { visibleLine } from "../../src/base/text/visibleText.ts";
import type { PanelAction } from "../../src/protocol/messages.ts";
import { AGENT_TOOL_NAMES } from "../../src/turns/toolNames.ts";
import type { ToolCallState } from "../../src/turns/turn.ts";
import { t } from "../l10n.ts";
import { allowLabel, alwaysAllow, denyLabel, permissionCovers } from "./messages.ts";

/** The most files that the question names, and that a commit lists. */
const MAX_NAMED = 5;
const MAX_LISTED = 200;

type PostedApproval = Extract<PanelAction, { type: "approve" }>;

/** What a tool's call asks permission for. */
export type AskedPermission = NonNullable<ToolCallState["approval"]>;

/** A decision, without the call it is about. */
export type PostedAnswer = Omit<PostedApproval, "type" | "callId">;

/** A button of the question, and what it decides. */
export interface AnswerButton {
  readonly label: string;
  /** The accessible name. */
  readonly description: string;
  readonly answer: PostedAnswer;
}

/** Answers that count for more than this call, after some words. */
export interface LastingAnswers {
  readonly words: string;
  readonly answers: readonly AnswerButton[];
}

/** What the question for a permission says, and the answers it offers. */
export interface PermissionQuestion {
  /** What would be done, on one line without hidden characters. */
  readonly action: string;
  readonly words: string;
  /** What a commit lists as its files. */
  readonly files: readonly string[];
  /** What the user should know before they decide. */
  readonly notes: readonly string[];
  /** Accepts or saves first what the call would not see; null where it sees everything. */
  readonly prepare: AnswerButton | null;
  readonly allow: AnswerButton;
  /** Runs the call on the user's own files; null where that is no choice. */
  readonly elsewhere: AnswerButton | null;
  readonly deny: AnswerButton;
  /** Null where Graft asks each time. */
  readonly longer: { readonly label: string; readonly offered: readonly LastingAnswers[] } | null;
  /** Why Graft asks each time; "" where it does not, or need not say. */
  readonly always: string;
}

const SCOPES = [
  { scope: "turn", label: t("This turn") },
  { scope: "session", label: t("This session") },
  { scope: "workspace", label: t("This workspace") },
] as const;
/** What is proposed may be other code tomorrow, and in another chat. */
const SCOPES_OF_CHAT = [
  { scope: "turn", label: t("This turn") },
  { scope: "session", label: t("This chat") },
] as const;

/** Says what a tool's call needs permission for. */
export function permissionQuestion(
  call: Pick<ToolCallState, "name" | "origin">,
  asked: AskedPermission,
): PermissionQuestion {
  const { command, commit, eachTime, onProposals } = asked;
  const action = visibleLine(asked.summary);
  const labeled = (label: string, answer: PostedAnswer): AnswerButton => ({
    label,
    description: described(label, action),
    answer,
  });
  const prepare = preparation(asked);
  const subject = commit ? t("Commit this?") : t("{action}?", { action });
  const allow = asked.wantsNetwork ? t("Run with network") : allowLabel(call.name);
  const always =
    call.name === "open_file"
      ? t(
          "Opening it makes VS Code fetch the address, which can carry your data. Graft always asks.",
        )
      : t("This file is protected or may hold keys, so Graft always asks.");
  return {
    action,
    words: command ? commandPlace(command.folder, onProposals) : subject,
    files: listedFiles(commit?.paths ?? []),
    notes: notesOf(asked),
    prepare: prepare && labeled(prepare.label, { allowed: true, first: prepare.first }),
    allow: labeled(prepare ? t("Run without them") : allow, { allowed: true }),
    elsewhere: onProposals?.isChosen
      ? labeled(t("Run on my own files…"), { allowed: true, first: "own-files" })
      : null,
    deny: labeled(denyLabel(call.name), { allowed: false }),
    longer: eachTime
      ? null
      : {
          label: onProposals?.isChosen ? t("Choose for the whole chat") : t("Allow for longer"),
          offered: onProposals?.isChosen ? placesOfChat(action) : permissions(call, asked),
        },
    always: eachTime && !isAgentTool(call.name) ? always : "",
  };
}

/** True for a call of another maker's agent, whose questions name no file. */
function isAgentTool(tool: string): boolean {
  return Object.values(AGENT_TOOL_NAMES).some((each) => each === tool);
}

function notesOf({
  pendingFiles = [],
  unsavedFiles = [],
  programs = [],
  onProposals,
  notOnProposals,
}: AskedPermission): readonly string[] {
  return [
    ...(onProposals ? [placeNote(onProposals)] : []),
    ...(programs.length > 0
      ? [t("The repository makes it run: {programs}.", { programs: shortList(programs) })]
      : []),
    ...(pendingFiles.length > 0 ? [notSeenText("proposed", pendingFiles)] : []),
    ...(notOnProposals ? [noProposalsText(notOnProposals)] : []),
    ...(unsavedFiles.length > 0 ? [notSeenText("unsaved", unsavedFiles)] : []),
  ];
}

/** What a command on the proposals can change. */
function placeNote({
  backend,
  isSandboxed,
  isConfined,
}: NonNullable<AskedPermission["onProposals"]>): string {
  if (isSandboxed) return t("Your files do not change. It has no network.");
  if (isConfined)
    return t(
      "These changes can alter what it does, and it runs with your account. It can write only to the proposals and to the agent's own folders.",
    );
  return backend === "copy"
    ? t(
        "These changes can alter what it does, and it runs with your account. The copy is at another path: absolute paths, and paths or links out of it, lead to your own files.",
      )
    : t(
        "These changes can alter what it does, and it runs with your account. Your files in the workspace do not change. A path or link out of it leads to your own files.",
      );
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
        "It cannot run on the proposals: git would change a repository outside the copy that has them.",
      )
    : t("It cannot run on the proposals on this machine. Graft: Diagnose tells why.");
}

function preparation({
  pendingFiles = [],
  unsavedFiles = [],
}: AskedPermission): { label: string; first: "accept-all" | "save-files" } | null {
  if (pendingFiles.length > 0) return { label: t("Accept all and run"), first: "accept-all" };
  return unsavedFiles.length > 0 ? { label: t("Save and run"), first: "save-files" } : null;
}

/**
 * What can be allowed for longer: all that a permission covers, and for some commands also further
 * words after them.
 */
function permissions(
  call: Pick<ToolCallState, "name" | "origin">,
  { command, server, host, onProposals }: AskedPermission,
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
    answers: (onProposals ? SCOPES_OF_CHAT : SCOPES).map(({ scope, label }) => ({
      label,
      description: alwaysAllow(what, onProposals && scope === "session" ? "chat" : scope),
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

function listedFiles(paths: readonly string[]): readonly string[] {
  const rest = paths.length - MAX_LISTED;
  const files = paths.slice(0, MAX_LISTED).map(visibleLine);
  return rest > 0 ? [...files, t("{count} more", { count: rest })] : files;
}

/** A button's accessible name, which begins with its label. */
function described(label: string, action: string): string {
  return action.startsWith(label) ? action : `${label}: ${action}`;
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
  if (onProposals?.backend === "copy")
    return t("Run this command in a copy of the workspace, with the proposals?");
  if (onProposals) return t("Run this command on the proposals?");
  if (folder === "." || folder === "") return t("Run this command in the workspace?");
  return t("Run this command in {folder}?", { folder: visibleLine(folder) });
}
