import * as vscode from "vscode";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import { t } from "../localize.ts";
import { filesToReview } from "../messages.ts";

/** Shows the number beside the view's name; undefined for none. */
export type ShowBadge = (badge: vscode.ViewBadge | undefined) => void;

/** How many files have proposed changes, outside the panel: in the status bar and as the view's badge. */
export class PendingIndicators implements Disposable {
  private readonly owned = new DisposableStack();
  private readonly item: vscode.StatusBarItem;
  private showBadge: ShowBadge = () => undefined;
  private files = 0;

  constructor() {
    this.item = this.owned.add(vscode.window.createStatusBarItem("graft.pending", vscode.StatusBarAlignment.Left));
    this.item.name = t("Graft: Proposed Changes");
    this.item.command = "graft.showProposals";
    this.item.tooltip = t("Review proposed changes");
  }

  /** The view was opened; from now on its badge is shown there. */
  connect(showBadge: ShowBadge): void {
    this.showBadge = showBadge;
    this.draw();
  }

  /** So many files have proposed changes. */
  update(files: number): void {
    if (files === this.files) return;
    this.files = files;
    this.draw();
  }

  dispose(): void {
    this.showBadge(undefined);
    this.owned.dispose();
  }

  private draw(): void {
    const { files } = this;
    const words = filesToReview(t, files);
    this.item.text = t("Graft: {files}", { files: words });
    if (files > 0) this.item.show();
    else this.item.hide();
    this.showBadge(files > 0 ? { value: files, tooltip: words } : undefined);
  }
}
