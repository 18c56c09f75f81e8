import { journalReviews } from "../edits/changeJournal.ts";
import { createEditMode, type EditMode } from "../edits/editMode.ts";
import { HeldBlocks } from "../edits/heldBlocks.ts";
import { createFileOutline } from "../tools/fileOutline.ts";
import { createListDirectory } from "../tools/listDirectory.ts";
import { createReadFile } from "../tools/readFile.ts";
import { createReadMultipleFiles } from "../tools/readMultipleFiles.ts";
import { createSearchInFiles } from "../tools/searchInFiles.ts";
import { ShownTexts, viewsOnRecord } from "../tools/shownTexts.ts";
import { createToolRouter, type ToolRouter } from "../tools/toolRouter.ts";
import { branch } from "../turns/branch.ts";
import type { TurnTree } from "../turns/turn.ts";
import type { ChatOptions } from "./chatOptions.ts";

/** The tools of a chat, and what they share over its turns. */
export interface ChatTools {
  readonly router: ToolRouter;
  readonly editMode: EditMode;
  readonly shown: ShownTexts;
  /** Blocks that a guard kept from being proposed. */
  readonly held: HeldBlocks;
}

/** Creates what every chat can do: read, search and edit files, and what its surroundings add. `runningTurn` is the running turn's id. */
export function createChatTools(options: ChatOptions, tree: TurnTree, runningTurn: () => string | null): ChatTools {
  const { workspace, syntax, approval, journal } = options;
  const shown = new ShownTexts((turnId) => branch(tree, turnId).map(({ id }) => id));
  for (const view of viewsOnRecord(tree)) shown.add(view);
  const held = new HeldBlocks();
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
  return { router: createToolRouter(tools, approval), editMode, shown, held };
}
