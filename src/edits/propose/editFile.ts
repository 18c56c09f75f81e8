import * as z from "zod/mini";
import { thrownText } from "../../base/text/sentence.ts";
import { type FileSnapshot, readToEdit } from "../../ports/workspace.ts";
import { namedTool } from "../../tools/defineTool.ts";
import { fileToolError } from "../../tools/files/fileToolError.ts";
import { failed } from "../../tools/messages.ts";
import { editablePath } from "../../tools/permissions/changeablePath.ts";
import type { Tool, ToolContext, ToolResult } from "../../tools/tool.ts";
import { claimsOfOne } from "../answer/openSessions.ts";
import { viewedElements } from "../answer/viewedElements.ts";
import { type Block, editBlockOf } from "../block.ts";
import { type EditModeDeps, fileEdits } from "../editModeDeps.ts";
import { blockReport } from "../messages.ts";
import { type EditedFile, withEditedFile } from "../place/editedFile.ts";
import { type BlockCapture, captureEdits } from "./blockCapture.ts";
import { proposeWithReport } from "./proposeBlocks.ts";

/** The longest code of one edit, in UTF-16 units. */
const MAX_CODE = 5_000_000;

const schema = z.object({
  file_path: z
    .string()
    .check(z.minLength(1), z.describe("The file to edit or to create, relative to the workspace.")),
  edits: z
    .array(
      z.object({
        at: z
          .optional(z.string().check(z.regex(/^(?:ast-path:[^\r\n]+|\d+:\d+[^\r\n]*)$/)))
          .check(
            z.describe(
              'Where: ast-path:PATH for an element of the outline, or FIRST:LAST for lines (1-based, inclusive). Without more it is replaced. A suffix says otherwise: :before, :after, :remove, and for elements :with-comment, :append, :prepend (as last or first member). After lines, up to two quoted checks say how the first and the last old line begin: 3:9 "const a" "}". Left out: the code is the whole file, new or existing.',
            ),
          ),
        code: z
          .string()
          .check(
            z.maxLength(MAX_CODE),
            z.describe("The complete new code for that place, nothing left out; empty to remove."),
          ),
      }),
    )
    .check(
      z.minLength(1),
      z.maxLength(50),
      z.describe("All lines or all elements, of the file as it is now; none overlap."),
    ),
});

type Edit = z.infer<typeof schema>["edits"][number];

/** `edit_file`: its arguments are captured, checked and proposed as blocks of an answer are. */
export function createEditFile(deps: EditModeDeps): Tool {
  return namedTool("edit_file", {
    description:
      "Changes one file by AST path or by lines, creates it, or replaces it as a whole. Read with read_file what you replace: a replacement of text that you never read is not accepted unseen. The answer says for each edit what became of it and why.",
    schema,
    ...fileEdits(deps),
    execute: ({ file_path, edits }, context) => editFile(deps, file_path, edits, context),
  });
}

async function editFile(
  deps: EditModeDeps,
  path: string,
  edits: readonly Edit[],
  context: ToolContext,
): Promise<ToolResult> {
  const file = await editablePath(deps.workspace, path);
  if (!file.ok) return fileToolError(file.error);
  const read = await readToEdit(deps.workspace, file.value, context.signal);
  if (!read.ok) return fileToolError(read.error);
  const snapshot = read.value;
  const kinds = new Set(edits.map(formatOf));
  const [kind] = kinds;
  if (kinds.size > 1 || (kind === "complete" && edits.length > 1)) return failed("mixed-edits", {});
  if (!snapshot.exists && kind !== "complete")
    return fileToolError({ code: "not-found", path: snapshot.file.path });
  return withEditedFile(snapshot, deps.syntax, context.signal, (file) =>
    context.signal.aborted
      ? failed("cancelled", { tool: "edit_file", begun: false })
      : proposeEdits(deps, snapshot, edits, file, context),
  );
}

async function proposeEdits(
  deps: EditModeDeps,
  snapshot: FileSnapshot,
  edits: readonly Edit[],
  edited: EditedFile,
  { callId, emit, turnId }: ToolContext,
): Promise<ToolResult> {
  const { shown } = deps;
  const { path } = edited;
  const capture = captured(deps, edited, edits, { turnId, callId });
  capture.list.warn((block) => {
    const { warnings } = block;
    const isUnknown = isUnread(block, snapshot, shown, turnId);
    return isUnknown ? [...warnings, { code: "never-read", forgotten: false }] : warnings;
  });
  const { blocks } = capture;
  const isCaptured = blocks.some(({ status }) => status === "captured");
  for (const block of blocks)
    if (block.status !== "captured")
      emit({ type: "edit-update", edit: editBlockOf(block, callId, path) });
  if (!isCaptured) {
    const lines = blocks.map((block) => `- ${blockReport(block, block.target)}`);
    return failed("nothing-proposed", { path, report: lines.join("\n") });
  }
  const output = await proposeWithReport(
    { ...deps, emit },
    snapshot,
    { chatId: deps.chatId, turnId, callId },
    blocks,
    capture.proposal(),
    capture.mode,
  );
  return { ok: true, output };
}

function captured(
  { held, logger, shown }: EditModeDeps,
  file: EditedFile,
  edits: readonly Edit[],
  { turnId, callId }: { readonly turnId: string; readonly callId: string },
): BlockCapture {
  const { path, ref, text: base } = file;
  const kind = edits[0] ? formatOf(edits[0]) : "complete";
  return captureEdits(
    {
      ...{ callId, file, mode: kind, claims: claimsOfOne(file, kind === "complete") },
      looks: (first, last) => shown.looks(path, turnId, first, last),
      views: () => shown.views(path, turnId),
      onBlock() {},
      onFailure: (error) => logger?.error(`An edit of ${path} failed: ${thrownText(error)}`),
      onHeld: (block) => held.keep({ turnId, callId, file: ref, base, block }),
    },
    0,
    edits.map(({ at, code }) => ({ info: at === undefined ? "code" : `code:${at}`, code })),
  );
}

function formatOf({ at }: Edit): "complete" | "ast" | "lines" {
  if (at === undefined) return "complete";
  return at.startsWith("ast-path:") ? "ast" : "lines";
}

/** True where the agent has neither read nor written what a block replaces. */
function isUnread(
  { op, format }: Block,
  { exists, file: { path }, text }: FileSnapshot,
  shown: EditModeDeps["shown"],
  turnId: string,
): boolean {
  const views = shown.views(path, turnId);
  if (op !== "complete") return format === "lines" && views.length === 0;
  const plain = text.replace(/^\uFEFF/, "");
  if (!exists || plain === "") return false;
  const whole = { start: 0, elementStart: 0, end: plain.length };
  const seen = viewedElements(plain, () => views).check("", whole, plain);
  return !seen.ok || seen.value.length > 0;
}
