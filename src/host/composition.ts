import * as vscode from "vscode";
import type { Chat } from "../agent/chat/chat.ts";
import { withDeadline } from "../base/deadline.ts";
import { disposable } from "../base/disposable.ts";
import type { FileRef } from "../ports/workspace.ts";
import type { ContextMessage, VoiceMessage } from "../protocol/messages.ts";
import { createChatSessions } from "../review/chats/chatSessions.ts";
import { chatTitle } from "../review/chats/chatTitle.ts";
import type { OpenChats } from "../review/chats/openChats.ts";
import { watchedLogs } from "../review/storage/watchedLogs.ts";
import type { App } from "./app.ts";
import { openChatStorage } from "./chatStorage.ts";
import { type ChatSurroundings, createChatSurroundings, type Rooms } from "./chatSurroundings.ts";
import { createChatCommands } from "./chats/chatCommands.ts";
import { openWindowChats } from "./chats/openWindowChats.ts";
import { type CheckCommands, openChecks } from "./checks/openChecks.ts";
import { openCompletions } from "./completions/openCompletions.ts";
import { type ChatContext, createChatContext } from "./context/chatContext.ts";
import { diagnose } from "./diagnose.ts";
import { tellRestored } from "./guests/guestRecord.ts";
import { openGuests } from "./guests/guests.ts";
import { openHost } from "./host.ts";
import { openModels } from "./models/openModels.ts";
import { createSharedModels } from "./models/sharedModels.ts";
import { showLearned } from "./models/showLearned.ts";
import { testEdits } from "./models/testEdits.ts";
import { openReviews } from "./openReviews.ts";
import { openPanel } from "./panel/openPanel.ts";
import type { PanelView } from "./panel/openPanelView.ts";
import { openPanelRequests } from "./panel/panelRequests.ts";
import { openPanelViews, type PanelViews } from "./panel/panelViews.ts";
import { openPlans } from "./plans/openPlans.ts";
import { createPlanFiles } from "./plans/planFiles.ts";
import { watchAgents } from "./plans/workspaceAgents.ts";
import type { Platform } from "./platform.ts";
import type { SharingWindow } from "./preview/exportProposals.ts";
import { createFileRestore } from "./restore/fileRestore.ts";
import { showPermissions } from "./settings/showPermissions.ts";
import {
  chooseCommandToStop,
  restartCommand,
  stopCommand,
  tellOtherCommands,
} from "./terminal/stopCommand.ts";
import { openVoiceControl } from "./voice/openVoiceControl.ts";
import type { VoiceControl } from "./voice/voiceControl.ts";
import { openWindowFiles } from "./workspace/windowFiles.ts";

/** Time limit for `dispose` in milliseconds. VS Code waits five seconds. */
const END_MS = 4_000;

/** The composition root. Opens every room once and connects them. */
export async function compose(context: vscode.ExtensionContext, platform: Platform): Promise<App> {
  const host = await openHost(context, platform);
  const files = openWindowFiles(host);
  const storage = await openChatStorage(host);
  const models = openModels(host, files, () => views.statusChanged());
  openCompletions(host, files.workspace);
  const chatOf = (chatId: string) => chats.find(chatId) ?? chats.chat;
  let chatsOpened: (opened: OpenChats<Chat>) => void = () => undefined;
  const opened = new Promise<OpenChats<Chat>>((resolve) => {
    chatsOpened = resolve;
  });
  const reviews = await openReviews(host, files, storage, opened, chatOf);
  const requests = openPanelRequests(host, files.workspace, reviews);
  const agents = watchAgents(host, files.workspace);
  const rooms = { host, files, storage, models, reviews, requests, agents };
  const surroundings = createChatSurroundings(rooms, (...given) => checks.report(...given));
  const chats = await openChats(rooms, surroundings);
  chatsOpened(chats);
  const checks = openChecks(rooms, surroundings.machine, chats);
  void tellOtherCommands(storage.commands, host.adapters.endGroup).catch((error: unknown) =>
    host.logger.warn(`Other commands are unknown: ${error}`),
  );
  const shown = { host, models: models.commands, reviews, requests, chats, checks, agents };
  const views = openPanelViews(shown);
  return createApp(rooms, surroundings, chats, checks, views);
}

function openChats(
  { host, storage }: Rooms,
  { options, machine }: ChatSurroundings,
): Promise<OpenChats<Chat>> {
  return openWindowChats({
    storage: watchedLogs(storage.chats, "chat", storage.tellFault),
    journals: watchedLogs(storage.journals, "changes", storage.tellFault),
    memory: host.context.workspaceState,
    lease: storage.lease,
    logger: host.logger,
    options,
    stopped: (turnId) => void machine?.turnStopped(turnId),
  });
}

