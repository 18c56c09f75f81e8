import * as vscode from "vscode";

/** When to offer inline diffs: once ever, once a window for as long as diffs are side by side, or not at all. */
export type InlineOfferSetting = "ask" | "always" | "never";

const ASKED_KEY = "graft.inlineDiffAsked";
const INLINE = "Inline";

/**
 * Offers to switch the editor's diffs to inline. That is a setting of VS Code itself and holds for every diff, so nothing but the
 * button changes it, also with `always`: that only keeps asking, in every window, until diffs are inline.
 */
export class InlineOffer {
  private readonly memento: vscode.Memento;
  private readonly setting: () => InlineOfferSetting;
  private asked = false;

  constructor(memento: vscode.Memento, setting: () => InlineOfferSetting) {
    this.memento = memento;
    this.setting = setting;
  }

  /** Asks if it is due; returns at once and never takes the focus. */
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
    // Remembered when shown, not when answered: a question that was put aside is an answer too.
    await this.memento.update(ASKED_KEY, true);
    const question = "Show Graft's diffs inline? This sets diffEditor.renderSideBySide to false in your user settings.";
    const answer = await vscode.window.showInformationMessage(question, INLINE, "Keep side by side");
    if (answer === INLINE) await diff.update("renderSideBySide", false, vscode.ConfigurationTarget.Global);
  }
}
