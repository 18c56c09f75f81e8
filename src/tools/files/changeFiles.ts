import * as z from "zod/mini";
import type { Localize } from "../../base/localize.ts";
import type { Result } from "../../base/result.ts";
import { countTextLines, withLineEndsOf } from "../../base/text/lines.ts";
import { type FileError, type FileRef, readPath, type Workspace } from "../../ports/workspace.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import { defineTool } from "../defineTool.ts";
import { NOTES } from "../notes.ts";
import { changeablePath } from "../permissions/changeablePath.ts";
import { needsCaution } from "../permissions/changeCaution.ts";
import { readCaution } from "../permissions/readCaution.ts";
import type { CallOutlook, Tool, ToolContext, ToolResult } from "../tool.ts";
import { fileToolError } from "./fileToolError.ts";
import { type OperationProposals, operationAt, proposeOperation } from "./proposeOperation.ts";
import type { ViewedFiles } from "./viewedFiles.ts";

const createSchema = z.object({
  file_path: z
    .string()
    .check(z.minLength(1), z.describe("The new file, relative to the workspace.")),
  content: z.string().check(z.describe("Its whole text; empty for an empty file.")),
  overwrite: z
    .optional(z.boolean())
    .check(z.describe("true: replace an existing file. Default false.")),
});
const directorySchema = z.object({
  path: z.string().check(z.minLength(1), z.describe("The new folder, relative to the workspace.")),
});
const moveSchema = z.object({
  from: z
    .string()
    .check(z.minLength(1), z.describe("The file or folder, relative to the workspace.")),
  to: z
    .string()
    .check(
      z.minLength(1),
      z.describe("Its new path, including its name, relative to the workspace."),
    ),
  overwrite: z
    .optional(z.boolean())
    .check(z.describe("true: replace an existing file. Default false.")),
});
const deleteSchema = z.object({
  path: z
    .string()
    .check(z.minLength(1), z.describe("The file or folder, relative to the workspace.")),
  recursive: z
    .optional(z.boolean())
    .check(z.describe("true: delete a folder with its contents. Default false.")),
});

const TAKEN_ASIDE = { exists: "Choose another path, or delete that file first." };
const TAKEN = { exists: "Choose another path, or set overwrite=true to replace a file." };

type WrittenFiles = Pick<ViewedFiles, "isAlsoAt" | "wroteAll">;

/** The workspace that the tools change, and where they propose. */
interface ChangedWorkspace {
  readonly workspace: Workspace;
  readonly files: WorkspaceFiles;
  /** Null where nothing is proposed. */
  readonly proposals: OperationProposals | null;
  /** Hears what the model wrote, and where. */
  readonly shown: WrittenFiles | null;
}

/**
 * The tools that create, move, copy and delete files. Deleting and renaming a file are proposed to
 * `proposals`, where there is one and the user reviews beforehand. Everything else is done at once:
 * folders, links, and what replaces another file.
 */
export function changeFiles(
  workspace: Workspace,
  files: WorkspaceFiles,
  proposals: OperationProposals | null = null,
  shown: WrittenFiles | null = null,
): readonly Tool[] {
  const changes = { workspace, files, proposals, shown };
  return [
    createCreateFile(changes),
    createCreateDirectory(changes),
    createRenameFile(changes),
    createCopyFile(changes),
    createDeleteFile(changes),
  ];
}

function createCreateFile(changes: ChangedWorkspace): Tool {
  return defineTool({
    name: "create_file",
    description: `Creates a short new text file${isAside(changes) ? "" : " immediately"}, with the folders it needs. For long files and for existing ones use edit_mode, where the user reviews the changes.`,
    category: "file",
    effect: "write",
    schema: createSchema,
    question: ({ file_path: path, content, overwrite }, t) => {
      const facts = { path, size: lineCount(countTextLines(content), t) };
      const summary = overwrite
        ? t("Create or replace {path} ({size})", facts)
        : t("Create {path} ({size})", facts);
      return {
        summary,
        ...(content !== "" && { arguments: content }),
        look: async () => ({
          ...(await lookForCaution(changes, [path])),
          proposed: isAside(changes),
        }),
      };
    },
    async execute({ file_path, content, overwrite = false }, context) {
      const refused = await operationRefusal(changes, file_path);
      if (refused) return fileToolError(refused);
      const file = await changes.workspace.resolve(file_path);
      const wrote = (result: ToolResult) => {
        const text = content.replace(/^\uFEFF/, "");
        if (result.ok && file.ok) changes.shown?.wroteAll(file.value.path, context.turnId, text);
        return result;
      };
      const likeOld = (old: string) => withLineEndsOf(old, content);
      const recoveries = { exists: "Use edit_mode to change it, or overwrite=true to replace it." };
      if (context.proposed)
        return wrote(await writeAside(changes, file_path, likeOld, overwrite, context, recoveries));
      const { asked } = context;
      const created = await changes.files.createFile(file_path, content, overwrite, asked);
      return wrote(resultOf(created, NOTES.written, recoveries));
    },
  });
}

