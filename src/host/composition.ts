import * as vscode from "vscode";
import type { Chat } from "../agent/chat/chat.ts";
import { withDeadline } from "../base/deadline.ts";
import { DisposableStack } from "../base/disposable.ts";
import { journalFiles } from "../edits/history/journalFiles.ts";
import type { PendingFile } from "../protocol/messages.ts";
import { createSyntax } from "../syntax/createSyntax.ts";
import { withSymbols } from "../syntax/languageServer/withSymbols.ts";
import { editorTools } from "../tools/editorTools.ts";
import { PermissionGrants } from "../tools/permissions/permissionGrants.ts";
import type { App } from "./app.ts";
import { createChatCommands } from "./chats/chatCommands.ts";
import { createChatSessions } from "./chats/chatSessions.ts";
import type { CurrentChat } from "./chats/currentChat.ts";
import { openChats } from "./chats/openChats.ts";
import { recordReviews } from "./chats/recordReviews.ts";
import { storageFaultTeller } from "./chats/storageFaultTeller.ts";
import { watchedLogs } from "./chats/watchedLogs.ts";
import { createAttachedText } from "./context/attachedText.ts";
import { createChatContext } from "./context/chatContext.ts";
import { createImageStore } from "./context/imageStore.ts";
import { connectLanguageModel } from "./languageModels/languageModelClient.ts";
import { canSendImages, listLanguageModels, onDidChangeLanguageModels } from "./languageModels/languageModels.ts";
import { t } from "./localize.ts";
import { createTurnTools } from "./mcp/turnTools.ts";
import { createModelCommands } from "./models/modelCommands.ts";
import { ModelMemory } from "./models/modelMemory.ts";
import { showLearned } from "./models/showLearned.ts";
import { watchApplied } from "./panel/appliedFiles.ts";
import { ChatBridge } from "./panel/chatBridge.ts";
import { MessageInbox } from "./panel/messageInbox.ts";
import { canGoOn, NewProblemsOffer } from "./panel/newProblemsOffer.ts";
import { PanelAgreements } from "./panel/panelAgreements.ts";
import { PanelApproval } from "./panel/panelApproval.ts";
import { createPanelHandlers, startMessage } from "./panel/panelHandlers.ts";
import { receivePanelMessage } from "./panel/panelMessages.ts";
import { PanelQuestion } from "./panel/panelQuestion.ts";
import { pendingFiles, watchPending } from "./panel/pendingFiles.ts";
import { PendingIndicators } from "./panel/pendingIndicators.ts";
import { StatusFeed } from "./panel/statusFeed.ts";
import type { Platform } from "./platform.ts";
import { DiffPreview } from "./preview/diffPreview.ts";
import { ProposalStore } from "./proposals/proposalStore.ts";
import { proposalsFolder } from "./proposals/proposalsFolder.ts";
import { AppliedReview } from "./restore/appliedReview.ts";
import { createFileRestore } from "./restore/fileRestore.ts";
import { setApiKey } from "./settings/apiKeys.ts";
import { Configuration } from "./settings/configuration.ts";
import { chosenModel } from "./settings/modelChoice.ts";
import { connectModel } from "./settings/modelConnection.ts";
import { contextWindowOf } from "./settings/settings.ts";
import { showPermissions } from "./settings/showPermissions.ts";
import { createChosenVoice, voiceConnection } from "./voice/chosenVoice.ts";
import { VoiceControl } from "./voice/voiceControl.ts";
import { activeFilePath } from "./workspace/editTarget.ts";
import { watchUserSaves } from "./workspace/userSaves.ts";
import { createVscodeEditorState, editorView, RecentFiles } from "./workspace/vscodeEditorState.ts";
import { createVscodeLanguageServices } from "./workspace/vscodeLanguageServices.ts";
import { VscodeSavedFiles } from "./workspace/vscodeSavedFiles.ts";
import { createVscodeSymbolSource } from "./workspace/vscodeSymbolSource.ts";
import { VscodeWorkspace } from "./workspace/vscodeWorkspace.ts";
import { createVscodeWorkspaceFiles } from "./workspace/vscodeWorkspaceFiles.ts";

