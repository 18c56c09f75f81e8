import * as vscode from "vscode";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import { t } from "../localize.ts";
import { waitingText } from "../messages.ts";

/** Shows the number beside the view's name; undefined for none. */
export type ShowBadge = (badge: vscode.ViewBadge | undefined) => void;

/** What waits for the user: files with proposed changes, and Graft's approvals, questions and MCP servers. */
interface Waiting {
  readonly files: number;
  readonly approvals: number;
  readonly questions: number;
  readonly agreements: number;
}

/** How much waits for the user, outside the panel: in the status bar and as the view's badge. */
export class PendingIndicators implements Disposable {
  private readonly owned = new DisposableStack();
  private readonly item: vscode.StatusBarItem;
  private showBadge: ShowBadge = () => undefined;
  private waiting: Waiting = { files: 0, approvals: 0, questions: 0, agreements: 0 };

  constructor() {
    this.item = this.owned.add(vscode.window.createStatusBarItem("graft.pending", vscode.StatusBarAlignment.Left));
    this.item.name = t("Graft: Proposed Changes");
  }

  /** The view was opened; from now on its badge is shown there. */
  connect(showBadge: ShowBadge): void {
    this.showBadge = showBadge;
    this.draw();
  }

  /** So much waits now; what is left out stays as it was. */
  update(change: Partial<Waiting>): void {
    this.waiting = { ...this.waiting, ...change };
    this.draw();
  }

  dispose(): void {
    this.showBadge(undefined);
    this.owned.dispose();
  }

  private draw(): void {
    const { files, approvals, questions, agreements } = this.waiting;
    const asks = approvals + questions + agreements;
    const words = waitingText(t, asks, files);
    this.item.text = asks > 0 ? `$(question) ${t("Graft asks")}` : t("Graft: {files}", { files: words });
    this.item.tooltip = asks > 0 ? t("Open the chat to answer") : t("Review proposed changes");
    this.item.command = asks > 0 ? "graft.openChat" : "graft.showProposals";
    this.item.backgroundColor = asks > 0 ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    if (asks + files > 0) this.item.show();
    else this.item.hide();
    this.showBadge(asks + files > 0 ? { value: asks + files, tooltip: words } : undefined);
  }
}
