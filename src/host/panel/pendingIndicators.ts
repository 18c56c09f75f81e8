import * as vscode from "vscode";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
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
  private files = 0;

  /** Counts the open requests of each of `asking`. */
  constructor(...asking: readonly Pick<OpenRequests<unknown, never>, "all" | "onChange">[]) {
    this.asking = asking;
    this.item = this.owned.add(
      vscode.window.createStatusBarItem("graft.pending", vscode.StatusBarAlignment.Left),
    );
    this.item.name = t("Graft: Proposed Changes");
    for (const { onChange } of asking) this.owned.add(onChange(() => this.draw()));
  }

  /** The view was opened. From now on, its badge is shown there. */
  connect(showBadge: ShowBadge): void {
    this.showBadge = showBadge;
    this.draw();
  }

  /** Sets the number of files with proposed changes. */
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
    this.item.text =
      asks > 0 ? `$(question) ${t("Graft asks")}` : t("Graft: {files}", { files: words });
    this.item.tooltip = asks > 0 ? t("Open the chat to answer") : t("Review proposed changes");
    this.item.command = asks > 0 ? "graft.openChat" : "graft.showProposals";
    this.item.backgroundColor =
      asks > 0 ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    if (asks + files > 0) this.item.show();
    else this.item.hide();
    this.showBadge(asks + files > 0 ? { value: asks + files, tooltip: words } : undefined);
  }
}
