import * as z from "zod/mini";
import { ok } from "../../base/result.ts";
import { lineNumberAt } from "../../base/text/lines.ts";
import { allowSecret, type FileSnapshot } from "../../ports/workspace.ts";
import { defineTool } from "../../tools/defineTool.ts";
import { fileToolError } from "../../tools/files/fileToolError.ts";
import { failed } from "../../tools/messages.ts";
import { editablePath } from "../../tools/permissions/changeablePath.ts";
import type { Tool, ToolContext, ToolResult } from "../../tools/tool.ts";
import { spanText } from "../../turns/promptText.ts";
import type { OpenSessions } from "../answer/openSessions.ts";
import { type Block, become, type FailedStatus, openedBlock } from "../block.ts";
import { judgeBlocks } from "../check/judgeBlocks.ts";
import { type EditModeDeps, fileEdits } from "../editModeDeps.ts";
import type { EditSession } from "../editSession.ts";
import type { Patch, RepairedPatch } from "../fit/searchSlips.ts";
import { patchConflictText, patchRefusalText } from "../messages.ts";
import { type EditedFile, withEditedFile } from "../place/editedFile.ts";
import { PatchPlacer, sharesLines } from "../place/patchPlacer.ts";
import { locatePatches, type PatchConflict } from "./locatePatches.ts";
import { proposalOf, proposeWithReport } from "./proposeBlocks.ts";
import { proposeBody } from "./proposeBody.ts";

const schema = z.object({
  file_path: z.string().check(z.minLength(1), z.describe("The file, relative to the workspace.")),
  edits: z
    .array(
      z.object({
        search: z
          .string()
          .check(
            z.minLength(1),
            z.describe(
              "The text to replace, exactly as it is in the file, blanks too, without line numbers; long enough to be there once.",
            ),
          ),
        replace: z
          .string()
          .check(z.describe("The complete text to put in its place; empty to delete it.")),
      }),
    )
    .check(
      z.minLength(1),
      z.maxLength(50),
      z.describe("All refer to the file as it is now, and none overlap."),
    ),
});

/** `patch_source_file`: exact search and replace in one file, as a proposal for review. */
export function createPatchSourceFile(
  deps: EditModeDeps,
  sessionsOf: (context: ToolContext) => OpenSessions<EditSession>,
): Tool {
  return defineTool({
    name: "patch_source_file",
    description:
      "Proposes a few short changes to one existing file by exact search and replace; the user reviews them before anything is written. For long or many changes use edit_mode. A search text that is not there exactly once is a conflict: nothing is proposed, and the answer names its line.",
    schema,
    ...fileEdits(deps),
    execute: ({ file_path, edits }, context) =>
      patch(deps, sessionsOf(context), file_path, edits, context),
  });
}

async function patch(
  deps: EditModeDeps,
  sessions: OpenSessions<EditSession>,
  path: string,
  patches: readonly Patch[],
  context: ToolContext,
): Promise<ToolResult> {
  const { workspace, syntax } = deps;
  const found = await editablePath(workspace, path);
  if (!found.ok) return fileToolError(found.error);
  const file = context.asked ? ok(allowSecret(found.value)) : found;
  const locked = await workspace.writable(file.value);
  if (locked) return fileToolError(locked);
  const { signal } = context;
  const read = await workspace.read(file.value, signal);
  if (!read.ok) return fileToolError(read.error);
  const snapshot = read.value;
  const text = snapshot.text.replace(/^\uFEFF/, "");
  const located = locatePatches(text, patches, file.value.path);
  if (!located.ok) return conflicting(located.error, file.value.path);
  return withEditedFile(snapshot, syntax, signal, (edited) =>
    signal.aborted
      ? failed("cancelled", { tool: "patch_source_file", begun: false })
      : proposePatches(deps, sessions, snapshot, located.value, edited, context),
  );
}

async function proposePatches(
  deps: EditModeDeps,
  sessions: OpenSessions<EditSession>,
  snapshot: FileSnapshot,
  patches: readonly RepairedPatch[],
  file: EditedFile,
  { callId, emit, turnId }: ToolContext,
): Promise<ToolResult> {
  const { path } = file;
  const draft = new PatchPlacer(file);
  const blocks: Block<"captured">[] = [];
  for (const patch of patches) {
    const block = blockOf(file.text, patch, sessions.nextIndex(), callId);
    const lines = patch.newText.split(/\r\n|\n|\r/);
    const isFitted =
      patch.slips.some((slip) => slip !== "line-break") || sharesLines(file.text, patch, patches);
    const made = proposeBody(
      block,
      { lines, eol: "\n" },
      {
        ...{ file, draft, place: draft.place(block.blockId, patch), warnings: [], shown: null },
        repairs: isFitted ? "none" : "slips",
      },
    );
    if (made.status !== "captured") return refusal(made);
    blocks.push(made);
  }
  // The lines that its blocks would name are about to change.
  sessions.find(path)?.end("replaced");
  const warningsOf = judgeBlocks(blocks, draft, file, () => false);
  const judged = blocks.map((block) => become(block, { warnings: warningsOf(block) }));
  const report = await proposeWithReport(
    { ...deps, emit },
    snapshot,
    { chatId: deps.chatId, turnId, callId },
    judged,
    proposalOf(judged, draft, file, null),
  );
  return { ok: true, output: report };
}

/** The block of a patch, whose ends its search text proves. */
function blockOf(
  text: string,
  { start, end, newText, slips }: RepairedPatch,
  index: number,
  callId: string,
): Block<"streaming"> {
  const oldText = text.slice(start, end);
  const first = lineNumberAt(text, start);
  const last = Math.max(first, lineNumberAt(text, end - (/[\r\n]$/.test(oldText) ? 1 : 0)));
  const target = spanText({ first, last });
  const block = openedBlock({
    ...{ blockId: `${callId}-${index}`, index, step: 0, target, written: target, textStart: 0 },
    op: newText === "" ? "remove" : "replace",
  });
  const adjustments = slips.length > 0 ? [{ code: "repaired", slips } as const] : [];
  return become(block, { textEnd: 0, proven: PROVEN, adjustments });
}

const CERTAIN = { outside: false, inside: false };
const PROVEN = { checked: true, first: CERTAIN, last: CERTAIN };

function refusal(block: Block<"held" | FailedStatus>): ToolResult {
  const message = patchRefusalText(block);
  return { ok: false, error: { category: "validation", message, recovery: null } };
}

function conflicting(conflict: PatchConflict, path: string): ToolResult {
  const isMissing = conflict.code === "not-found";
  const next = isMissing
    ? " Read the place again and copy the search text from there, without line numbers."
    : "";
  return {
    ok: false,
    error: {
      category: isMissing ? "not-found" : "validation",
      message: patchConflictText(conflict),
      recovery: `Nothing was changed in ${path}.${next}`,
    },
  };
}
