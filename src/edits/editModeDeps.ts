import type { EditFormat } from "../model/learnedCapabilities.ts";
import type { Logger } from "../ports/logger.ts";
import type { Reviewer } from "../ports/review.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { Syntax } from "../syntax/syntax.ts";
import type { ViewedFiles } from "../tools/files/viewedFiles.ts";
import { readCaution } from "../tools/permissions/readCaution.ts";
import type { HeldBlocks } from "./propose/heldBlocks.ts";

/** What edit mode depends on. */
export interface EditModeDeps {
  readonly chatId: string;
  /** The agent of another maker that writes the blocks, see `guestName`; absent for a model. */
  readonly agent?: string;
  /** The workspace with what is proposed, by any chat. */
  readonly workspace: Workspace;
  readonly syntax: Syntax;
  readonly reviewer: Reviewer;
  /** The texts that the model saw. */
  readonly shown: ViewedFiles;
  /** The blocks that need a look before they are proposed. */
  readonly held: HeldBlocks;
  readonly logger?: Logger;
  /** The format to ask for where the parameters leave it open; AST paths if absent. */
  readonly format?: (turnId: string) => EditFormat;
}

/** What the tools that propose edits of one file have in common. */
export function fileEdits({ workspace }: Pick<EditModeDeps, "workspace">) {
  return {
    ...({ category: "file", effect: "write", reviewed: true } as const),
    question: ({ file_path }: { readonly file_path: string }) => ({
      summary: `Propose edits to ${file_path}`,
      look: async () => ({ caution: await readCaution(workspace, [file_path]) }),
    }),
  };
}
