import * as vscode from "vscode";
import { t } from "../localize.ts";

/** When to offer inline diffs: once ever, once per window while diffs are side by side, or never. */
export type InlineOfferSetting = "ask" | "always" | "never";

const ASKED_KEY = "graft.inlineDiffAsked";

/** Offers to show diffs inline. The setting belongs to VS Code and affects every diff, so only the user's click changes it. */
export class InlineOffer {
  private readonly memento: vscode.Memento;
  private readonly setting: () => InlineOfferSetting;
  private asked = false;

  constructor(memento: vscode.Memento, setting: () => InlineOfferSetting) {
    this.memento = memento;
    this.setting = setting;
  }

  /** Asks if it is time to. Returns at once and never takes the focus. */
  consider(): void {
    const setting = this.setting();
    if (this.asked || setting === "never") return;
    if (setting === "ask" && this.memento.get<boolean>(ASKED_KEY) === true) return;
    const diff = vscode.workspace.getConfiguration("diffEditor");
    if (diff.get<boolean>("renderSideBySide") !== true) return;
    this.asked = true;
    void this.ask(diff);
  }

  private async ask(diff: vscode.WorkspaceConfiguration): Promise<void> {
    // Stored when asked, not when answered: dismissing the question is an answer too.
    await this.memento.update(ASKED_KEY, true);
    const inline = t("Show Inline");
    const question = t("Show diffs inline? This sets diffEditor.renderSideBySide to false in your user settings.");
    const answer = await vscode.window.showInformationMessage(question, inline, t("Keep Side by Side"));
    if (answer === inline) await diff.update("renderSideBySide", false, vscode.ConfigurationTarget.Global);
  }
}