/** Time limit for `dispose` in milliseconds. VS Code waits five seconds. */
const END_MS = 4_000;

/** The workspace state that lists applied changes not yet reviewed. */
const APPLIED_REVIEW = "graft.appliedReview";

/** The composition root: builds every part once and connects them. */
export async function compose(context: vscode.ExtensionContext, platform: Platform): Promise<App> {
  const stack = new DisposableStack();
  const logger = stack.add(vscode.window.createOutputChannel("Graft", { log: true }));
  const recentFiles = stack.add(new RecentFiles());
  const adapters = await platform.adapters();
  const { environment } = platform;
  const { secrets } = context;
  const configuration = stack.add(new Configuration());
  const memory = stack.add(new ModelMemory(context));
  const chosen = () => chosenModel(configuration.settings, memory.choice);
  const connect = async () => {
    // A question that is typed right after the choice goes to the chosen model.
    await models.settled();
    return connectModel({
      settings: configuration.settings,
      chosen: chosen(),
      secrets,
      environment,
      demo: { workspace, syntax },
      learned: context.globalState,
      languageModel: connectLanguageModel,
    });
  };
  const workspace = new VscodeWorkspace(adapters.disk, adapters.folderSearch);
  const grammars = vscode.Uri.joinPath(context.extensionUri, "dist", "grammars");
  const grammarSource = { read: async (path: string) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(grammars, path)) };
  const syntax = withSymbols(createSyntax(grammarSource, logger), createVscodeSymbolSource(workspace));
  const storage = context.storageUri ?? context.globalStorageUri;
  const images = createImageStore(vscode.Uri.joinPath(storage, "images"));
  const diskFiles = createVscodeWorkspaceFiles(workspace, adapters.disk);
  const tellFault = storageFaultTeller(logger);
  const journals = adapters.eventLogs(vscode.Uri.joinPath(storage, "changes"));
  const savedFiles = stack.add(
    new VscodeSavedFiles(
      () => configuration.settings.edits.save,
      () => preview.pendingPaths,
      (uri) => workspace.resolveUri(uri),
    ),
  );
  const newProblems = stack.add(
    new NewProblemsOffer(
      (text) => run("Sending", chats.chat.send(text)),
      // Half of a change often does not compile.
      () =>
        configuration.settings.edits.fixNewErrors === "always" &&
        workspace.trusted &&
        preview.pendingPaths.length === 0 &&
        canGoOn(chats.chat),
    ),
  );
  let chatsOpened: (opened: CurrentChat<Chat>) => void = () => undefined;
  const opened = new Promise<CurrentChat<Chat>>((resolve) => {
    chatsOpened = resolve;
  });
  const records = recordReviews(opened, journals, logger);
  const preview = stack.add(
    new DiffPreview({
      logger,
      settings: () => ({ inline: configuration.settings.diff.inline, review: configuration.settings.edits.review }),
      memento: context.globalState,
      workspace,
      operations: diskFiles,
      store: new ProposalStore(adapters.smallFiles(proposalsFolder(context)), logger, tellFault),
      events: {
        decided: records.decided,
        applied(origin, change) {
          records.applied(origin, change);
          if (change.before === null || change.after === null) return;
          savedFiles.acceptedInto(change.file);
          newProblems.acceptedInto(change.file);
        },
        takenBack(origin, change) {
          records.takenBack(origin, change);
          if (change.before !== null) savedFiles.acceptedInto(change.file);
        },
      },
      focusComposer: () => void vscode.commands.executeCommand("graft.openChat"),
    }),
  );
  await preview.load();
  const diskRunnerFiles = adapters.runnerFiles?.(workspace) ?? null;
  if (diskRunnerFiles) stack.add(watchUserSaves(diskRunnerFiles));
  const runnerFiles = diskRunnerFiles && {
    ...diskRunnerFiles,
    // What was applied without review is not the user's yet.
    isUsers: (path: string, hash: string | undefined) =>
      diskRunnerFiles.isUsers(path, hash) && !applied.all.some((file) => file.path === path),
  };
  const grants = new PermissionGrants(context.workspaceState, runnerFiles);
  const approval = new PanelApproval({
    trusted: () => workspace.trusted,
    policy: () => configuration.settings.permissions,
    grants,
    async acceptAll() {
      if (preview.pendingPaths.length > 0) await preview.commands.acceptAll();
      return preview.pendingPaths.length === 0;
    },
    saveFiles: (paths) => savedFiles.saveFiles(paths),
  });
  const question = new PanelQuestion();
  const agreements = new PanelAgreements();
  // The side bar stays as the user has it: the badge and the status bar say that Graft asks.
  const indicators = stack.add(new PendingIndicators(approval.open, question.open, agreements.open));
  stack.add(agreements.open.onChange(() => bridge.setStatus(feed.status)));
  const services = createVscodeLanguageServices(workspace);
  const pending = () => preview.pendingReviews;
  const attachedText = createAttachedText(workspace, services, pending);
  const machine = adapters.processes?.(workspace, savedFiles, () => configuration.settings.commandEnvironment);
  const { mcp } = adapters;
  const turnTools = createTurnTools(mcp && (() => mcp(context, (offers, signal) => agreements.open.ask(offers, signal))), savedFiles);
  const files = journalFiles(diskFiles, workspace, (change) => chats.chat.recordChange(change));
  const tools = [
    ...editorTools({ workspace, syntax, services, question, editor: createVscodeEditorState(), pending: savedFiles.pending }),
    ...(machine?.tools ?? []),
  ];

  const applied = stack.add(new AppliedReview((review) => void context.workspaceState.update(APPLIED_REVIEW, review)));
  const chatLogs = adapters.eventLogs(vscode.Uri.joinPath(storage, "chats"));
  const chats = await openChats({
    storage: watchedLogs(chatLogs, "chat", tellFault),
    journals: watchedLogs(journals, "changes", tellFault),
    memory: context.workspaceState,
    options: {
      logger,
      workspace,
      syntax,
      approval,
      question,
      files,
      tools,
      turnTools: turnTools.tools,
      reviewer: preview,
      t,
      connect,
      maxSteps: () => configuration.settings.maxSteps,
      maxTurnCost: () => configuration.settings.maxTurnCost || null,
      learned: context.globalState,
      editFormat: () => configuration.settings.edits.format,
      contextWindow: (model) => contextWindowOf(configuration.settings, model),
      activeFile: activeFilePath,
      editorView: () => editorView(recentFiles),
      images,
      attached: attachedText,
    },
    changed(change, journal) {
      if (configuration.settings.edits.review === "after") applied.add(change, journal);
    },
    stopped: (turnId) => machine?.turnStopped(turnId),
  });
  chatsOpened(chats);

  const models = createModelCommands({
    settings: () => configuration.settings,
    memory,
    secrets,
    environment,
    listLanguageModels,
    connect,
    offersChanged: () => changed(),
  });
  let appliedList: readonly PendingFile[] = [];
  const feed = new StatusFeed(
    {
      secrets,
      environment,
      learned: context.globalState,
      canSendImages,
      chosen: () => models.chosen,
      contextWindow: (model) => contextWindowOf(configuration.settings, model),
      surroundings: () => ({
        busy: chats.chat.busy,
        trusted: workspace.trusted,
        workspace: workspace.folders.length > 0,
        offers: models.offers === null ? null : [...models.offers],
        behind: [...preview.behindPaths],
        agreements: [...agreements.shown],
        pending: [...pendingFiles(preview.pendingReviews, preview.operations.pending), ...appliedList],
      }),
    },
    (status) => {
      void vscode.commands.executeCommand("setContext", "graft.busy", status.busy);
      bridge.setStatus(status);
    },
  );
  const bridge = stack.add(new ChatBridge(chats.chat, feed.status));
  const chatContext = stack.add(
    createChatContext({
      workspace,
      syntax,
      services,
      recent: recentFiles,
      pending,
      attachedText,
      tell: (message) => bridge.context(message),
      connect,
      images,
      chatId: () => chats.chat.chatId,
    }),
  );
  const run = (what: string, work: Promise<unknown>) => {
    work.catch((error: unknown) => logger.error(`${what} failed: ${String(error)}`));
  };
  const changed = () => run("Reading the status", feed.changed());
  run("Listing applied changes", applied.bringBack(context.workspaceState.get(APPLIED_REVIEW), chats.chat.journal));
  const followed = (busy: boolean) => {
    if (busy) newProblems.turnBegan();
    else newProblems.update();
    changed();
  };
  stack.add(chats.follow((chat) => chat.onBusy(followed)));
  chats.onOpening((chatId) => bridge.showNew(chatId));
  chats.onShown((chat) => {
    newProblems.turnBegan();
    bridge.show(chat);
    changed();
  });
  stack.add(
    vscode.Disposable.from(
      configuration.onDidChange(changed),
      memory.onDidChange(changed),
      onDidChangeLanguageModels(() => models.languageModelsChanged()),
      vscode.workspace.onDidGrantWorkspaceTrust(changed),
      vscode.workspace.onDidChangeWorkspaceFolders(changed),
      secrets.onDidChange(changed),
      preview.onBehind(changed),
      watchPending(preview, (files) => {
        indicators.showFiles(files.length);
        newProblems.update();
        bridge.setStatus(feed.status);
      }),
      watchApplied(applied, (files) => {
        appliedList = files;
        bridge.setStatus(feed.status);
      }),
    ),
  );
  changed();
  // Before the model acts: rules of the settings hold for what commands run now.
  if (workspace.trusted) run("Looking at the files of rules", grants.see(configuration.settings.permissions.rules));

  const restore = stack.add(createFileRestore({ chat: () => chats.chat, workspace, applied, pendingPaths: () => preview.pendingPaths }));

  const inbox = new MessageInbox<Chat>({
    withChat: (chatId, action) => chats.withChat(chatId, action),
    start: (message, chat) => startMessage(graft, chat, message),
    settled: (id, refused) => bridge.settled(id, refused),
    failed: (error) => logger.error(`Sending failed: ${String(error)}`),
  });
  const voiceSources = () => ({ settings: configuration.settings, chosen: models.chosen, secrets, environment });
  const voice = stack.add(
    new VoiceControl({
      extensionUri: context.extensionUri,
      load: adapters.voice,
      chat: {
        get busy() {
          return chats.chat.busy;
        },
        send: (text) => run("Sending", chats.chat.send(text, [], true)),
        stop: () => chats.chat.stop(),
        answer: (callId, values) => question.answer(callId, values),
        speechEnded: (turnId, speech) => chats.chat.speechEnded(turnId, speech),
        onEvent: (listener) => chats.follow((chat) => chat.onEvent(listener)),
        onBusy: (listener) => chats.follow((chat) => chat.onBusy(listener)),
      },
      settings: () => configuration.settings.voice,
      voice: createChosenVoice(voiceSources),
      async setKey() {
        const connection = voiceConnection(voiceSources());
        if (connection) await setApiKey(connection, secrets);
      },
      tell: (message) => bridge.context(message),
    }),
  );
  stack.add(configuration.onDidChange(() => voice.settingsChanged()));
  // Nobody wants to hear another chat's answer.
  stack.add(chats.onShown(() => run("Hushing", voice.act("hush"))));

  const graft: App = {
    workspace,
    preview,
    applied,
    restore,
    newProblems,
    context: chatContext,
    models,
    chats,
    bridge,
    voice,
    chatCommands: createChatCommands(createChatSessions({ chats, storage: chatLogs, journals, images, logger }), () => chats.chat.chatId),
    run,
    stop() {
      run("Hushing", voice.act("hush"));
      chats.chat.stop();
    },
    get chat() {
      return chats.chat;
    },
    async connectPanel(post, showBadge) {
      bridge.connect(post);
      indicators.connect(showBadge);
      const handlers = createPanelHandlers(graft, inbox, approval, question, agreements);
      const receive = (message: unknown) => receivePanelMessage(message, handlers, logger);
      return { receive, ping: () => bridge.ping(), hide: () => bridge.pause() };
    },
    showPermissions: () => showPermissions(grants, context),
    showLearned: () => showLearned(context.globalState).then(changed),
    async dispose() {
      const ends = () => Promise.allSettled([preview.kept(), chats.dispose(), machine?.dispose(), turnTools.dispose()]);
      await withDeadline(new AbortController().signal, END_MS, ends);
      stack.dispose();
    },
  };
  return graft;
}
