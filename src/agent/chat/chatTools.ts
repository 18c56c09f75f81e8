import { GuardedBlocks } from "../../edits/blocks/guardedBlocks.ts";
import { createEditMode, type EditMode } from "../../edits/editMode.ts";
import { journalReviews } from "../../edits/history/changeJournal.ts";
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

/** Creates what every chat can do: read, search and edit files, and what its surroundings add. `runningTurn` is the running turn's id. */
export function createChatTools(options: ChatOptions, tree: TurnTree, runningTurn: () => string | null): ChatTools {
  const { workspace, syntax, approval, journal } = options;
  const shown = new ViewedFiles((turnId) => branch(tree, turnId).map(({ id }) => id));
  for (const view of viewsOnRecord(tree)) shown.add(view);
  const held = new GuardedBlocks();
  const reviewer = journalReviews(options.reviewer, journal, runningTurn);
  const editMode = createEditMode({ workspace, syntax, reviewer, shown, held });
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
