import * as vscode from "vscode";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import { t } from "../localize.ts";
import { waitingText } from "../messages.ts";
import type { OpenRequests } from "./openRequests.ts";

/** Shows the number beside the view's name; undefined for none. */
export type ShowBadge = (badge: vscode.ViewBadge | undefined) => void;

/** How much waits for the user, outside the panel: in the status bar and as the view's badge. */
export class PendingIndicators implements Disposable {
  private readonly owned = new DisposableStack();
  private readonly item: vscode.StatusBarItem;
  private showBadge: ShowBadge = () => undefined;
  private readonly asking: readonly Pick<OpenRequests<unknown, never>, "all" | "onChange">[];
  private files = 0;

  /** Counts what each of `asking` has open. */
  constructor(...asking: readonly Pick<OpenRequests<unknown, never>, "all" | "onChange">[]) {
    this.asking = asking;
    this.item = this.owned.add(vscode.window.createStatusBarItem("graft.pending", vscode.StatusBarAlignment.Left));
    this.item.name = t("Graft: Proposed Changes");
    for (const { onChange } of asking) this.owned.add(onChange(() => this.draw()));
  }

  /** The view was opened; from now on its badge is shown there. */
  connect(showBadge: ShowBadge): void {
    this.showBadge = showBadge;
    this.draw();
  }

  /** So many files have proposed changes now. */
  showFiles(files: number): void {
    this.files = files;
    this.draw();
  }

  dispose(): void {
    this.showBadge(undefined);
    this.owned.dispose();
  }

  private draw(): void {
    const { files } = this;
    const asks = this.asking.reduce((sum, { all }) => sum + all.length, 0);
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
