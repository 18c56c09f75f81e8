import { createEditMode, type EditModeTools } from "../../edits/editMode.ts";
import type { EditModeDeps } from "../../edits/editModeDeps.ts";
import { type CommandProposals, createChatProposals } from "../../edits/propose/commandChanges.ts";
import { HeldBlocks } from "../../edits/propose/heldBlocks.ts";
import {
  proposedWorkspace,
  proposedWorkspaceFiles,
} from "../../edits/propose/proposedWorkspace.ts";
import type { EditFormat } from "../../model/learnedCapabilities.ts";
import type { OperationReviewer, Reviewer, ReviewOrigin } from "../../ports/review.ts";
import { createRunAgent } from "../../tools/editor/runAgent.ts";
import { createWriteTodos } from "../../tools/editor/writeTodos.ts";
import { createFileOutline } from "../../tools/files/fileOutline.ts";
import { createListDirectory } from "../../tools/files/listDirectory.ts";
import type { ProposedFiles } from "../../tools/files/proposeOperation.ts";
import { createReadFile } from "../../tools/files/readFile.ts";
import { createReadMultipleFiles } from "../../tools/files/readMultipleFiles.ts";
import { ViewedFiles, viewsOnRecord } from "../../tools/files/viewedFiles.ts";
import { fileTools } from "../../tools/fileTools.ts";
import { createSearchInFiles } from "../../tools/search/searchInFiles.ts";
import type { Tool } from "../../tools/tool.ts";
import { createToolRouter, type ToolRouter } from "../../tools/toolRouter.ts";
import { withUnderstoodPaths } from "../../tools/understoodPaths.ts";
import type { Attachment, AttachmentRef } from "../../turns/attachment.ts";
import { branch } from "../../turns/branch.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { ChatOptions } from "../chatOptions.ts";
import { readAttachments } from "../request/readAttachments.ts";
import { decisionEvents } from "./decisionEvents.ts";

/** The tools of a chat, and what they share over its turns. */
export interface ChatTools {
  readonly all: readonly Tool[];
  readonly router: ToolRouter;
  readonly editMode: EditModeTools;
  /** What the chat proposes, as files. */
  readonly proposals: CommandProposals;
  /** What edit mode depends on, and every other way to propose an edit. */
  readonly edits: EditModeDeps;
  /** The texts that an agent of another maker saw, by its name. */
  shownTo(agent: string): ViewedFiles;
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
  // There is one proposal a file, whichever chat wrote it.
  const workspace = proposedWorkspace(options.workspace, reviewer, isOwn);
  const onBranch = (turnId: string) => branch(tree, turnId).map(({ id }) => id);
  const shown = new ViewedFiles(onBranch);
  const shownTo = viewsOfAgents(onBranch);
  for (const view of viewsOnRecord(tree)) shown.add(view);
  const held = new HeldBlocks();
  const edits = { chatId, workspace, syntax, reviewer, shown, held, logger, format };
  const chatProposals = createChatProposals(edits, shownTo);
  const editMode = createEditMode(edits);
  const readFile = createReadFile(workspace, syntax, shown);
  const { operations } = reviewer;
  const written = { workspace, write: writeBy(chatProposals) };
  const proposals = operations && {
    ...{ chatId, operations },
    // It ends with a chat's part as one of several models.
    get aside() {
      const { aside } = operations;
      return aside ? { ...written, ...textsAside(reviewer, aside, tree) } : null;
    },
  };
  const seenFiles = files && proposedWorkspaceFiles(files, options.workspace, reviewer);
  const tools = [
    readFile,
    createReadMultipleFiles(workspace, readFile),
    createListDirectory(workspace),
    createSearchInFiles(workspace),
    createFileOutline(workspace, syntax),
    editMode.tool,
    editMode.patchTool,
    ...(files && seenFiles
      ? fileTools(options.workspace, files, proposals ?? null, seenFiles, shown)
      : []),
    ...options.tools,
    createWriteTodos(),
    createRunAgent(),
    ...(options.processTools?.(chatProposals) ?? []),
  ];
  const proposed = () => reviewer.allPending().map(({ file }) => file.path);
  const understood = tools.map((tool) => withUnderstoodPaths(tool, { workspace, proposed }));
  const keepImage = async (id: string) => (await options.images?.keep(chatId, id)) ?? false;
  return {
    all: understood,
    router: createToolRouter(understood, approval, options.t),
    editMode,
    proposals: chatProposals,
    edits,
    shownTo,
    attach: (turnId, refs, signal, earlier) =>
      readAttachments(
        refs,
        { workspace, syntax, shown, turnId, other: options.attached, keepImage },
        signal,
        earlier,
      ),
  };
}

/** What each agent of another maker has seen. */
function viewsOfAgents(
  onBranch: (turnId: string) => readonly string[],
): (agent: string) => ViewedFiles {
  const seen = new Map<string, ViewedFiles>();
  return (agent) => {
    const known = seen.get(agent) ?? new ViewedFiles(onBranch);
    seen.set(agent, known);
    return known;
  };
}

/** The texts that wait for a decision after the turn, and how the turn takes its own back. */
function textsAside(
  reviewer: Pick<Reviewer, "pending">,
  aside: NonNullable<OperationReviewer["aside"]>,
  tree: TurnTree,
): Pick<ProposedFiles, "textOf" | "drop"> {
  return {
    textOf: (file) => reviewer.pending(file)?.text ?? null,
    drop(file, { turnId, emit }) {
      const { blocks = [] } = reviewer.pending(file) ?? {};
      const turn = tree.turns.get(turnId);
      if (turn?.role !== "agent" || blocks.some(({ origin }) => origin.turnId !== turnId))
        return false;
      aside.drop(file);
      const taken = { status: "withdrawn", reason: { code: "taken-back" } } as const;
      const outcomes = blocks.map(({ blockId }) => ({ blockId, ...taken }));
      for (const event of decisionEvents(turn, file.path, outcomes, null)) emit(event);
      return true;
    },
  };
}

/** Proposes whole texts of files. */
function writeBy(proposals: CommandProposals): ProposedFiles["write"] {
  return async (path, text, context) => {
    const changes = [{ path, text, before: null, executable: false }];
    const { refused } = await proposals.propose({ changes, modes: [] }, context);
    return refused[0]?.error ?? null;
  };
}
