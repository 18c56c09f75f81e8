import type { Localize } from "../base/localize.ts";
import type { ShadowProblem } from "../ports/commands/shadow.ts";
import type { Diagnostic } from "../ports/languageServices.ts";
import { fileErrorMessage } from "../ports/messages.ts";
import type { CommandBackend } from "../tools/processTools.ts";
import { fileCount } from "../turns/messages.ts";
import type { EditTargetProblem } from "./workspace/editTarget.ts";

/** Why edit mode did not start. */
export type StartProblem = EditTargetProblem | { readonly code: "busy" | "no-instruction" };

/** Tells the user why edit mode did not start. */
export function startProblemMessage(t: Localize, problem: StartProblem): string {
  switch (problem.code) {
    case "busy":
      return t(
        "Graft is still working on the last request. Wait for it or stop it, then start edit mode.",
      );
    case "no-instruction":
      return t("Describe what should change.");
    case "no-file":
      return t("No file is open. Open the file to edit, or use the Explorer's context menu.");
    case "unsaved-file":
      return t("This file has not been saved yet. Save it in the workspace, then start edit mode.");
    case "not-a-file":
      return t("This is not a workspace file. Open the file itself to edit it.");
    default:
      return fileErrorMessage(problem, t);
  }
}

/** `1 change`, `3 changes`. */
export function changeCount(t: Localize, count: number): string {
  return count === 1 ? t("1 change") : t("{count} changes", { count });
}

/** `1 file to review`, `3 files to review`. */
function filesToReview(t: Localize, count: number): string {
  return count === 1 ? t("1 file to review") : t("{count} files to review", { count });
}

/** What a window with several chats has for the user, in numbers. */
export interface Waiting {
  readonly asks: number;
  readonly files: number;
  /** Chats whose turn ended where nobody has seen it, and chats in which one runs. */
  readonly done: number;
  readonly running: number;
}

/** The items that await the user: `2 questions, 1 file to review, 1 chat done`. */
export function waitingText(t: Localize, { asks, files, done, running }: Waiting): string {
  const counted = (count: number, one: string, several: string) =>
    count === 0 ? [] : [count === 1 ? one : several];
  const parts = [
    ...counted(asks, t("1 question"), t("{count} questions", { count: asks })),
    ...(files > 0 || asks + done === 0 ? [filesToReview(t, files)] : []),
    ...counted(done, t("1 chat done"), t("{count} chats done", { count: done })),
    ...counted(running, t("1 chat running"), t("{count} chats running", { count: running })),
  ];
  return parts.join(", ");
}

type FileProblems = readonly { readonly path: string; readonly problems: readonly Diagnostic[] }[];

/** The most errors that a request lists. */
const MAX_LISTED = 20;

/** The offer in the status bar: `2 new errors in cart.ts · Fix`. */
export function newProblemsLabel(t: Localize, files: FileProblems): string {
  const count = files.reduce((sum, { problems }) => sum + problems.length, 0);
  const [first, ...more] = files.map(({ path }) => path);
  const place =
    first !== undefined && more.length === 0
      ? first.slice(first.lastIndexOf("/") + 1)
      : fileCount(t, files.length);
  return count === 1
    ? t("1 new error in {place} · Fix", { place })
    : t("{count} new errors in {place} · Fix", { count, place });
}

/** The request to the model to fix errors. */
export function newProblemsRequest(t: Localize, files: FileProblems): string {
  const all = files.flatMap(({ problems }) => problems);
  const lines = all
    .slice(0, MAX_LISTED)
    .map(({ path, line, message }) => `- ${path}:${line}: ${message.replace(/\s*\n\s*/g, " ")}`);
  const rest = all.length - lines.length;
  const more = rest > 0 ? [t("- {count} more", { count: rest })] : [];
  return [
    t("These errors appeared after I accepted your changes. Fix them."),
    "",
    ...lines,
    ...more,
  ].join("\n");
}

/** What Graft found out about itself and its surroundings. */
export interface Diagnosis {
  readonly version: string;
  readonly editor: string;
  readonly isTrusted: boolean;
  /** Null in the browser, which runs no programs. */
  readonly machine: { readonly system: string; readonly git: string | null } | null;
  /** How commands see proposals; null where none can run. */
  readonly commands: CommandBackend | null;
  readonly storage: string;
  /** True where this window decides on the workspace's proposals. */
  readonly hasProposals: boolean;
}

/** The lines of a diagnosis. */
export function diagnosisText(t: Localize, facts: Diagnosis): readonly string[] {
  const { version, editor, isTrusted, machine, commands, storage, hasProposals } = facts;
  const system = machine?.system ?? t("the browser, which runs no programs");
  const git = machine?.git ?? t("not found");
  return [
    t("Graft {version}", { version }),
    t("Editor: {editor}", { editor }),
    t("System: {system}", { system }),
    isTrusted ? t("The workspace is trusted.") : t("The workspace is not trusted."),
    t("Git: {git}", { git }),
    ...(commands === null ? [] : backendText(t, commands)),
    t("Storage: {folder}", { folder: storage }),
    hasProposals
      ? t("This window reviews this workspace's proposals.")
      : t("Another window reviews this workspace's proposals."),
  ];
}

function backendText(
  t: Localize,
  { backend, isSandboxed, noOverlay, noSandbox, noCopy, mostCopies }: CommandBackend,
): readonly string[] {
  const places = {
    overlay: t("Commands run on proposals in an overlay over the workspace."),
    copy: t("Commands run on proposals in a copy of the workspace, at another path."),
    none: t("Commands cannot run on proposals."),
  };
  return [
    places[backend ?? "none"],
    ...(mostCopies === undefined
      ? []
      : [
          t("At most {count} chats keep their copy. The one used longest ago is removed first.", {
            count: mostCopies,
          }),
        ]),
    ...(noOverlay
      ? [t("There is no overlay: {reason}", { reason: shadowReason(t, noOverlay) })]
      : []),
    ...(isSandboxed
      ? [
          t(
            "They run in a sandbox there, without a question: no network, none of your services, nothing of your home folder but programs and packages, other files outside of the workspace read-only, and files of the workspace that may hold keys empty.",
          ),
        ]
      : []),
    ...(noSandbox
      ? [t("There is no sandbox: {reason}", { reason: shadowReason(t, noSandbox) })]
      : []),
    ...(noCopy ? [t("There is no copy: {reason}", { reason: shadowReason(t, noCopy) })] : []),
  ];
}

/** The code, which says most to whoever can help, with what the system said. */
function shadowReason(t: Localize, { code, detail, path, size }: ShadowProblem): string {
  const megabytes = (bytes: number) => Math.ceil(bytes / 1_048_576);
  const sizes = size && { size: megabytes(size.bytes), limit: megabytes(size.limit) };
  const more = [
    detail,
    path ?? "",
    sizes ? t("at least {size} MB, more than {limit} MB", sizes) : "",
  ];
  const said = more.filter((part) => part !== "").join(" · ");
  return said === "" ? code : `${code}: ${said}`;
}

/** Shown in VS Code's dialog that asks whether Graft may use another extension's models. */
export function languageModelJustification(t: Localize): string {
  return t("Graft sends your chat messages and the files they need to this model.");
}
