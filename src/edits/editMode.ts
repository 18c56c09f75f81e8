import * as z from "zod/mini";
import { countTextLines } from "../base/text/lines.ts";
import { allowSecret, readToEdit } from "../ports/workspace.ts";
import { outlineUnavailableMessage } from "../syntax/messages.ts";
import { outlineUnavailableReason } from "../syntax/outlineUnavailable.ts";
import { defineTool } from "../tools/defineTool.ts";
import { fileToolError } from "../tools/files/fileToolError.ts";
import { editablePath } from "../tools/permissions/changeablePath.ts";
import { readCaution } from "../tools/permissions/readCaution.ts";
import type { Tool, ToolContext, ToolResult } from "../tools/tool.ts";
import { activationReply } from "./activationReply.ts";
import type { EditModeDeps } from "./editModeDeps.ts";
import { EditSession } from "./editSession.ts";
import { OpenSessions } from "./openSessions.ts";
import { createPatchSourceFile } from "./patch/patchSourceFile.ts";

const schema = z.object({
  file_path: z
    .string()
    .check(z.minLength(1), z.describe("The file to edit or to create, relative to the workspace.")),
  use_line_numbers: z
    .optional(z.boolean())
    .check(
      z.describe(
        "true: blocks name lines. false: blocks name elements by AST path. Left out: the answer says what is asked for.",
      ),
    ),
  complete_file: z
    .optional(z.boolean())
    .check(
      z.describe(
        "true: the next plain fenced block in the file's language is its whole new content. Implied for a file that does not exist.",
      ),
    ),
});

/** The parameters of `edit_mode`. */
export type EditModeParameters = z.infer<typeof schema>;

/** The entries to edits that the user reviews. */
export interface EditModeTools {
  /** The tool `edit_mode`, for a model that calls it. */
  readonly tool: Tool;
  /** The tool `patch_source_file`; it ends edit mode for the file it changes. */
  readonly patchTool: Tool;
  /**
   * Start Edit Mode on File, for any model: the reply also holds the file's text. Needs no
   * approval, since the user asked for it.
   */
  activate(parameters: EditModeParameters, context: ToolContext): Promise<ToolResult>;
}

/** The longest file, in lines, that a model is asked to write as a whole. */
const MAX_WHOLE_FILE = 300;

/** Edit mode over a workspace. Proposals go to `reviewer`; nothing is written here. */
export function createEditMode(deps: EditModeDeps): EditModeTools {
  let current: { readonly turnId: string; readonly sessions: OpenSessions<EditSession> } | null =
    null;
  const sessionsOf = ({ turnId }: ToolContext): OpenSessions<EditSession> => {
    if (current?.turnId !== turnId) current = { turnId, sessions: new OpenSessions<EditSession>() };
    return current.sessions;
  };
  return {
    tool: defineTool({
      name: "edit_mode",
      description:
        "Turns on edit mode for one file, existing or new. Afterwards you write the changes as fenced code blocks with an address in your next message; the answer states the exact format and the addresses. While several files are in edit mode, each opener ends with its file's path (```ts:3:9 src/b.ts). The user reviews the changes before anything is written. For new, long or many changes; for a few short ones patch_source_file takes one step less.",
      category: "file",
      effect: "write",
      schema,
      reviewed: true,
      question: ({ file_path }) => ({
        summary: `Propose edits to ${file_path}`,
        look: async () => ({ caution: await readCaution(deps.workspace, [file_path]) }),
      }),
      execute: (parameters, context) =>
        activate(deps, parameters, context, sessionsOf(context), false),
    }),
    patchTool: createPatchSourceFile(deps, sessionsOf),
    activate: (parameters, context) =>
      activate(deps, parameters, context, sessionsOf(context), true),
  };
}

async function activate(
  deps: EditModeDeps,
  parameters: EditModeParameters,
  context: ToolContext,
  sessions: OpenSessions<EditSession>,
  withText: boolean,
): Promise<ToolResult> {
  const { chatId, workspace, syntax, reviewer, shown, held } = deps;
  const { turnId } = context;
  const { complete_file: completeFile, use_line_numbers } = parameters;
  if (completeFile === true && use_line_numbers !== undefined) {
    return invalid(
      `complete_file=true and use_line_numbers=${use_line_numbers} contradict each other: a complete file has no addresses.`,
      "Give one of them.",
    );
  }
  // Users may edit any file they name.
  const file = await (withText
    ? workspace.resolve(parameters.file_path)
    : editablePath(workspace, parameters.file_path));
  if (!file.ok) return fileToolError(file.error);
  // Users may also show any file.
  const read = await readToEdit(
    workspace,
    withText || context.asked ? allowSecret(file.value) : file.value,
    context.signal,
  );
  if (!read.ok) return fileToolError(read.error);
  const snapshot = read.value;
  const text = snapshot.text.replace(/^\uFEFF/, "");
  const isOpen = completeFile === undefined && use_line_numbers === undefined;
  const preferred = isOpen ? (deps.format?.(turnId) ?? "ast") : "ast";
  const whole =
    completeFile === true ||
    !snapshot.exists ||
    (preferred === "complete" && countTextLines(text) <= MAX_WHOLE_FILE);
  const useLineNumbers = use_line_numbers ?? (preferred === "ast" || whole ? undefined : true);
  const document = await syntax.openFile(
    file.value.path,
    snapshot.languageId,
    text,
    context.signal,
  );
  const noOutline = document
    ? ""
    : outlineUnavailableMessage(
        outlineUnavailableReason(syntax, file.value.path, snapshot.languageId, text),
      );
  if (!document && useLineNumbers === false && !whole) {
    return invalid(noOutline, "Call edit_mode with use_line_numbers=true.");
  }
  if (context.signal.aborted) {
    document?.dispose();
    return {
      ok: false,
      error: { category: "cancelled", message: "edit_mode was cancelled.", recovery: null },
    };
  }
  sessions.find(file.value.path)?.end("replaced");
  const session = new EditSession({
    chatId,
    turnId,
    callId: context.callId,
    snapshot,
    document,
    useLineNumbers,
    completeFile: whole,
    reviewer,
    emit: context.emit,
    sessions,
    shown,
    held,
    logger: deps.logger,
    currentText: async (signal) => {
      const current = await workspace.read(session.file, signal);
      return current.ok ? current.value.text : null;
    },
    renew: withText
      ? async () => {
          const again = await activate(deps, parameters, context, sessions, true);
          return again.ok ? again.output : null;
        }
      : null,
  });
  const { mode } = session;
  const otherFiles = sessions.paths;
  const answer = activationReply({
    snapshot,
    mode,
    useLineNumbers,
    document,
    noOutline,
    otherFiles,
    withText,
    shown,
    turnId,
  });
  shown.add({
    turnId,
    path: file.value.path,
    text,
    version: snapshot.version,
    first: 1,
    last: answer.shownLines,
  });
  session.start((listener) => context.streams.register(context.callId, listener));
  const views =
    answer.shownLines === 0
      ? []
      : [{ path: file.value.path, first: 1, last: answer.shownLines, total: countTextLines(text) }];
  return { ok: true, output: answer.text, views };
}

function invalid(message: string, recovery: string): ToolResult {
  return { ok: false, error: { category: "validation", message, recovery } };
}
