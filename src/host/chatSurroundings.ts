import * as vscode from "vscode";
import type { ChatOptions } from "../agent/chatOptions.ts";
import { journalFiles, type RecordedText } from "../edits/history/journalFiles.ts";
import { proposedWorkspace } from "../edits/propose/proposedWorkspace.ts";
import type { Reviewer } from "../ports/review.ts";
import type { SavedFiles } from "../ports/savedFiles.ts";
import type { OptionsOfChats } from "../review/candidates/candidateChats.ts";
import type { ChatTitles } from "../review/chats/chatTitles.ts";
import { editorTools } from "../tools/editorTools.ts";
import type { ServerPrompts } from "../tools/mcp/mcpPrompt.ts";
import type { ProcessTools } from "../tools/processTools.ts";
import { withSavedFiles } from "../tools/withSavedFiles.ts";
import type { ChatStorage } from "./chatStorage.ts";
import type { CheckCommands } from "./checks/openChecks.ts";
import { createAttachedText } from "./context/attachedText.ts";
import { toolServer } from "./guests/mcpDefinition.ts";
import type { Host } from "./host.ts";
import { languageModelTools } from "./languageModels/languageModelTools.ts";
import { t } from "./localize.ts";
import { createTurnTools } from "./mcp/turnTools.ts";
import type { Models } from "./models/openModels.ts";
import type { Reviews } from "./openReviews.ts";
import type { PanelRequests } from "./panel/panelRequests.ts";
import type { WorkspaceAgents } from "./plans/workspaceAgents.ts";
import { contextWindowOf } from "./settings/settings.ts";
import { diskFolders } from "./terminal/diskFolders.ts";
import { keepOffers } from "./terminal/keepOffers.ts";
import { activeFilePath } from "./workspace/editTarget.ts";
import { createVscodeEditorState, editorView } from "./workspace/vscodeEditorState.ts";
import type { WindowFiles } from "./workspace/windowFiles.ts";

/** What the chats of the window work with. */
export interface ChatSurroundings {
  readonly options: OptionsOfChats;
  readonly attachedText: NonNullable<ChatOptions["attached"]>;
  readonly serverPrompts: ServerPrompts;
  /** Ends the MCP servers. */
  endServers(): Promise<unknown>;
}

/** The rooms of the window that chats work in. */
export interface Rooms {
  readonly host: Host;
  readonly files: WindowFiles;
  readonly storage: ChatStorage;
  readonly models: Models;
  readonly reviews: Reviews;
  readonly requests: PanelRequests;
  readonly agents: WorkspaceAgents;
  /** What starts processes; null where none can start. */
  readonly machine: ProcessTools | null;
  readonly titles: ChatTitles;
}

/** `reportCheck` runs the check for the model of a chat. */
export function createChatSurroundings(
  rooms: Rooms,
  reportCheck: CheckCommands["report"],
): ChatSurroundings {
  const { host, files: windowFiles, storage, models, reviews, requests, machine } = rooms;
  const { adapters, configuration, context, logger } = host;
  const { workspace, syntax, services, recent } = windowFiles;
  const { preview, savedFiles, shared } = reviews;
  const { approval, question, agreements } = requests;
  const { mcp } = adapters;
  const web = adapters.web?.(() => configuration.settings.privateHosts) ?? null;
  const attachedText = createAttachedText(
    workspace,
    services,
    () => preview.proposals.reviews,
    web,
    adapters.git,
  );
  const turnTools = createTurnTools(
    mcp && (() => mcp(context, (offers, signal) => agreements.open.ask(offers, signal))),
    savedFiles,
  );
  const options = {
    logger,
    workspace,
    syntax,
    approval,
    question,
    ...(machine && {
      processTools: machine.of,
      chatAgent: machine.agentOf,
      isRunning: (turnId: string, callId: string) =>
        machine.running().some((each) => each.turnId === turnId && each.callId === callId),
    }),
    turnTools: withExtensionTools(turnTools.tools, host, savedFiles),
    t,
    async connect(model?: string) {
      // The answer begins at what is pending, and adds to it.
      await shared.own();
      return models.connect(model);
    },
    // Read whenever a chat is opened.
    get defaultMode() {
      return configuration.settings.mode;
    },
    maxSteps: () => configuration.settings.maxSteps,
    maxTurnCost: () => configuration.settings.maxTurnCost || null,
    learned: context.globalState,
    editFormat: () => configuration.settings.edits.format,
    contextWindow: (model: string) => contextWindowOf(configuration.settings, model),
    activeFile: activeFilePath,
    editorView: () => editorView(recent),
    images: storage.images,
    attached: attachedText,
  };
  const asking = { question, web, pending: savedFiles.pending };
  const own = ownOptions(windowFiles, asking, reportCheck);
  return {
    options: (chatId, record, reviewer = preview.proposals) => ({
      ...options,
      ...{ reviewer, ...own(chatId, record, reviewer) },
    }),
    attachedText,
    serverPrompts: turnTools.prompts,
    endServers: turnTools.dispose,
  };
}

/** What starts processes; null where none can start. */
export function openMachine({
  host,
  files,
  reviews,
  storage,
}: Pick<Rooms, "host" | "files" | "reviews" | "storage">): ProcessTools | null {
  const { adapters, configuration, context } = host;
  const machine = adapters.processes?.({
    workspace: files.workspace,
    files: reviews.savedFiles,
    runChoice: () => configuration.settings.commands,
    offers: keepOffers,
    commandsChanged: (running) => {
      const kept = running.flatMap(({ command, startedAt, pid }) =>
        pid === undefined ? [] : { command, startedAt, pid },
      );
      void storage.commands
        .keep(kept)
        .catch((error: unknown) => host.logger.warn(`Commands are not on record: ${error}`));
    },
    toolServer: () => host.node && toolServer(context.extensionUri, host.node),
    isTrusted: () => vscode.workspace.isTrusted,
    wanted: () => configuration.settings.commandEnvironment,
    folders: diskFolders,
    copyLimit: () => configuration.settings.copyLimit,
  });
  return machine ?? null;
}

/** What each chat has for itself: its record of files, and the check of what it proposes. */
function ownOptions(
  { files, workspace, syntax, services }: WindowFiles,
  asking: Pick<Parameters<typeof editorTools>[0], "question" | "web" | "pending">,
  reportCheck: CheckCommands["report"],
) {
  const editor = createVscodeEditorState();
  const editing = { ...asking, workspace, syntax, services, editor };
  return (chatId: string, record: (change: RecordedText) => void, reviewer: Reviewer) => ({
    files: journalFiles(files, workspace, record),
    tools: editorTools({
      ...editing,
      seen: proposedWorkspace(workspace, reviewer),
      reportCheck: (signal) => reportCheck(chatId, signal),
    }),
  });
}

type TurnTools = NonNullable<ChatOptions["turnTools"]>;

/** The tools of MCP servers, and those of other extensions that the user allowed. */
function withExtensionTools(
  ofServers: TurnTools,
  { configuration }: Host,
  files: SavedFiles,
): TurnTools {
  return async (...given) => {
    const others = languageModelTools(configuration.settings.extensionTools);
    return [...(await ofServers(...given)), ...others.map((tool) => withSavedFiles(tool, files))];
  };
}
