import * as vscode from "vscode";
import type { Chat } from "../agent/chat/chat.ts";
import { withDeadline } from "../base/deadline.ts";
import { disposable } from "../base/disposable.ts";
import type { FileRef } from "../ports/workspace.ts";
import type { ContextMessage, VoiceMessage } from "../protocol/messages.ts";
import { CandidateChats } from "../review/candidates/candidateChats.ts";
import { createChatSessions } from "../review/chats/chatSessions.ts";
import type { OpenChats } from "../review/chats/openChats.ts";
import { watchedLogs } from "../review/storage/watchedLogs.ts";
import type { App, PanelApp } from "./app.ts";
import { openAnswerDiffs } from "./candidates/answerDiffs.ts";
import { openAnswers } from "./candidates/answers.ts";
import { sendToModels } from "./candidates/sendToModels.ts";
import { openChatStorage } from "./chatStorage.ts";
import {
  type ChatSurroundings,
  createChatSurroundings,
  openMachine,
  type Rooms,
} from "./chatSurroundings.ts";
import { createChatCommands } from "./chats/chatCommands.ts";
import { openWindowChats } from "./chats/openWindowChats.ts";
import { type CheckCommands, openChecks } from "./checks/openChecks.ts";
import { openCompletions } from "./completions/openCompletions.ts";
import { type ChatContext, createChatContext } from "./context/chatContext.ts";
import { diagnose } from "./diagnose.ts";
import { tellRestored } from "./guests/guestRecord.ts";
import { openGuests } from "./guests/guests.ts";
import { openHost } from "./host.ts";
import { t } from "./localize.ts";
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
  const models = openModels(host, files);
  openCompletions(host, files.workspace);
  const reviews = await openReviews(host, files, storage);
  const requests = openPanelRequests(host, files.workspace, reviews);
  const agents = watchAgents(host, files.workspace);
  const machine = openMachine({ host, files, reviews, storage });
  const { titles } = reviews;
  const rooms = { host, files, storage, models, reviews, requests, agents, machine, titles };
  const checks = openChecks(rooms, machine);
  const surroundings = createChatSurroundings(rooms, checks.report);
  const candidates = new CandidateChats({ workspace: files.workspace, machine });
  const chats = await openChats(rooms, candidates.options(surroundings.options));
  reviews.serve(chats);
  checks.follow(chats);
  void tellOtherCommands(storage.commands, host.adapters.endGroup).catch((error: unknown) =>
    host.logger.warn(`Other commands are unknown: ${error}`),
  );
  const shown = { host, models: models.commands, reviews, requests, chats, checks, agents };
  const views = openPanelViews({ ...shown, titles, candidates });
  host.stack.add(models.onChange(views.statusChanged));
  return createApp(rooms, surroundings, chats, checks, views, candidates);
}

function openChats(
  { host, storage, machine }: Rooms,
  options: ChatSurroundings["options"],
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
  candidates: CandidateChats,
): App {
  const { host, files, storage, models, reviews, requests, machine } = rooms;
  const { context, run, stack } = host;
  const { preview } = reviews;
  const { side } = views;
  const { workspace } = files;
  const voice = openSharedVoice(rooms, chats, views);
  const contextOf = ({ bridge }: PanelView, chat: () => Chat) =>
    openChatContext(rooms, surroundings, chat, (message) => bridge.context(message));
  const pendingPaths = () => preview.proposals.pendingPaths;
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
  const app: PanelApp = {
    workspace,
    preview,
    sharing: sharingWindow(rooms),
    newProblems: reviews.newProblems,
    checks,
    guests: openGuests(rooms),
    restore: stack.add(
      createFileRestore(chats, { workspace, pendingPaths, setExecutable, rewritten }, restorable),
    ),
    context: stack.add(contextOf(side, () => chats.shown)),
    answers: openAnswers({
      ...{ workspace, syntax: files.syntax, diffs: stack.add(openAnswerDiffs()), t },
      own: () => reviews.shared.own(),
      proposed: checks.proposed,
    }),
    sendToModels: (chat, { expand }, draft) =>
      sendToModels({ host, chats, candidates, models }, chat, expand, draft),
    async sendDraftToModels() {
      const { chatId } = chats.chat;
      const view = [...views.all].findLast(({ chat }) => chat().chatId === chatId) ?? side;
      if (view === side) await vscode.commands.executeCommand("graft.chat.focus");
      view.bridge.context({ type: "draft-to-models" });
    },
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
    showPermissions: () => showPermissions(requests.grants, context),
    showLearned: () => showLearned(context.globalState).then(views.statusChanged),
    testEdits: () =>
      testEdits({
        ...{ connect: models.connect, syntax: files.syntax, logger: host.logger },
        learned: context.globalState,
      }).then(views.statusChanged),
    stopCommand: (turnId, callId) => stopCommand(machine, turnId, callId),
    restartCommand: (turnId, callId) => restartCommand(machine, turnId, callId),
    chooseCommandToStop: () => chooseCommandToStop(machine),
    diagnose: () =>
      diagnose({
        host,
        storage: storage.folder,
        machine,
        hasProposals: () => reviews.shared.isOurs,
      }),
    dispose: () => endHost(rooms, surroundings, chats, voice),
  };
  const connect = openPanel(host, app, requests);
  return Object.assign(app, {
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
  } satisfies Pick<App, "connectPanel" | "openTab">);
}

/** What is exported and imported, and what its chats are called. */
function sharingWindow({ host, files, reviews, titles }: Rooms): SharingWindow {
  return {
    ...{ preview: reviews.preview, workspace: files.workspace, logger: host.logger },
    own: () => reviews.shared.own(),
    titleOf: (chatId) => titles.of(chatId),
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
    pending: () => reviews.preview.proposals.reviews,
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
  { host, reviews, machine }: Rooms,
  { endServers }: ChatSurroundings,
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