function createCreateDirectory(changes: ChangedWorkspace): Tool {
  return defineTool({
    name: "create_directory",
    description: "Creates an empty folder. Not needed before creating a file in it.",
    category: "file",
    effect: "write",
    schema: directorySchema,
    question: ({ path }, t) => ({
      summary: t("Create the folder {path}", { path }),
      look: async () => ({
        ...(await lookForCaution(changes, [path])),
        proposed: isAside(changes),
      }),
    }),
    async execute({ path }, { asked, proposed }) {
      const refused = await operationRefusal(changes, path);
      if (refused) return fileToolError(refused);
      if (proposed) return { ok: true, output: NOTES.folderAside(path) };
      return resultOf(await changes.files.createDirectory(path, asked), NOTES.created, {
        exists: "There is nothing to do.",
      });
    },
  });
}

function createRenameFile(changes: ChangedWorkspace): Tool {
  return defineTool({
    name: "rename_file",
    description:
      "Renames or moves a file or a folder. References to it in other files are not updated.",
    category: "file",
    effect: "write",
    schema: moveSchema,
    question: ({ from, to, overwrite }, t) => ({
      summary: overwrite
        ? t("Rename {from} to {to}, replacing what is there", { from, to })
        : t("Rename {from} to {to}", { from, to }),
      look: async () => ({
        ...(await lookForCaution(changes, [from, to])),
        // By another name, what may hold keys would be read without a question.
        ...((await readCaution(changes.workspace, [from])) && { caution: "secret" as const }),
        proposed: await isProposed(changes, from, to),
      }),
    }),
    async execute({ from, to, overwrite = false }, context) {
      const refused =
        (await operationRefusal(changes, from)) ?? (await operationRefusal(changes, to));
      if (refused) return fileToolError(refused);
      if (context.proposed) return proposeAt(changes, from, to, context);
      const file = await changes.workspace.resolve(from);
      const renamed = await changes.files.rename(from, to, overwrite, context.asked);
      if (file.ok && renamed.ok) changes.shown?.isAlsoAt(file.value.path, renamed.value.path);
      return resultOf(renamed, (path) => NOTES.renamed(from, path), TAKEN);
    },
  });
}

function createCopyFile(changes: ChangedWorkspace): Tool {
  return defineTool({
    name: "copy_file",
    description: "Copies a file of any kind, or a folder with its contents.",
    category: "file",
    effect: "write",
    schema: moveSchema,
    // Also from the first path: what may hold keys must not get another name unseen.
    question: ({ from, to, overwrite }, t) => ({
      summary: overwrite
        ? t("Copy {from} to {to}, replacing what is there", { from, to })
        : t("Copy {from} to {to}", { from, to }),
      look: async () => ({
        ...(await lookForCaution(changes, [from, to])),
        proposed: isAside(changes) && !(await isFolder(changes, from)),
      }),
    }),
    async execute({ from, to, overwrite = false }, context) {
      const refused = await operationRefusal(changes, to);
      if (refused) return fileToolError(refused);
      if (context.proposed) return copyAside(changes, from, to, overwrite, context);
      const file = await changes.workspace.resolve(from);
      const copied = await changes.files.copy(from, to, overwrite, context.asked);
      if (file.ok && copied.ok) changes.shown?.isAlsoAt(file.value.path, copied.value.path);
      return resultOf(copied, (path) => NOTES.copied(from, path), TAKEN);
    },
  });
}

function createDeleteFile(changes: ChangedWorkspace): Tool {
  return defineTool({
    name: "delete_file",
    description: "Deletes a file, a symbolic link or a folder. Only when the task requires it.",
    category: "file",
    effect: "write",
    schema: deleteSchema,
    question: ({ path, recursive }, t) => ({
      summary: recursive
        ? t("Delete {path} and everything in it", { path })
        : t("Delete {path}", { path }),
      look: async () => ({
        ...(await lookForCaution(changes, [path])),
        proposed: await isProposed(changes, path),
      }),
    }),
    async execute({ path, recursive = false }, context) {
      const refused = await operationRefusal(changes, path);
      // A broken link can still be deleted.
      if (refused && refused.code !== "broken-link") return fileToolError(refused);
      if (context.proposed) return proposeAt(changes, path, null, context);
      const deleted = await changes.files.delete(path, recursive, context.asked);
      return resultOf(deleted, NOTES.deleted, {
        "not-empty": "Set recursive=true to delete it with its contents.",
      });
    },
  });
}

function lineCount(lines: number, t: Localize): string {
  if (lines === 0) return t("empty");
  return lines === 1 ? t("1 line") : t("{count} lines", { count: lines });
}

async function operationRefusal(
  { workspace, proposals }: ChangedWorkspace,
  path: string,
): Promise<FileError | null> {
  const place = await changeablePath(workspace, path);
  if (!place.ok) return place.error;
  return proposals && operationAt(proposals, place.value)
    ? { code: "operation-proposed", path }
    : null;
}

