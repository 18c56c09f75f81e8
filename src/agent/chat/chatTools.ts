import { GuardedBlocks } from "../../edits/blocks/guardedBlocks.ts";
import { createEditMode, type EditMode, type EditModeDeps } from "../../edits/editMode.ts";
import { proposedFiles, proposedWorkspace } from "../../edits/proposedWorkspace.ts";
import type { ReviewOrigin } from "../../ports/review.ts";
import { createFileOutline } from "../../tools/files/fileOutline.ts";
import { createListDirectory } from "../../tools/files/listDirectory.ts";
import { createReadFile } from "../../tools/files/readFile.ts";
import { createReadMultipleFiles } from "../../tools/files/readMultipleFiles.ts";
import { ViewedFiles, viewsOnRecord } from "../../tools/files/viewedFiles.ts";
import { fileTools } from "../../tools/fileTools.ts";
import { createSearchInFiles } from "../../tools/search/searchInFiles.ts";
import { createToolRouter, type ToolRouter } from "../../tools/toolRouter.ts";
import type { Attachment, AttachmentRef } from "../../turns/attachment.ts";
import { branch } from "../../turns/branch.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { ChatOptions } from "../chatOptions.ts";
import { readAttachments } from "../request/readAttachments.ts";
import type { EditFormats } from "./editFormats.ts";

/** The tools of a chat, and what they share over its turns. */
export interface ChatTools {
  readonly router: ToolRouter;
  readonly editMode: EditMode;
  /** What edit mode depends on, and every other way to propose an edit. */
  readonly edits: EditModeDeps;
  /** Reads attachments for a message of turn `turnId`; its model has then seen their lines. See {@link readAttachments}. */
  attach(turnId: string, refs: readonly AttachmentRef[], signal: AbortSignal, earlier?: readonly Attachment[]): Promise<Attachment[]>;
}

/** Creates what every chat can do: read, search and edit files, and what its surroundings add. */
export function createChatTools(options: ChatOptions, tree: TurnTree, formats: EditFormats): ChatTools {
  const { chatId, reviewer, syntax, approval, files, logger } = options;
  const isOwn = (origin: ReviewOrigin) => origin.chatId === chatId;
  const workspace = proposedWorkspace(options.workspace, reviewer, isOwn);
  const shown = new ViewedFiles((turnId) => branch(tree, turnId).map(({ id }) => id));
  for (const view of viewsOnRecord(tree)) shown.add(view);
  // There is one proposal a file, whichever chat wrote it.
  const edited = proposedWorkspace(options.workspace, reviewer, () => true);
  const held = new GuardedBlocks();
  const edits = { chatId, workspace: edited, syntax, reviewer, shown, held, logger, format: (turnId: string) => formats.formatOf(turnId) };
  const editMode = createEditMode(edits);
  const readFile = createReadFile(workspace, syntax, shown);
  const proposals = reviewer.operations ? { chatId, operations: reviewer.operations } : null;
  const tools = [
    readFile,
    createReadMultipleFiles(readFile),
    createListDirectory(workspace),
    createSearchInFiles(workspace),
    createFileOutline(workspace, syntax),
    editMode.tool,
    editMode.patchTool,
    ...(files ? fileTools(options.workspace, files, proposals, proposedFiles(files, options.workspace, reviewer, isOwn)) : []),
    ...options.tools,
  ];
  const keepImage = async (id: string) => (await options.images?.keep(chatId, id)) ?? false;
  return {
    router: createToolRouter(tools, approval, options.t),
    editMode,
    edits,
    attach: (turnId, refs, signal, earlier) =>
      readAttachments(refs, { workspace, syntax, shown, turnId, other: options.attached, keepImage }, signal, earlier),
  };
}
