import { GuardedBlocks } from "../../edits/blocks/guardedBlocks.ts";
import { createEditMode, type EditMode } from "../../edits/editMode.ts";
import { proposedWorkspace } from "../../edits/proposedWorkspace.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { createFileOutline } from "../../tools/files/fileOutline.ts";
import { createListDirectory } from "../../tools/files/listDirectory.ts";
import { createReadFile } from "../../tools/files/readFile.ts";
import { createReadMultipleFiles } from "../../tools/files/readMultipleFiles.ts";
import { ViewedFiles, viewsOnRecord } from "../../tools/files/viewedFiles.ts";
import { createSearchInFiles } from "../../tools/search/searchInFiles.ts";
import { createToolRouter, type ToolRouter } from "../../tools/toolRouter.ts";
import { branch } from "../../turns/branch.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { ChatOptions } from "../chatOptions.ts";

/** The tools of a chat, and what they share over its turns. */
export interface ChatTools {
  readonly router: ToolRouter;
  readonly editMode: EditMode;
  readonly shown: ViewedFiles;
  /** Blocks that a guard kept from being proposed. */
  readonly held: GuardedBlocks;
}

/** Creates what every chat can do: read, search and edit files, and what its surroundings add. */
export function createChatTools(options: ChatOptions, tree: TurnTree): ChatTools {
  const { chatId, reviewer, syntax, approval } = options;
  const workspace = proposedWorkspace(options.workspace, reviewer, ({ blocks }) => blocks.some(({ origin }) => origin.chatId === chatId));
  const edited = editedWorkspace(options);
  const shown = new ViewedFiles((turnId) => branch(tree, turnId).map(({ id }) => id));
  for (const view of viewsOnRecord(tree)) shown.add(view);
  const held = new GuardedBlocks();
  const editMode = createEditMode({ chatId, workspace: edited, syntax, reviewer, shown, held });
  const readFile = createReadFile(workspace, syntax, shown);
  const tools = [
    readFile,
    createReadMultipleFiles(readFile),
    createListDirectory(workspace),
    createSearchInFiles(workspace),
    createFileOutline(workspace, syntax),
    editMode.tool,
    editMode.patchTool,
    ...options.tools,
  ];
  return { router: createToolRouter(tools, approval, options.t), editMode, shown, held };
}

/** The workspace that edits are made to: there is one proposal a file, whichever chat wrote it. */
export function editedWorkspace({ workspace, reviewer }: Pick<ChatOptions, "workspace" | "reviewer">): Workspace {
  return proposedWorkspace(workspace, reviewer, () => true);
}