async function lookForCaution(
  { workspace }: ChangedWorkspace,
  paths: readonly string[],
): Promise<CallOutlook> {
  return { caution: (await needsCaution(workspace, paths)) ? "protected" : null };
}

/**
 * True where an operation on the file at `path`, which may go `to` another place, waits for the
 * user.
 */
async function isProposed(
  { workspace, files, proposals }: ChangedWorkspace,
  path: string,
  to?: string,
): Promise<boolean> {
  if (!proposals?.operations.beforehand) return false;
  if ((await textAside({ workspace, proposals }, path)) !== null) return true;
  const [found, taken] = [await files.stat(path), to === undefined ? null : await files.stat(to)];
  return found.ok && found.value.kind === "file" && !found.value.symlink && !taken?.ok;
}

/** The text that waits for a decision after the turn; null where none does. */
async function textAside(
  { workspace, proposals }: Pick<ChangedWorkspace, "workspace" | "proposals">,
  path: string,
): Promise<string | null> {
  const file = proposals?.aside ? await workspace.resolve(path) : null;
  return file?.ok ? (proposals?.aside?.textOf(file.value) ?? null) : null;
}

/** True where new files wait for a decision, too. */
function isAside({ proposals }: ChangedWorkspace): boolean {
  return proposals?.aside != null;
}

async function isFolder({ files }: ChangedWorkspace, path: string): Promise<boolean> {
  const found = await files.stat(path);
  return found.ok && found.value.kind === "directory";
}

/** Proposes a text in place of the old one, which is empty where there is none. */
async function writeAside(
  { proposals }: ChangedWorkspace,
  path: string,
  textOver: (old: string) => string,
  overwrite: boolean,
  context: ToolContext,
  recoveries: Parameters<typeof fileToolError>[1],
): Promise<ToolResult> {
  if (!proposals?.aside) return fileToolError({ code: "not-found", path });
  const { workspace, write } = proposals.aside;
  const now = await readPath(workspace, path, context.signal, true);
  if (now.ok && !overwrite) return fileToolError({ code: "exists", path }, recoveries);
  const refused = await write(path, textOver(now.ok ? now.value.text : ""), context);
  return refused
    ? fileToolError(refused, recoveries)
    : { ok: true, output: NOTES.writtenAside(path) };
}

async function copyAside(
  changes: ChangedWorkspace,
  from: string,
  to: string,
  overwrite: boolean,
  context: ToolContext,
): Promise<ToolResult> {
  const workspace = changes.proposals?.aside?.workspace ?? changes.workspace;
  const read = await readPath(workspace, from, context.signal, context.asked);
  if (!read.ok) return fileToolError(read.error);
  return writeAside(changes, to, () => read.value.text, overwrite, context, TAKEN);
}

async function proposeAt(
  changes: ChangedWorkspace,
  path: string,
  to: string | null,
  context: ToolContext,
): Promise<ToolResult> {
  const { workspace, proposals } = changes;
  const [file, place] = [
    await workspace.resolve(path),
    to === null ? null : await workspace.resolve(to),
  ];
  if (!proposals || !file.ok)
    return fileToolError(file.ok ? { code: "not-found", path } : file.error);
  if (place && !place.ok) return fileToolError(place.error);
  if (to !== null && (await textAside(changes, to)) !== null)
    return fileToolError({ code: "exists", path: to }, TAKEN_ASIDE);
  const text = await textAside(changes, path);
  const isOnDisk = text === null || (await changes.files.stat(path)).ok;
  // Of a file on the disk, a renaming keeps what is pending.
  if (text !== null && (to === null || !isOnDisk)) {
    const refused = await moveAside(changes, file.value, to, text, context);
    if (refused) return fileToolError(refused, TAKEN);
    if (!isOnDisk) return { ok: true, output: NOTES.movedAside(path, to) };
  }
  if (place) changes.shown?.isAlsoAt(file.value.path, place.value.path);
  return proposeOperation(proposals, { file: file.value, to: place?.value ?? null }, context);
}

/** Takes a file's pending text back, and proposes it in another place, if any. */
async function moveAside(
  { files, proposals, shown }: ChangedWorkspace,
  file: FileRef,
  to: string | null,
  text: string,
  context: ToolContext,
): Promise<FileError | null> {
  const { aside } = proposals ?? {};
  if (to !== null && (await files.stat(to)).ok) return { code: "exists", path: to };
  if (!aside?.drop(file, context)) return { code: "changes-proposed", path: file.path };
  if (to === null) return null;
  const refused = await aside.write(to, text, context);
  // It is as it was.
  if (refused) await aside.write(file.path, text, context);
  else shown?.wroteAll(to, context.turnId, text);
  return refused;
}

function resultOf(
  done: Result<FileRef, FileError>,
  note: (path: string) => string,
  recoveries: Parameters<typeof fileToolError>[1],
): ToolResult {
  return done.ok
    ? { ok: true, output: note(done.value.path) }
    : fileToolError(done.error, recoveries);
}
