import * as vscode from "vscode";
import { SerialQueue } from "../../base/serialQueue.ts";
import { firstPart } from "../../base/text/clip.ts";
import { MAX_GIVEN_TEXT } from "../../turns/attachment.ts";
import { t } from "../localize.ts";

/** Concurrent reads would restore each other's clipboard text. */
const reading = new SerialQueue();

/**
 * The selection in the active terminal, or "". VS Code offers it only through the clipboard, which
 * is restored afterwards. Extensions can restore only text, so Graft asks if the clipboard may hold
 * an image. Null if the user declines.
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
      return firstPart((await clipboard.readText()).trim(), MAX_GIVEN_TEXT);
    } finally {
      if (before !== "") await clipboard.writeText(before);
    }
  });
}

async function mayReplaceClipboard(): Promise<boolean> {
  const question = t(
    "The clipboard holds no text. Reading the terminal's selection would replace it.",
  );
  const replace = t("Replace");
  return (await vscode.window.showWarningMessage(question, { modal: true }, replace)) === replace;
}
