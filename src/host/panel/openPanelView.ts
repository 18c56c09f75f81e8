import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import { watchValue } from "../../base/watchValue.ts";
import type { OpenChatState, PanelStatus } from "../../protocol/messages.ts";
import type { OpenChats } from "../../review/chats/openChats.ts";
import type { CheckCommands } from "../checks/openChecks.ts";
import type { Host } from "../host.ts";
import { canSendImages } from "../languageModels/languageModels.ts";
import type { ModelCommands } from "../models/modelCommands.ts";
import type { Reviews } from "../openReviews.ts";
import type { WorkspaceAgents } from "../plans/workspaceAgents.ts";
import { contextWindowOf } from "../settings/settings.ts";
import { ChatBridge } from "./chatBridge.ts";
import type { PanelRequests } from "./panelRequests.ts";
import { filesElsewhere, pendingFiles } from "./pendingFiles.ts";
import { StatusFeed, type StatusSources } from "./statusFeed.ts";

/** Milliseconds between two updates of what a check says. */
const CHECK_INTERVAL_MS = 50;

/** What the user sees of a chat. */
export interface PanelView extends Disposable {
  readonly bridge: ChatBridge;
  /** The chat that it shows. */
  chat(): Chat;
  /** Shows the status as it is now. */
  show(): void;
  /** Shows what has changed, after it has looked for the key. */
  statusChanged(): void;
}

/** What the panels of a window show. */
export interface ShownWindow {
  readonly host: Host;
  readonly models: ModelCommands;
  readonly reviews: Pick<Reviews, "preview" | "shared" | "store">;
  readonly requests: Pick<PanelRequests, "agreements">;
  readonly chats: OpenChats<Chat>;
  readonly checks: CheckCommands;
  readonly agents: WorkspaceAgents;
  /** The chats in which something is going on. */
  states(): readonly OpenChatState[];
  /** What a chat is called; "" for one without a title. */
  titleOf(chatId: string): string;
}

/** Shows `chat` and the status in a panel; `chat` may be another one once that is shown. */
export function openPanelView(sources: ShownWindow, chat: () => Chat): PanelView {
  const { host, checks } = sources;
  const stack = new DisposableStack();
  const feed = createStatusFeed(
    host,
    sources.models,
    () => surroundings(sources, chat()),
    (status) => bridge.setStatus(status),
  );
  const bridge = stack.add(new ChatBridge(chat(), feed.status));
  const show = () => bridge.setStatus(feed.status);
  const checked = () => checks.status(chat().chatId);
  stack.add(watchValue(checked, checks.onChange, CHECK_INTERVAL_MS, show));
  stack.add(sources.agents.onChange(show));
  const changed = () => host.run("Reading the status", feed.statusChanged());
  stack.add(
    sources.chats.each((each) =>
      each.onEvent(({ type }) => {
        if (type === "agent-offers" && each === chat()) changed();
      }),
    ),
  );
  return { bridge, chat, show, statusChanged: changed, dispose: () => stack.dispose() };
}

/** Shows the chat of the side bar, whichever it is. */
export function openSideView(sources: ShownWindow): PanelView {
  const { chats, host } = sources;
  const view = openPanelView(sources, () => chats.shown);
  host.stack.add(view);
  chats.onOpening((chatId) => view.bridge.showNew(chatId));
  chats.onShown((chat) => {
    view.bridge.show(chat);
    view.show();
    view.statusChanged();
  });
  return view;
}

function surroundings(
  { models, reviews, requests: { agreements }, checks, agents, states, titleOf }: ShownWindow,
  { asides, chatId, busy, mode, tree }: Chat,
): ReturnType<StatusSources["surroundings"]> {
  const { preview, shared, store } = reviews;
  const others = states().filter((each) => each.chatId !== chatId);
  const nameOf = (id: string) => (id === chatId ? null : titleOf(id));
  return {
    agentOffers: tree.offers,
    mode,
    ...(agents.all.length > 0 && { agents: [...agents.all] }),
    ...checks.status(chatId),
    busy,
    ...(asides.isAsking && { asking: true as const }),
    trusted: vscode.workspace.isTrusted,
    workspace: (vscode.workspace.workspaceFolders ?? []).length > 0,
    offers: models.offers === null ? null : [...models.offers],
    behind: [...preview.behind.paths],
    agreements: [...agreements.shown],
    ...(others.length > 0 && { chats: others }),
    pending: [
      ...pendingFiles(
        preview.proposals.reviews,
        preview.proposals.operations.pending,
        nameOf,
        store.unkept.now,
      ),
      ...filesElsewhere(shared),
    ],
  };
}

function createStatusFeed(
  { configuration, context, environment }: Host,
  models: ModelCommands,
  around: StatusSources["surroundings"],
  show: (status: PanelStatus) => void,
): StatusFeed {
  const sources = {
    secrets: context.secrets,
    environment,
    learned: context.globalState,
    canSendImages,
    chosen: () => models.chosen,
    contextWindow: (model: string) => contextWindowOf(configuration.settings, model),
    surroundings: around,
  };
  return new StatusFeed(sources, show);
}
