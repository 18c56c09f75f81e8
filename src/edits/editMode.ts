import * as z from "zod/mini";
import type { Result } from "../base/result.ts";
import { countTextLines } from "../base/text/lines.ts";
import { allowSecret, type FileError, type FileSnapshot, readToEdit } from "../ports/workspace.ts";
import { outlineUnavailableMessage } from "../syntax/messages.ts";
import { outlineUnavailableReason } from "../syntax/outlineUnavailable.ts";
import { defineTool } from "../tools/defineTool.ts";
import { fileToolError } from "../tools/files/fileToolError.ts";
import { editablePath } from "../tools/permissions/changeablePath.ts";
import type { Tool, ToolContext, ToolResult } from "../tools/tool.ts";
import type { StreamRegistry } from "../turns/streamRegistry.ts";
import { activationReply } from "./answer/activationReply.ts";
import type { AddressFormat } from "./answer/captureOptions.ts";
import { OpenSessions } from "./answer/openSessions.ts";
import { type EditModeDeps, fileEdits } from "./editModeDeps.ts";
import { EditSession } from "./editSession.ts";
import { createPatchSourceFile } from "./propose/patchSourceFile.ts";

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
  /** Start Edit Mode on File: the reply also holds the text. The user asked, so no approval. */
  activate(parameters: EditModeParameters, context: ToolContext): Promise<ToolResult>;
}

/** Who turns edit mode on: a model's call, the user, or an agent's block that names its file. */
type Door = "call" | "user" | "block";

/** The longest file, in lines, that a model is asked to write as a whole. */
const MAX_WHOLE_FILE = 300;

/**
 * Edit mode over a workspace. Proposals go to `reviewer`; nothing is written here. With `byBlocks`
 * the tool is called for blocks that name their files, and only such blocks count.
 */
export function createEditMode(deps: EditModeDeps, byBlocks = false): EditModeTools {
  // An agent that a turn started has a stream of its own.
  const running = new WeakMap<
    StreamRegistry,
    { readonly turnId: string; readonly sessions: OpenSessions<EditSession> }
  >();
  const sessionsOf = ({ turnId, streams }: ToolContext): OpenSessions<EditSession> => {
    const known = running.get(streams);
    if (known?.turnId === turnId) return known.sessions;
    const sessions = new OpenSessions<EditSession>(byBlocks);
    running.set(streams, { turnId, sessions });
    return sessions;
  };
  return {
    tool: defineTool({
      name: "edit_mode",
      description:
        "Turns on edit mode for one file, existing or new. Afterwards you write the changes as fenced code blocks with an address in your next message; the answer states the exact format and the addresses. While several files are in edit mode, each opener ends with its file's path (```LANGUAGE:3:9 PATH). The user reviews the changes before anything is written. For new, long or many changes; for a few short ones patch_source_file takes one step less.",
      schema,
      ...fileEdits(deps),
      execute: (parameters, context) =>
        openEditMode(deps, parameters, context, sessionsOf(context), byBlocks ? "block" : "call"),
    }),
    patchTool: createPatchSourceFile(deps, sessionsOf),
    activate: (parameters, context) =>
      openEditMode(deps, parameters, context, sessionsOf(context), "user"),
  };
}

async function openEditMode(
  deps: EditModeDeps,
  parameters: EditModeParameters,
  context: ToolContext,
  sessions: OpenSessions<EditSession>,
  door: Door,
): Promise<ToolResult> {
  const withText = door === "user";
  const { complete_file, use_line_numbers } = parameters;
  if (complete_file === true && use_line_numbers !== undefined) {
    return invalid(
      `complete_file=true and use_line_numbers=${use_line_numbers} contradict each other: a complete file has no addresses.`,
      "Give one of them.",
    );
  }
  const read = await readAsked(deps, parameters, context, withText);
  if (!read.ok) return fileToolError(read.error);
  const snapshot = read.value;
  const { path } = snapshot.file;
  if (door === "block" && !snapshot.exists) return fileToolError({ code: "not-found", path });
  const { signal, callId, emit, turnId } = context;
  const text = snapshot.text.replace(/^\uFEFF/, "");
  // The first valid block of another maker's agent decides.
  const asked = door === "block" ? null : askedFormat(deps, parameters, snapshot, turnId);
  const { syntax } = deps;
  const document = await syntax.openFile(path, snapshot.languageId, text, signal);
  const noOutline = document
    ? ""
    : outlineUnavailableMessage(outlineUnavailableReason(syntax, path, snapshot.languageId, text));
  if (!document && asked === "ast")
    return invalid(noOutline, "Call edit_mode with use_line_numbers=true.");
  if (signal.aborted) {
    document?.dispose();
    return {
      ok: false,
      error: { category: "cancelled", message: "edit_mode was cancelled.", recovery: null },
    };
  }
  sessions.find(path)?.end("replaced");
  const renew = async () => {
    const again = await openEditMode(deps, parameters, context, sessions, door);
    return again.ok ? again.output : null;
  };
  const session = new EditSession({
    ...{
      ...deps,
      asked,
      parameter: use_line_numbers,
      turnId,
      callId,
      emit,
      snapshot,
      document,
      sessions,
    },
    renew: withText ? renew : null,
  });
  const { shown } = deps;
  const activation = {
    ...{ snapshot, mode: session.mode, useLineNumbers: use_line_numbers, document, noOutline },
    ...{ otherFiles: sessions.paths, withText },
  };
  const answer = door === "block" ? NO_REPLY : activationReply({ ...activation, shown, turnId });
  const view = { path, first: 1, last: answer.shownLines };
  shown.add({ ...view, turnId, text, version: snapshot.version });
  session.start((listener) => context.streams.register(callId, listener));
  const views = answer.shownLines === 0 ? [] : [{ ...view, total: countTextLines(text) }];
  return { ok: true, output: answer.text, views };
}

/** Reads the file that the parameters name. Users may edit, and show, any file they name. */
async function readAsked(
  { workspace }: EditModeDeps,
  { file_path }: EditModeParameters,
  { asked, signal }: ToolContext,
  byUser: boolean,
): Promise<Result<FileSnapshot, FileError>> {
  const file = await (byUser ? workspace.resolve(file_path) : editablePath(workspace, file_path));
  if (!file.ok) return file;
  return readToEdit(workspace, byUser || asked ? allowSecret(file.value) : file.value, signal);
}

/** An agent that calls nothing hears no reply. */
const NO_REPLY = { text: "", shownLines: 0 };

/** The mode that the parameters, or else the settings, ask for; null lets the first block decide. */
function askedFormat(
  deps: EditModeDeps,
  { complete_file, use_line_numbers }: EditModeParameters,
  snapshot: FileSnapshot,
  turnId: string,
): AddressFormat {
  const isOpen = complete_file === undefined && use_line_numbers === undefined;
  const preferred = isOpen ? (deps.format?.(turnId) ?? "ast") : "ast";
  if (complete_file === true || !snapshot.exists) return "complete";
  const lineCount = countTextLines(snapshot.text.replace(/^\uFEFF/, ""));
  if (preferred === "complete" && lineCount <= MAX_WHOLE_FILE) return "complete";
  const byLines = use_line_numbers ?? (preferred === "ast" ? undefined : true);
  return byLines === undefined ? null : byLines ? "lines" : "ast";
}

function invalid(message: string, recovery: string): ToolResult {
  return { ok: false, error: { category: "validation", message, recovery } };
}