/** What the view and the commands act on. */
function createApp(
  rooms: Rooms,
  surroundings: ChatSurroundings,
  chats: OpenChats<Chat>,
  checks: CheckCommands,
  views: PanelViews,
): App {
  const { host, files, storage, models, reviews, requests } = rooms;
  const { context, run, stack } = host;
  const { preview } = reviews;
  const { side } = views;
  const { workspace } = files;
  const voice = openSharedVoice(rooms, chats, views);
  const contextOf = ({ bridge }: PanelView, chat: () => Chat) =>
    openChatContext(rooms, surroundings, chat, (message) => bridge.context(message));
  const pendingPaths = () => preview.pendingPaths;
  const setExecutable = (path: string, executable: boolean) =>
    files.files.setExecutable(path, executable, true);
  const rewritten = (file: FileRef) => reviews.savedFiles.acceptedInto(file);
  const plans = createPlanFiles(vscode.Uri.joinPath(storage.folder, "plans"));
  const removeAll = async (chatId: string) => {
    await Promise.all([storage.images.removeAll(chatId), plans.removeAll(chatId)]);
  };
  const restorable = {
    journals: storage.guestJournals,
    restored: (chatId: string, paths: readonly string[]) =>
      run("Telling another agent", tellRestored(storage.decisions, chatId, paths)),
  };
  const app: App = {
    workspace,
    preview,
    sharing: sharingWindow(rooms, chats),
    newProblems: reviews.newProblems,
    checks,
    guests: openGuests(rooms),
    restore: stack.add(
      createFileRestore(chats, { workspace, pendingPaths, setExecutable, rewritten }, restorable),
    ),
    context: stack.add(contextOf(side, () => chats.shown)),
    models: models.commands,
    demo: files,
    sharedModels: createSharedModels(host),
    chats,
    bridge: side.bridge,
    voice,
    chatCommands: createChatCommands(
      createChatSessions(chats, { ...storage, images: { removeAll } }, host.logger),
      () => chats.chat.chatId,
      views.states,
    ),
    plans: openPlans(host, chats, plans),
    agents: rooms.agents,
    run,
    stop(chatId) {
      if (chatId === chats.chat.chatId) run("Hushing", voice.act("hush"));
      chats.find(chatId)?.stop();
    },
    get chat() {
      return chats.chat;
    },
    connectPanel(post, showBadge) {
      views.indicators.connect(showBadge);
      return connect(side, app.context)(post);
    },
    openTab(chat) {
      const view = views.openView(chat);
      const own = contextOf(view, () => chat);
      const ends = disposable(() => [own, view].map((each) => each.dispose()));
      return { connect: connect(view, own), ...ends };
    },
    showPermissions: () => showPermissions(requests.grants, context),
    showLearned: () => showLearned(context.globalState).then(views.statusChanged),
    testEdits: () =>
      testEdits({
        ...{ connect: models.connect, syntax: files.syntax, logger: host.logger },
        learned: context.globalState,
      }).then(views.statusChanged),
    stopCommand: (turnId, callId) => stopCommand(surroundings.machine, turnId, callId),
    restartCommand: (turnId, callId) => restartCommand(surroundings.machine, turnId, callId),
    chooseCommandToStop: () => chooseCommandToStop(surroundings.machine),
    diagnose: () =>
      diagnose({
        host,
        storage: storage.folder,
        machine: surroundings.machine,
        hasProposals: () => reviews.shared.isOurs,
      }),
    dispose: () => endHost(rooms, surroundings, chats, voice),
  };
  const connect = openPanel(host, app, requests);
  return app;
}

/** What is exported and imported, and what its chats are called. */
function sharingWindow({ host, files, reviews }: Rooms, chats: OpenChats<Chat>): SharingWindow {
  return {
    ...{ preview: reviews.preview, workspace: files.workspace, logger: host.logger },
    own: () => reviews.shared.own(),
    titleOf(chatId) {
      const chat = chats.find(chatId);
      return chat ? chatTitle(chat.tree) : "";
    },
  };
}

/** Speaks with the chat that the user works in; all panels show it. */
function openSharedVoice(
  { host, models, requests }: Rooms,
  chats: OpenChats<Chat>,
  views: PanelViews,
): VoiceControl {
  const question = {
    answer: (callId: string, values: readonly string[] | null) =>
      requests.question.answer(chats.chat, callId, values),
  };
  const tell = (message: VoiceMessage) => {
    for (const { bridge } of views.all) bridge.context(message);
  };
  const compose = (text: string, chatId: string) => {
    const view = [...views.all].findLast(({ chat }) => chat().chatId === chatId) ?? views.side;
    view.bridge.context({ type: "compose", text });
  };
  return openVoiceControl(host, models.commands, chats, question, tell, compose);
}

/** The context that the user gives with a message. */
function openChatContext(
  { host, files, models, reviews, storage }: Rooms,
  { attachedText, serverPrompts }: ChatSurroundings,
  chat: () => Chat,
  tell: (message: ContextMessage) => void,
): ChatContext {
  return createChatContext({
    ...files,
    pending: () => reviews.preview.pendingReviews,
    attachedText,
    serverPrompts,
    tell,
    connect: models.connect,
    git: host.adapters.git,
    images: storage.images,
    hasWeb: host.adapters.web !== null,
    chat,
    offers(tree) {
      const { chosen } = models.commands;
      const isAsked = chosen?.source === "agent" && chosen.agent.name === tree.offers?.agent;
      return isAsked ? tree.offers : null;
    },
  });
}

/** Stops everything and saves pending data. */
async function endHost(
  { host, reviews }: Rooms,
  { machine, endServers }: ChatSurroundings,
  chats: OpenChats<Chat>,
  voice: VoiceControl,
): Promise<void> {
  // A window that closes takes nothing back.
  reviews.shared.dispose();
  const ends = () =>
    Promise.allSettled([
      reviews.kept(),
      voice.end(),
      chats.dispose(),
      machine?.dispose(),
      endServers(),
    ]);
  await withDeadline(new AbortController().signal, END_MS, ends);
  host.stack.dispose();
}
