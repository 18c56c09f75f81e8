import * as vscode from "vscode";
import type { Chat } from "../agent/chat/chat.ts";
import { Deadline } from "../base/deadline.ts";
import { DisposableStack } from "../base/disposable.ts";
import { untilAborted } from "../base/untilAborted.ts";
import { journalFiles } from "../edits/history/journalFiles.ts";
import type { PendingFile } from "../protocol/messages.ts";
import { createSyntax } from "../syntax/createSyntax.ts";
import { withSymbols } from "../syntax/languageServer/withSymbols.ts";
import { editorTools } from "../tools/editorTools.ts";
import { fileTools } from "../tools/fileTools.ts";
import { PermissionGrants } from "../tools/permissions/permissionGrants.ts";
import type { App } from "./app.ts";
import { createChatCommands } from "./chats/chatCommands.ts";
import { createChatSessions } from "./chats/chatSessions.ts";
import type { CurrentChat } from "./chats/currentChat.ts";
import { openChats } from "./chats/openChats.ts";
import { recordReviews } from "./chats/recordReviews.ts";
import { t } from "./localize.ts";
import { createTurnTools } from "./mcp/turnTools.ts";
import { watchApplied } from "./panel/appliedFiles.ts";
import { ChatBridge } from "./panel/chatBridge.ts";
import { CHAT_VIEW } from "./panel/chatView.ts";
import { NewProblemsOffer } from "./panel/newProblemsOffer.ts";
import { PanelApproval } from "./panel/panelApproval.ts";
import { createPanelHandlers } from "./panel/panelHandlers.ts";
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
import { askApiKey, clearApiKey } from "./settings/apiKeys.ts";
import { Configuration } from "./settings/configuration.ts";
import { connectModel } from "./settings/modelConnection.ts";
import { contextWindowOf } from "./settings/settings.ts";
import { showPermissions } from "./settings/showPermissions.ts";
import { activeFilePath } from "./workspace/editTarget.ts";
import { createVscodeEditorState, editorView, RecentFiles } from "./workspace/vscodeEditorState.ts";
import { createVscodeLanguageServices } from "./workspace/vscodeLanguageServices.ts";
import { VscodeSavedFiles } from "./workspace/vscodeSavedFiles.ts";
import { createVscodeSymbolSource } from "./workspace/vscodeSymbolSource.ts";
import { VscodeWorkspace } from "./workspace/vscodeWorkspace.ts";
import { createVscodeWorkspaceFiles } from "./workspace/vscodeWorkspaceFiles.ts";
import { workspacePathOf } from "./workspace/workspacePath.ts";

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
  const { environmentKey } = platform;
  const { secrets } = context;
  const configuration = stack.add(new Configuration());
  const workspace = new VscodeWorkspace(adapters.disk, adapters.folderSearch);
  const grammars = vscode.Uri.joinPath(context.extensionUri, "dist", "grammars");
  const grammarSource = { read: async (path: string) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(grammars, path)) };
  const syntax = withSymbols(createSyntax(grammarSource, logger), createVscodeSymbolSource(workspace));
  const storage = context.storageUri ?? context.globalStorageUri;
  const journals = adapters.eventLogs(vscode.Uri.joinPath(storage, "changes"));
  const savedFiles = stack.add(
    new VscodeSavedFiles(
      () => configuration.settings.edits.save,
      () => preview.pendingPaths,
    ),
  );
  const newProblems = stack.add(new NewProblemsOffer((text) => run("Sending", chats.chat.send(text))));
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
      store: new ProposalStore(proposalsFolder(context), logger),
      events: {
        decided: records.decided,
        applied(origin, change) {
          records.applied(origin, change);
          if (change.before === null) return;
          savedFiles.acceptedInto(change.file);
          newProblems.acceptedInto(change.file);
        },
      },
      focusComposer: () => void vscode.commands.executeCommand("graft.openChat"),
    }),
  );
  await preview.load();
  const grants = new PermissionGrants(context.workspaceState);
  const approval = new PanelApproval({
    trusted: () => workspace.trusted,
    policy: () => configuration.settings.permissions,
    grants,
    acceptAll: async () => (preview.pendingPaths.length > 0 ? preview.commands.acceptAll() : undefined),
  });
  const question = new PanelQuestion();
  const showPanel = () => void vscode.commands.executeCommand(`${CHAT_VIEW}.focus`, { preserveFocus: true });
  stack.add(approval.onAsked(showPanel));
  stack.add(question.onAsked(showPanel));
  const services = createVscodeLanguageServices(workspace);
  const machine = adapters.processes?.(workspace, savedFiles);
  const { mcp } = adapters;
  const turnTools = createTurnTools(mcp && (() => mcp(context, question)));
  const files = journalFiles(createVscodeWorkspaceFiles(workspace, adapters.disk), workspace, (change) => chats.chat.recordChange(change));
  const tools = [
    ...fileTools(workspace, files),
    ...editorTools({ workspace, syntax, services, question, editor: createVscodeEditorState(), pending: savedFiles.pending }),
    ...(machine?.tools ?? []),
  ];

  const applied = stack.add(new AppliedReview((review) => void context.workspaceState.update(APPLIED_REVIEW, review)));
  const chatLogs = adapters.eventLogs(vscode.Uri.joinPath(storage, "chats"));
  const chats = await openChats({
    storage: chatLogs,
    journals,
    memory: context.workspaceState,
    options: {
      logger,
      workspace,
      syntax,
      approval,
      question,
      tools,
      turnTools: turnTools.tools,
      reviewer: preview,
      t,
      connect: () => connectModel({ settings: configuration.settings, secrets, environmentKey, demo: { workspace, syntax } }),
      maxSteps: () => configuration.settings.maxSteps,
      contextWindow: (model) => contextWindowOf(configuration.settings, model),
      activeFile: () => activeFilePath(workspacePathOf),
      editorView: () => editorView(recentFiles),
    },
    changed(change, journal) {
      if (configuration.settings.edits.review === "after") applied.add(change, journal);
    },
    stopped: (turnId) => machine?.turnStopped(turnId),
  });
  chatsOpened(chats);

  let appliedList: readonly PendingFile[] = [];
  const feed = new StatusFeed(
    {
      secrets,
      environmentKey,
      settings: () => configuration.settings,
      surroundings: () => ({
        busy: chats.chat.busy,
        trusted: workspace.trusted,
        workspace: workspace.folders.length > 0,
        elsewhere: chats.elsewhere,
        behind: [...preview.behindPaths],
        pending: [...pendingFiles(preview.pendingReviews), ...appliedList],
      }),
    },
    (status) => {
      void vscode.commands.executeCommand("setContext", "graft.busy", status.busy);
      bridge.setStatus(status);
    },
  );
  const bridge = stack.add(new ChatBridge(chats.chat, feed.status));
  const run = (what: string, work: Promise<unknown>) => {
    work.catch((error: unknown) => logger.error(`${what} failed: ${String(error)}`));
  };
  const changed = () => run("Reading the status", feed.changed());
  const indicators = stack.add(new PendingIndicators());
  run("Listing applied changes", applied.bringBack(context.workspaceState.get(APPLIED_REVIEW), chats.chat.journal));
  const followed = (busy: boolean) => {
    if (busy) newProblems.turnBegan();
    changed();
  };
  let following = chats.chat.onBusy(followed);
  stack.add({ dispose: () => following.dispose() });
  chats.onShown((chat) => {
    following.dispose();
    following = chat.onBusy(followed);
    newProblems.turnBegan();
    bridge.show(chat);
    changed();
  });
  for (const subscription of [
    configuration.onDidChange(changed),
    vscode.workspace.onDidGrantWorkspaceTrust(changed),
    vscode.workspace.onDidChangeWorkspaceFolders(changed),
    secrets.onDidChange(changed),
    preview.onBehind(changed),
    watchPending(preview, (files) => {
      indicators.update(files.length);
      bridge.setStatus(feed.status);
    }),
    watchApplied(applied, (files) => {
      appliedList = files;
      bridge.setStatus(feed.status);
    }),
  ]) {
    stack.add(subscription);
  }
  changed();

  const restore = stack.add(createFileRestore({ chat: () => chats.chat, workspace, applied, pendingPaths: () => preview.pendingPaths }));

  const graft: App = {
    workspace,
    preview,
    applied,
    restore,
    newProblems,
    chats,
    bridge,
    chatCommands: createChatCommands(createChatSessions({ chats, storage: chatLogs, journals, logger }), () => chats.chat.chatId),
    run,
    get chat() {
      return chats.chat;
    },
    async connectPanel(post, showBadge) {
      bridge.connect(post);
      indicators.connect(showBadge);
      const handlers = createPanelHandlers(graft, approval, question);
      const pause = () => bridge.pause();
      return { receive: (message) => receivePanelMessage(message, handlers, logger), hide: pause, dispose: pause };
    },
    showPermissions: () => showPermissions(grants, context),
    askApiKey: () => askApiKey(configuration.settings.baseUrl, secrets),
    clearApiKey: () => clearApiKey(configuration.settings.baseUrl, secrets),
    async dispose() {
      const limit = new Deadline(new AbortController().signal);
      limit.restart(END_MS);
      await untilAborted(Promise.allSettled([preview.kept(), chats.dispose(), machine?.dispose(), turnTools.dispose()]), limit.signal);
      limit.dispose();
      stack.dispose();
    },
  };
  return graft;
}
