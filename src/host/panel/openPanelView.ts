import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { watchValue } from "../../base/watchValue.ts";
import type { PanelStatus, PendingFile } from "../../protocol/messages.ts";
import type { CurrentChat } from "../chats/currentChat.ts";
import type { CheckCommands } from "../checks/openChecks.ts";
import type { Host } from "../host.ts";
import { canSendImages } from "../languageModels/languageModels.ts";
import type { ModelCommands } from "../models/modelCommands.ts";
import type { Reviews } from "../openReviews.ts";
import { contextWindowOf } from "../settings/settings.ts";
import { watchApplied } from "./appliedFiles.ts";
import { ChatBridge } from "./chatBridge.ts";
import type { NewProblemsOffer } from "./newProblemsOffer.ts";
import type { PanelRequests } from "./panelRequests.ts";
import { filesElsewhere, pendingFiles, watchPending } from "./pendingFiles.ts";
import { PendingIndicators } from "./pendingIndicators.ts";
import { StatusFeed, type StatusSources } from "./statusFeed.ts";

/** Milliseconds between two updates of what a check says. */
const CHECK_INTERVAL_MS = 50;

/** What the user sees of the window and its chat. */
export interface PanelView {
  readonly bridge: ChatBridge;
  readonly indicators: PendingIndicators;
  /** Shows what has changed. */
  changed(): void;
}

/** Shows the chat and the status in the panel, and beside it what waits for the user. */
export function openPanelView(
  host: Host,
  models: ModelCommands,
  { preview, shared, applied, newProblems }: Reviews,
  { approval, question, agreements }: PanelRequests,
  chats: CurrentChat<Chat>,
  checks: CheckCommands,
): PanelView {
  const { run, stack } = host;
  let appliedList: readonly PendingFile[] = [];
  const feed = createStatusFeed(
    host,
    models,
    () => ({
      ...checks.status(),
      busy: chats.chat.busy,
      trusted: vscode.workspace.isTrusted,
      workspace: (vscode.workspace.workspaceFolders ?? []).length > 0,
      offers: models.offers === null ? null : [...models.offers],
      behind: [...preview.behindPaths],
      agreements: [...agreements.shown],
      pending: [
        ...pendingFiles(preview.pendingReviews, preview.operations.pending),
        ...filesElsewhere(shared),
        ...appliedList,
      ],
    }),
    (status) => bridge.setStatus(status),
  );
  const bridge = stack.add(new ChatBridge(chats.chat, feed.status));
  const show = () => bridge.setStatus(feed.status);
  // Leave the side bar as it is. The badge and the status bar show that Graft asks.
  const indicators = stack.add(
    new PendingIndicators(approval.open, question.open, agreements.open),
  );
  stack.add(agreements.open.onChange(show));
  stack.add(watchValue(checks.status, checks.onChange, CHECK_INTERVAL_MS, show));
  stack.add(
    watchPending(preview, shared, (files) => {
      indicators.showFiles(files.length);
      newProblems.update();
      show();
    }),
  );
  stack.add(
    watchApplied(applied, (files) => {
      appliedList = files;
      show();
    }),
  );
  const changed = () => run("Reading the status", feed.changed());
  stack.add(preview.onBehind(changed));
  watchWindow(host, changed);
  followChats(host, chats, bridge, newProblems, changed);
  changed();
  return { bridge, indicators, changed };
}

/** Shows another chat as soon as there is one. */
function followChats(
  { stack }: Host,
  chats: CurrentChat<Chat>,
  bridge: ChatBridge,
  newProblems: NewProblemsOffer,
  changed: () => void,
): void {
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
}

function createStatusFeed(
  { configuration, context, environment }: Host,
  models: ModelCommands,
  surroundings: StatusSources["surroundings"],
  show: (status: PanelStatus) => void,
): StatusFeed {
  const sources = {
    secrets: context.secrets,
    environment,
    learned: context.globalState,
    canSendImages,
    chosen: () => models.chosen,
    contextWindow: (model: string) => contextWindowOf(configuration.settings, model),
    surroundings,
  };
  return new StatusFeed(sources, (status) => {
    void vscode.commands.executeCommand("setContext", "graft.busy", status.busy);
    show(status);
  });
}

function watchWindow({ configuration, context, stack }: Host, changed: () => void): void {
  stack.add(configuration.onDidChange(changed));
  stack.add(context.secrets.onDidChange(changed));
  stack.add(vscode.workspace.onDidGrantWorkspaceTrust(changed));
  stack.add(vscode.workspace.onDidChangeWorkspaceFolders(changed));
}
