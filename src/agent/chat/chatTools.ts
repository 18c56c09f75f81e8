import { GuardedBlocks } from "../../edits/blocks/guardedBlocks.ts";
import { createChatProposals } from "../../edits/commandChanges.ts";
import { createEditMode, type EditModeTools } from "../../edits/editMode.ts";
import type { EditModeDeps } from "../../edits/editModeDeps.ts";
import { proposedFiles, proposedWorkspace } from "../../edits/proposedWorkspace.ts";
import type { EditFormat } from "../../model/learnedCapabilities.ts";
import type { ReviewOrigin } from "../../ports/review.ts";
import { createFileOutline } from "../../tools/files/fileOutline.ts";
import { createListDirectory } from "../../tools/files/listDirectory.ts";
import { createReadFile } from "../../tools/files/readFile.ts";
import { createReadMultipleFiles } from "../../tools/files/readMultipleFiles.ts";
import { ViewedFiles, viewsOnRecord } from "../../tools/files/viewedFiles.ts";
import { fileTools } from "../../tools/fileTools.ts";
import { createSearchInFiles } from "../../tools/search/searchInFiles.ts";
import type { Tool } from "../../tools/tool.ts";
import { createToolRouter, type ToolRouter } from "../../tools/toolRouter.ts";
import type { Attachment, AttachmentRef } from "../../turns/attachment.ts";
import { branch } from "../../turns/branch.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { ChatOptions } from "../chatOptions.ts";
import { readAttachments } from "../request/readAttachments.ts";

/** The tools of a chat, and what they share over its turns. */
export interface ChatTools {
  readonly all: readonly Tool[];
  readonly router: ToolRouter;
  readonly editMode: EditModeTools;
  /** What edit mode depends on, and every other way to propose an edit. */
  readonly edits: EditModeDeps;
  /**
   * Reads attachments for a message of turn `turnId`; its model has then seen their lines. See
   * {@link readAttachments}.
   */
  attach(
    turnId: string,
    refs: readonly AttachmentRef[],
    signal: AbortSignal,
    earlier?: readonly Attachment[],
  ): Promise<Attachment[]>;
}

/** What the tools of a chat need. */
type ToolSurroundings = Pick<
  ChatOptions,
  | "chatId"
  | "workspace"
  | "syntax"
  | "reviewer"
  | "approval"
  | "files"
  | "tools"
  | "processTools"
  | "images"
  | "attached"
  | "t"
  | "logger"
>;

/**
 * Creates what every chat can do: read, search and edit files, and what its surroundings add.
 * `format` is what edit mode asks for in a turn where the model leaves it open.
 */
export function createChatTools(
  options: ToolSurroundings,
  tree: TurnTree,
  format: (turnId: string) => EditFormat,
): ChatTools {
  const { chatId, reviewer, syntax, approval, files, logger } = options;
  const isOwn = (origin: ReviewOrigin) => origin.chatId === chatId;
  const workspace = proposedWorkspace(options.workspace, reviewer, isOwn);
  const shown = new ViewedFiles((turnId) => branch(tree, turnId).map(({ id }) => id));
  for (const view of viewsOnRecord(tree)) shown.add(view);
  // There is one proposal a file, whichever chat wrote it.
  const edited = proposedWorkspace(options.workspace, reviewer, () => true);
  const held = new GuardedBlocks();
  const edits = {
    chatId,
    workspace: edited,
    syntax,
    reviewer,
    shown,
    held,
    logger,
    format,
  };
  const editMode = createEditMode(edits);
  const readFile = createReadFile(workspace, syntax, shown);
  const proposals = reviewer.operations ? { chatId, operations: reviewer.operations } : null;
  const tools = [
    readFile,
    createReadMultipleFiles(workspace, readFile),
    createListDirectory(workspace),
    createSearchInFiles(workspace),
    createFileOutline(workspace, syntax),
    editMode.tool,
    editMode.patchTool,
    ...(files
      ? fileTools(
          options.workspace,
          files,
          proposals,
          proposedFiles(files, options.workspace, reviewer, isOwn),
        )
      : []),
    ...options.tools,
    ...(options.processTools?.(createChatProposals(edits)) ?? []),
  ];
  const keepImage = async (id: string) => (await options.images?.keep(chatId, id)) ?? false;
  return {
    all: tools,
    router: createToolRouter(tools, approval, options.t),
    editMode,
    edits,
    attach: (turnId, refs, signal, earlier) =>
      readAttachments(
        refs,
        { workspace, syntax, shown, turnId, other: options.attached, keepImage },
        signal,
        earlier,
      ),
  };
}
