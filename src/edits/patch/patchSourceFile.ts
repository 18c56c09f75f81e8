import * as z from "zod/mini";
import { ok } from "../../base/result.ts";
import { lineNumberAt } from "../../base/text/lines.ts";
import type { BlockWarning, Proposal, ProposedBlock } from "../../ports/review.ts";
import { allowSecret, type FileSnapshot } from "../../ports/workspace.ts";
import { defineTool } from "../../tools/defineTool.ts";
import { fileToolError } from "../../tools/files/fileToolError.ts";
import { editablePath } from "../../tools/permissions/changeablePath.ts";
import { readCaution } from "../../tools/permissions/readCaution.ts";
import type { Tool, ToolContext, ToolResult } from "../../tools/tool.ts";
import { spanText } from "../../turns/promptText.ts";
import { fileLines } from "../drafts/lineChange.ts";
import { openedBlock, type WrittenBlock } from "../drafts/writtenBlock.ts";
import type { EditModeDeps } from "../editModeDeps.ts";
import type { EditSession } from "../editSession.ts";
import { bodyWarnings } from "../guards/bodyWarnings.ts";
import { bracketLeaver } from "../guards/bracketChange.ts";
import { findElision } from "../guards/findElision.ts";
import { addedTextErrors } from "../guards/textErrors.ts";
import { elisionReason, patchConflictText, patchSlipsText } from "../messages.ts";
import type { OpenSessions } from "../openSessions.ts";
import { proposeWithReport } from "../proposeBlocks.ts";
import type { TextEdit } from "../text/changeSet.ts";
import { applyEdits, countChangedLines } from "../text/changeSet.ts";
import { type FileStyle, fileStyle } from "../text/fileStyle.ts";
import { locatePatches, type PatchConflict } from "./locatePatches.ts";
import { type PatchedLines, patchedLines } from "./patchedLines.ts";
import type { Patch, RepairedPatch } from "./repairPatch.ts";

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

/**
 * `patch_source_file`: exact search and replace in one file, as a proposal that the user reviews
 * like the blocks of edit mode.
 */
