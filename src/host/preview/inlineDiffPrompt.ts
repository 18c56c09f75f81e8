import * as vscode from "vscode";
import { t } from "../localize.ts";

/**
 * When to offer inline diffs: once ever, once per window while diffs are side by side, or never.
 */
export type InlineDiffSetting = "ask" | "always" | "never";

const ASKED_KEY = "graft.inlineDiffAsked";

/**
 * A function that offers to show diffs inline if it is time to; it returns at once and never takes
 * the focus. The setting belongs to VS Code and affects every diff, so only the user's click
 * changes it.
 */
export function createInlineDiffPrompt(
  memento: vscode.Memento,
  setting: () => InlineDiffSetting,
): () => void {
  let asked = false;
  return () => {
    if (
      asked ||
      setting() === "never" ||
      (setting() === "ask" && memento.get<boolean>(ASKED_KEY) === true)
    )
      return;
    const diff = vscode.workspace.getConfiguration("diffEditor");
    if (diff.get<boolean>("renderSideBySide") !== true) return;
    asked = true;
    void ask(diff, memento);
  };
}

async function ask(diff: vscode.WorkspaceConfiguration, memento: vscode.Memento): Promise<void> {
  // Stored when asked, not when answered: dismissing the question is an answer too.
  await memento.update(ASKED_KEY, true);
  const inline = t("Show Inline");
  const question = t(
    "Show diffs inline? This sets diffEditor.renderSideBySide to false in your user settings.",
  );
  const answer = await vscode.window.showInformationMessage(
    question,
    inline,
    t("Keep Side by Side"),
  );
  if (answer === inline)
    await diff.update("renderSideBySide", false, vscode.ConfigurationTarget.Global);
}
