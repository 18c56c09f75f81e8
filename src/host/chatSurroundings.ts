import type { Chat } from "../agent/chat/chat.ts";
import type { ChatOptions } from "../agent/chatOptions.ts";
import { journalFiles } from "../edits/history/journalFiles.ts";
import { editorTools } from "../tools/editorTools.ts";
import type { ProcessTools } from "../tools/processTools.ts";
import type { ChatStorage } from "./chatStorage.ts";
import { createAttachedText } from "./context/attachedText.ts";
import type { Host } from "./host.ts";
import { t } from "./localize.ts";
import { createTurnTools } from "./mcp/turnTools.ts";
import type { Models } from "./models/openModels.ts";
import type { Reviews } from "./openReviews.ts";
import type { PanelRequests } from "./panel/panelRequests.ts";
import { contextWindowOf } from "./settings/settings.ts";
import { diskFolders } from "./terminal/diskFolders.ts";
import { keepOffers } from "./terminal/keepOffers.ts";
import { activeFilePath } from "./workspace/editTarget.ts";
import { createVscodeEditorState, editorView } from "./workspace/vscodeEditorState.ts";
import type { WindowFiles } from "./workspace/windowFiles.ts";

/** What all chats of the window share. */
export interface ChatSurroundings {
  readonly options: Omit<ChatOptions, "chatId" | "log" | "journal">;
  readonly attachedText: NonNullable<ChatOptions["attached"]>;
  /** Null where no process can start. */
  readonly machine: ProcessTools | null;
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
}

/** `chat` is the one shown in the panel. */
export function createChatSurroundings(
  { host, files: windowFiles, storage, models, reviews, requests }: Rooms,
  chat: () => Chat,
): ChatSurroundings {
  const { adapters, configuration, context, logger } = host;
  const { workspace, files, syntax, services, recent } = windowFiles;
  const { preview, savedFiles, shared } = reviews;
  const { approval, question, agreements, runnerFiles } = requests;
  const { mcp } = adapters;
  const attachedText = createAttachedText(workspace, services, () => preview.pendingReviews);
  const machine = adapters.processes?.({
    workspace,
    files: savedFiles,
    runnerFiles,
    runOn: () => configuration.settings.runOn,
    offers: keepOffers,
    wanted: () => configuration.settings.commandEnvironment,
    folders: diskFolders,
    copyLimit: () => configuration.settings.copyLimit,
  });
  const turnTools = createTurnTools(
    mcp && (() => mcp(context, (offers, signal) => agreements.open.ask(offers, signal))),
    savedFiles,
  );
  const editor = createVscodeEditorState();
  const { pending } = savedFiles;
  const options = {
    logger,
    workspace,
    syntax,
    approval,
    question,
    files: journalFiles(files, workspace, (change) => chat().recordChange(change)),
    tools: editorTools({ workspace, syntax, services, question, editor, pending }),
    ...(machine && { processTools: machine.of }),
    turnTools: turnTools.tools,
    reviewer: preview,
    t,
    async connect() {
      // The answer begins at what is pending, and adds to it.
      await shared.own();
      return models.connect();
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
  return { options, attachedText, machine: machine ?? null, endServers: turnTools.dispose };
}