export function createPatchSourceFile(
  deps: EditModeDeps,
  sessionsOf: (context: ToolContext) => OpenSessions<EditSession>,
): Tool {
  return defineTool({
    name: "patch_source_file",
    description:
      "Proposes a few short changes to one existing file by exact search and replace; the user reviews them before anything is written. For long or many changes use edit_mode. A search text that is not there exactly once is a conflict: nothing is proposed, and the answer names its line.",
    category: "file",
    effect: "write",
    reviewed: true,
    schema,
    question: ({ file_path }) => ({
      summary: `Propose edits to ${file_path}`,
      look: async () => ({ caution: await readCaution(deps.workspace, [file_path]) }),
    }),
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
  const { workspace } = deps;
  const found = await editablePath(workspace, path);
  if (!found.ok) return fileToolError(found.error);
  const file = context.asked ? ok(allowSecret(found.value)) : found;
  const locked = await workspace.writable(file.value);
  if (locked) return fileToolError(locked);
  const read = await workspace.read(file.value, context.signal);
  if (!read.ok) return fileToolError(read.error);
  const snapshot = read.value;
  const located = locatePatches(snapshot.text, patches, file.value.path);
  if (!located.ok) return conflicting(located.error, file.value.path);
  const elided = elision(snapshot, located.value);
  if (elided) return elided;
  const patched = asLines(snapshot.text, located.value, file.value.path);
  const edits = patched.map(({ patch }) => patch);
  const addsSyntaxError = await breaksSyntax(deps, snapshot, edits, context.signal);
  if (context.signal.aborted)
    return {
      ok: false,
      error: { category: "cancelled", message: "The patch was cancelled.", recovery: null },
    };
  // The lines that its blocks would name are about to change.
  sessions.find(file.value.path)?.end("replaced");
  const brackets = patched.map((lines) => lines.brackets);
  const leaves = bracketLeaver(brackets, true);
  const blocks = patched.map((lines) => {
    const pair: readonly BlockWarning[] = leaves(lines.brackets) ? [{ code: "cuts-brackets" }] : [];
    const warnings = [...lines.warnings, ...pair];
    const index = sessions.nextIndex();
    return blockOf(snapshot, lines.patch, index, addsSyntaxError, warnings, context.callId);
  });
  const { callId, emit, turnId } = context;
  const origin = { chatId: deps.chatId, turnId, callId };
  const report = await proposeWithReport(
    { ...deps, emit },
    snapshot,
    origin,
    blocks,
    patchedProposal(snapshot, edits, blocks),
  );
  const slips = patchSlipsText(edits.map((edit) => edit.slips));
  return { ok: true, output: slips === null ? report : `${report}\n\n${slips}` };
}

/** The answer for patches that have no place. */
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

/** The answer where a replacement leaves text out; null where none does. */
function elision(
  { file, text }: FileSnapshot,
  patches: readonly RepairedPatch[],
): ToolResult | null {
  for (const { start, end, newText } of patches) {
    const found = findElision(newText.split(/\r\n|\n|\r/), text.slice(start, end), file.path);
    if (found === null) continue;
    const message = `The replacement was refused. ${elisionReason(found)}`;
    return { ok: false, error: { category: "validation", message, recovery: null } };
  }
  return null;
}

/**
 * The patches by the rules of blocks. One whose whole lines another one changes too stays as it is.
 */
function asLines(
  text: string,
  located: readonly RepairedPatch[],
  path: string,
): readonly PatchedLines[] {
  const file = fileLines(text);
  let known: FileStyle | null = null;
  const style = () => (known ??= fileStyle(text));
  return located.map((patch) => {
    const lines = patchedLines(file, text, patch, style, path);
    const { start, end } = lines.patch;
    const isShared = located.some(
      (other) => other !== patch && other.start < end && start < other.end,
    );
    return isShared ? { ...lines, patch } : lines;
  });
}

function blockOf(
  snapshot: FileSnapshot,
  edit: TextEdit,
  index: number,
  addsSyntaxError: boolean,
  warnings: readonly BlockWarning[],
  callId: string,
): WrittenBlock {
  const { start, end, newText } = edit;
  const oldText = snapshot.text.slice(start, end);
  const first = lineNumberAt(snapshot.text, start);
  const last = Math.max(
    first,
    lineNumberAt(snapshot.text, end - (/[\r\n]$/.test(oldText) ? 1 : 0)),
  );
  const target = spanText({ first, last });
  const lines = newText.split(/\r\n|\n|\r/);
  return {
    ...openedBlock({
      blockId: `${callId}-${index}`,
      index,
      step: 0,
      target,
      written: target,
      op: newText === "" ? "remove" : "replace",
      textStart: 0,
    }),
    textEnd: 0,
    status: "captured",
    warnings: [...bodyWarnings(lines, oldText.split(/\r\n|\n|\r/), addsSyntaxError), ...warnings],
    ...countChangedLines(snapshot.text, applyEdits([edit], snapshot.text)),
    lines,
  };
}

function patchedProposal(
  { text: before }: FileSnapshot,
  edits: readonly TextEdit[],
  blocks: readonly WrittenBlock[],
): Proposal {
  const sorted = [...edits.entries()].sort(([, a], [, b]) => a.start - b.start);
  const text = applyEdits(
    sorted.map(([, edit]) => edit),
    before,
  );
  const proposed: ProposedBlock[] = [];
  let shift = 0;
  for (const [index, { start, end, newText }] of sorted) {
    const block = blocks[index];
    if (block) {
      const { blockId, warnings } = block;
      proposed.push({
        blockId,
        warnings,
        ...wholeLines(text, start + shift, start + shift + newText.length),
      });
    }
    shift += newText.length - (end - start);
  }
  return { text, blocks: proposed };
}

/**
 * Extends a block's range to whole lines, since a review divides a text by lines. Whole removed
 * lines leave an empty range.
 */
function wholeLines(
  text: string,
  start: number,
  end: number,
): { readonly start: number; readonly end: number } {
  const first = text.lastIndexOf("\n", start - 1) + 1;
  if (start === end && start === first) return { start, end };
  const last = text.indexOf("\n", Math.max(start, end - 1));
  return { start: start === 0 ? 0 : first, end: last < 0 ? text.length : last + 1 };
}

/** True for edits that add a syntax error to a file that has none. */
async function breaksSyntax(
  { syntax }: EditModeDeps,
  { file, languageId, text }: FileSnapshot,
  edits: readonly TextEdit[],
  signal: AbortSignal,
): Promise<boolean> {
  const after = applyEdits(
    [...edits].sort((a, b) => a.start - b.start),
    text,
  );
  const whole = new Map([["", { start: 0, end: after.length }]]);
  if (addedTextErrors(file.path, text, after, whole).size > 0) return true;
  const document = await syntax.openFile(file.path, languageId, text, signal);
  if (!document) return false;
  try {
    if (document.errorCount() > 0) return false;
    for (const edit of [...edits].sort((a, b) => b.start - a.start))
      document.edit(edit, edit.newText);
    return document.errorCount() > 0;
  } finally {
    document.dispose();
  }
}
