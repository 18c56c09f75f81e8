import * as vscode from "vscode";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import type { OpenChatState } from "../../protocol/messages.ts";
import { t } from "../localize.ts";
import { waitingText } from "../messages.ts";
import type { OpenRequests } from "./openRequests.ts";

/** Shows a number next to the view's name, or none for undefined. */
export type ShowBadge = (badge: vscode.ViewBadge | undefined) => void;

/** Shows how many items await the user, in the status bar and as a badge of the view. */
export class PendingIndicators implements Disposable {
  private readonly owned = new DisposableStack();
  private readonly item: vscode.StatusBarItem;
  private showBadge: ShowBadge = () => undefined;
  private readonly asking: readonly Pick<OpenRequests<unknown, never>, "all" | "onChange">[];
  private readonly states: () => readonly OpenChatState[];
  private files = 0;

  /** Counts the open requests of each of `asking`, and the chats that are done unseen. */
  constructor(
    states: () => readonly OpenChatState[],
    ...asking: readonly Pick<OpenRequests<unknown, never>, "all" | "onChange">[]
  ) {
    this.states = states;
    this.asking = asking;
    this.item = this.owned.add(
      vscode.window.createStatusBarItem("graft.pending", vscode.StatusBarAlignment.Left),
    );
    this.item.name = t("Graft: Proposed Changes");
    for (const { onChange } of asking) this.owned.add(onChange(() => this.update()));
  }

  /** The view was opened. From now on, its badge is shown there. */
  connect(showBadge: ShowBadge): void {
    this.showBadge = showBadge;
    this.update();
  }

  /** Sets the number of files with proposed changes. */
  showFiles(files: number): void {
    this.files = files;
    this.update();
  }

  dispose(): void {
    this.showBadge(undefined);
    this.owned.dispose();
  }

  /** Shows them as they are now. */
  update(): void {
    const { files } = this;
    const states = this.states();
    const asks = this.asking.reduce((sum, { all }) => sum + all.length, 0);
    const done = states.filter(({ state }) => state === "done").length;
    const running = states.filter(({ state }) => state === "running").length;
    const asking = states.find(({ state }) => state === "waiting");
    const facts = { asks, files, done, running };
    this.item.text =
      asks > 0
        ? `$(question) ${t("Graft asks")}`
        : t("Graft: {files}", { files: waitingText(t, { ...facts, running: 0 }) });
    this.item.tooltip = asks > 0 ? t("Open the chat to answer") : t("Review proposed changes");
    this.item.command = asking
      ? {
          title: t("Open the chat to answer"),
          command: "graft.openEarlierChat",
          arguments: [asking.chatId],
        }
      : asks > 0
        ? "graft.openChat"
        : files > 0
          ? "graft.showProposals"
          : "graft.openEarlierChat";
    this.item.backgroundColor =
      asks > 0 ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    const value = asks + files + done;
    if (value > 0) this.item.show();
    else this.item.hide();
    this.showBadge(value > 0 ? { value, tooltip: waitingText(t, facts) } : undefined);
  }
}
