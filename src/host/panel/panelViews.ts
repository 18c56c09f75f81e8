import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { watchValue } from "../../base/watchValue.ts";
import { isImportedChat } from "../../ports/outsideChat.ts";
import type { OpenChatState } from "../../protocol/messages.ts";
import type { CandidateChats } from "../../review/candidates/candidateChats.ts";
import { isTold, watchNotices } from "../../review/chats/chatNotices.ts";
import { chatStates } from "../../review/chats/chatStates.ts";
import type { ChatTitles } from "../../review/chats/chatTitles.ts";
import { showNotice } from "../chats/showNotice.ts";
import type { Host } from "../host.ts";
import { t } from "../localize.ts";
import type { Reviews } from "../openReviews.ts";
import { openPanelView, openSideView, type PanelView, type ShownWindow } from "./openPanelView.ts";
import type { PanelRequests } from "./panelRequests.ts";
import { watchPending } from "./pendingFiles.ts";
import { PendingIndicators } from "./pendingIndicators.ts";

/** Milliseconds between two updates of what the chats are doing. */
const STATES_INTERVAL_MS = 50;

/** All that shows chats in the window, and what waits for the user. */
export interface PanelViews {
  /** The one in the side bar. */
  readonly side: PanelView;
  readonly all: ReadonlySet<PanelView>;
  readonly indicators: PendingIndicators;
  /** The chats in which something is going on. */
  states(): readonly OpenChatState[];
  /** Opens one for a chat in the editor, until it is disposed of. */
  openView(chat: Chat): PanelView;
  /** Shows what has changed. */
  statusChanged(): void;
}

/** The window with all that it reviews and asks. */
type ReviewingWindow = Omit<ShownWindow, "states" | "titleOf" | "reviews" | "requests"> & {
  readonly reviews: Reviews;
  readonly requests: PanelRequests;
  readonly titles: ChatTitles;
  readonly candidates: Pick<CandidateChats, "isCandidate">;
};

/** Shows the chats and their states, and beside them what waits for the user. */
export function openPanelViews(window: ReviewingWindow): PanelViews {
  const { host, chats, requests, reviews } = window;
  const { approval, question, agreements } = requests;
  const states = () => chatStates(chats, [...approval.open.all, ...question.open.all]);
  const titleOf = (chatId: string) =>
    isImportedChat(chatId) ? t("imported proposals") : window.titles.of(chatId);
  const shown = { ...window, states, titleOf };
  const side = openSideView(shown);
  const all = new Set([side]);
  // Leave the side bar as it is. The badge and the status bar show that Graft asks.
  const indicators = host.stack.add(
    new PendingIndicators(states, approval.open, question.open, agreements.open),
  );
  const views: PanelViews = {
    ...{ side, all, indicators, states },
    openView(chat) {
      const view = openPanelView(shown, () => chat);
      all.add(view);
      view.statusChanged();
      return {
        ...view,
        dispose() {
          all.delete(view);
          view.dispose();
        },
      };
    },
    statusChanged() {
      for (const view of all) view.statusChanged();
    },
  };
  host.stack.add(agreements.open.onChange(() => showAll(views)));
  host.stack.add(window.titles.onChange(() => showAll(views)));
  watchReview(host, reviews, views);
  watchChats(window, views);
  watchWindow(host, views.statusChanged);
  views.statusChanged();
  return views;
}

function showAll({ all, indicators }: PanelViews): void {
  indicators.update();
  for (const view of all) view.show();
}

function watchReview({ stack }: Host, reviews: Reviews, views: PanelViews): void {
  const { preview, shared, store, newProblems } = reviews;
  stack.add(
    watchPending(preview.proposals, shared, (files) => {
      views.indicators.showFiles(files.length);
      newProblems.update();
      showAll(views);
    }),
  );
  stack.add(preview.behind.onChange(views.statusChanged));
  stack.add(store.unkept.onChange(() => showAll(views)));
}

/** Follows the turns of all chats, and what they ask. */
function watchChats(
  { host, chats, requests, reviews, candidates }: ReviewingWindow,
  views: PanelViews,
): void {
  const { configuration, run, stack } = host;
  const { newProblems } = reviews;
  const asking = [requests.approval.open, requests.question.open];
  const showBusy = () => {
    const { asides, busy } = chats.chat;
    const shown = vscode.commands.executeCommand(
      "setContext",
      "graft.busy",
      busy || asides.isAsking,
    );
    run("Showing that a turn runs", Promise.resolve(shown));
  };
  const busyChanged = ({ chatId }: Chat, busy: boolean) => {
    if (busy) newProblems.turnBegan(chatId);
    else newProblems.update();
    showBusy();
    views.statusChanged();
  };
  stack.add(chats.each((chat) => chat.onBusy((busy) => busyChanged(chat, busy))));
  const askingChanged = () => {
    showBusy();
    views.statusChanged();
  };
  stack.add(chats.each((chat) => chat.asides.onChange(askingChanged)));
  stack.add(chats.onFront(showBusy));
  showBusy();
  const listen = (changed: () => void) =>
    vscode.Disposable.from(
      ...asking.map(({ onChange }) => onChange(changed)),
      chats.each((chat) => chat.onBusy(changed)),
    );
  // At once: a panel that shows another chat was told of the one that it left.
  stack.add(chats.onChange(() => showAll(views)));
  stack.add(watchValue(views.states, listen, STATES_INTERVAL_MS, () => showAll(views)));
  stack.add(
    watchNotices(chats, asking, (chat, notice) => {
      const { notifications } = configuration.settings;
      // The chat that asked tells of their end.
      if (notice !== "asks" && candidates.isCandidate(chat)) return;
      if (!vscode.window.state.focused && isTold(notice, notifications))
        run("Telling of a chat", showNotice(chat, notice));
    }),
  );
}

function watchWindow({ configuration, context, stack }: Host, changed: () => void): void {
  stack.add(configuration.onDidChange(changed));
  stack.add(context.secrets.onDidChange(changed));
  stack.add(vscode.workspace.onDidGrantWorkspaceTrust(changed));
  stack.add(vscode.workspace.onDidChangeWorkspaceFolders(changed));
}
