import * as z from "zod/mini";
import { createEditFile } from "../../edits/propose/editFile.ts";
import { HeldBlocks } from "../../edits/propose/heldBlocks.ts";
import {
  proposedWorkspace,
  proposedWorkspaceFiles,
} from "../../edits/propose/proposedWorkspace.ts";
import type { LanguageServices } from "../../ports/languageServices.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Reviewer, ReviewOrigin } from "../../ports/review.ts";
import type { Workspace } from "../../ports/workspace.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import { namedTool } from "../../tools/defineTool.ts";
import { changeFiles } from "../../tools/files/changeFiles.ts";
import { createFileOutline } from "../../tools/files/fileOutline.ts";
import { createReadFile } from "../../tools/files/readFile.ts";
import { ViewedFiles } from "../../tools/files/viewedFiles.ts";
import { createFindSymbol } from "../../tools/search/findSymbol.ts";
import type { Tool } from "../../tools/tool.ts";
import type { EditBlock } from "../../turns/editBlock.ts";
import { pendingText } from "./messages.ts";

/** What a guest's tools need of the editor or the command line. */
export interface GuestSurroundings {
  /** Stands for the guest in the origin of its edits; unlike every other. */
  readonly chatId: string;
  /** The files as they are, without what is proposed. */
  readonly workspace: Workspace;
  readonly files: WorkspaceFiles;
  readonly syntax: Syntax;
  readonly services: LanguageServices;
  readonly reviewer: Reviewer;
  readonly logger: Logger;
}

/** The tools that change whole files; editing and creating them is `edit_file`. */
const FILE_TOOLS: ReadonlySet<string> = new Set(["delete_file", "rename_file"]);

/** The tools of a guest, in a stable order; `edits` are all that it made so far. */
export function createGuestToolList(
  { chatId, workspace, files, syntax, services, reviewer, logger }: GuestSurroundings,
  edits: () => readonly EditBlock[],
): readonly Tool[] {
  const shown = new ViewedFiles();
  // There is one proposal a file, whoever wrote it.
  const isOwn = (origin: ReviewOrigin) => origin.chatId === chatId;
  const proposed = proposedWorkspace(workspace, reviewer, isOwn);
  const seen = proposedWorkspaceFiles(files, workspace, reviewer);
  const operations = reviewer.operations
    ? { chatId, operations: reviewer.operations, aside: null }
    : null;
  const held = new HeldBlocks();
  return [
    createFileOutline(proposed, syntax),
    createFindSymbol(proposed, syntax, services),
    createReadFile(proposed, syntax, shown),
    createEditFile({ chatId, workspace: proposed, syntax, reviewer, shown, held, logger }),
    ...changeFiles(workspace, { ...files, stat: seen.stat }, operations, shown).filter(({ name }) =>
      FILE_TOOLS.has(name),
    ),
    createPendingEdits(edits),
    createEditDecisions(),
  ];
}

function createPendingEdits(edits: () => readonly EditBlock[]): Tool {
  return namedTool("pending_edits", {
    description: "Lists your changes that the user has not decided on yet.",
    category: "file",
    effect: "read",
    schema: z.object({}),
    execute: async () => ({ ok: true, output: pendingText(edits()) }),
  });
}

/** Its answer is empty: every result ends with what was decided. */
function createEditDecisions(): Tool {
  return namedTool("edit_decisions", {
    description:
      "Says what the user decided on your proposed changes since you were told last. Every other result says it too.",
    category: "file",
    effect: "read",
    schema: z.object({}),
    execute: async () => ({ ok: true, output: "" }),
  });
}
