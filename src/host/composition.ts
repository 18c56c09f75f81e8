import type * as vscode from "vscode";
import type { Chat } from "../agent/chat/chat.ts";
import { withDeadline } from "../base/deadline.ts";
import type { ContextMessage, VoiceMessage } from "../protocol/messages.ts";
import type { App } from "./app.ts";
import { type ChatStorage, openChatStorage } from "./chatStorage.ts";
import { type ChatSurroundings, createChatSurroundings, type Rooms } from "./chatSurroundings.ts";
import { createChatCommands } from "./chats/chatCommands.ts";
import { type ChatSessions, createChatSessions } from "./chats/chatSessions.ts";
import type { CurrentChat } from "./chats/currentChat.ts";
import { openChats } from "./chats/openChats.ts";
import { type CheckCommands, openChecks } from "./checks/openChecks.ts";
import { type ChatContext, createChatContext } from "./context/chatContext.ts";
import { diagnose } from "./diagnose.ts";
import { type Host, openHost } from "./host.ts";
import { openModels } from "./models/openModels.ts";
import { showLearned } from "./models/showLearned.ts";
import { openReviews } from "./openReviews.ts";
import { openPanel } from "./panel/openPanel.ts";
import { openPanelView, type PanelView } from "./panel/openPanelView.ts";
import { openPanelRequests } from "./panel/panelRequests.ts";
import type { Platform } from "./platform.ts";
import { createFileRestore } from "./restore/fileRestore.ts";
import { showPermissions } from "./settings/showPermissions.ts";
import { watchedLogs } from "./storage/watchedLogs.ts";
import { openVoiceControl } from "./voice/openVoiceControl.ts";
import { openWindowFiles } from "./workspace/windowFiles.ts";

/** Time limit for `dispose` in milliseconds. VS Code waits five seconds. */
const END_MS = 4_000;

/** The composition root. Opens every room once and connects them. */
export async function compose(context: vscode.ExtensionContext, platform: Platform): Promise<App> {
  const host = await openHost(context, platform);
  const files = openWindowFiles(host);
  const storage = await openChatStorage(host);
  const models = openModels(host, files, () => view.changed());
  const shown = () => chats.chat;
  let chatsOpened: (opened: CurrentChat<Chat>) => void = () => undefined;
  const opened = new Promise<CurrentChat<Chat>>((resolve) => {
    chatsOpened = resolve;
  });
  const reviews = await openReviews(host, files, storage, opened, shown);
  const requests = openPanelRequests(host, files.workspace, reviews);
  const rooms = { host, files, storage, models, reviews, requests };
  const surroundings = createChatSurroundings(rooms, shown);
  const chats = await openWindowChats(rooms, surroundings);
  chatsOpened(chats);
  const checks = openChecks(rooms, surroundings.machine, chats);
  const view = openPanelView(host, models.commands, reviews, requests, chats, checks);
  return createApp(rooms, surroundings, chats, checks, view);
}

function openWindowChats(
  { host, storage, reviews }: Rooms,
  { options, machine }: ChatSurroundings,
): Promise<CurrentChat<Chat>> {
  const { configuration, context } = host;
  return openChats({
    storage: watchedLogs(storage.chats, "chat", storage.tellFault),
    journals: watchedLogs(storage.journals, "changes", storage.tellFault),
    memory: context.workspaceState,
    lease: storage.lease,
    options,
    changed(change, journal) {
      if (configuration.settings.edits.review === "after") reviews.applied.add(change, journal);
    },
    stopped: (turnId) => machine?.turnStopped(turnId),
  });
}

/** What the view and the commands act on. */
function createApp(
  rooms: Rooms,
  surroundings: ChatSurroundings,
  chats: CurrentChat<Chat>,
  checks: CheckCommands,
  view: PanelView,
): App {
  const { host, files, storage, models, reviews, requests } = rooms;
  const { context, run, stack } = host;
  const { preview, applied } = reviews;
  const { bridge } = view;
  const { workspace } = files;
  const chat = () => chats.chat;
  const tell = (message: ContextMessage | VoiceMessage) => bridge.context(message);
  const voice = openVoiceControl(host, models.commands, chats, requests.question, tell);
  const pendingPaths = () => preview.pendingPaths;
  const app: App = {
    workspace,
    preview,
    applied,
    newProblems: reviews.newProblems,
    checks,
    restore: stack.add(createFileRestore({ chat, workspace, applied, pendingPaths })),
    context: stack.add(openChatContext(rooms, surroundings, chat, tell)),
    models: models.commands,
    chats,
    bridge,
    voice,
    chatCommands: createChatCommands(openSessions(host, storage, chats), () => chat().chatId),
    run,
    stop() {
      run("Hushing", voice.act("hush"));
      chats.chat.stop();
    },
    get chat() {
      return chats.chat;
    },
    connectPanel: (post, showBadge) => connect(post, showBadge),
    showPermissions: () => showPermissions(requests.grants, context),
    showLearned: () => showLearned(context.globalState).then(view.changed),
    diagnose: () =>
      diagnose({
        host,
        storage: storage.folder,
        machine: surroundings.machine,
        hasProposals: () => reviews.shared.isOurs,
      }),
    dispose: () => endHost(rooms, surroundings, chats),
  };
  const connect = openPanel(host, app, requests, view);
  return app;
}

function openSessions(
  { logger }: Host,
  { chats: storage, journals, images }: ChatStorage,
  chats: CurrentChat<Chat>,
): ChatSessions {
  return createChatSessions({ chats, storage, journals, images, logger });
}

/** The context that the user gives with a message. */
function openChatContext(
  { files, models, reviews, storage }: Rooms,
  { attachedText }: ChatSurroundings,
  chat: () => Chat,
  tell: (message: ContextMessage) => void,
): ChatContext {
  return createChatContext({
    ...files,
    pending: () => reviews.preview.pendingReviews,
    attachedText,
    tell,
    connect: models.connect,
    images: storage.images,
    chatId: () => chat().chatId,
  });
}

/** Stops everything and saves pending data. */
async function endHost(
  { host, reviews }: Rooms,
  { machine, endServers }: ChatSurroundings,
  chats: CurrentChat<Chat>,
): Promise<void> {
  // A window that closes takes nothing back.
  reviews.shared.dispose();
  const ends = () =>
    Promise.allSettled([reviews.kept(), chats.dispose(), machine?.dispose(), endServers()]);
  await withDeadline(new AbortController().signal, END_MS, ends);
  host.stack.dispose();
}
