import * as vscode from "vscode";
import { SerialQueue } from "../../base/serialQueue.ts";
import { MAX_GIVEN_TEXT } from "../../turns/attachment.ts";
import { t } from "../localize.ts";

/** Two readers at once would put back each other's text. */
const reading = new SerialQueue();

/**
 * What is selected in the active terminal, or ""; VS Code gives it only by way of the clipboard, which is put back. Extensions read and
 * write only its text, so the user decides where it may hold an image: null where it stays as it is.
 */
export function terminalSelection(): Promise<string | null> {
  return reading.run(async () => {
    if (!vscode.window.activeTerminal) return "";
    const { clipboard } = vscode.env;
    const before = await clipboard.readText();
    if (before === "" && !(await mayReplaceClipboard())) return null;
    try {
      if (before !== "") await clipboard.writeText("");
      await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
      return (await clipboard.readText()).trim().slice(0, MAX_GIVEN_TEXT);
    } finally {
      if (before !== "") await clipboard.writeText(before);
    }
  });
}

async function mayReplaceClipboard(): Promise<boolean> {
  const question = t("The clipboard holds no text, perhaps an image. Reading the terminal's selection replaces it.");
  const replace = t("Replace");
  return (await vscode.window.showWarningMessage(question, { modal: true }, replace)) === replace;
}
