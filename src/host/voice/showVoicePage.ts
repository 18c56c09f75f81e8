import * as vscode from "vscode";

/** Opens VS Code's own browser; not every VS Code has it. */
const INTEGRATED_BROWSER = "workbench.action.browser.open";

/**
 * Shows the page of a server on this machine, at the side in VS Code's own browser where it has one, else in the user's. `token` becomes
 * the fragment of the address that reaches the server from there. False where it did not open.
 */
export async function showVoicePage(url: string, token: string, where: "integrated" | "external"): Promise<boolean> {
  const page = (await vscode.env.asExternalUri(vscode.Uri.parse(url))).with({ fragment: token });
  if (where === "integrated" && (await vscode.commands.getCommands(true)).includes(INTEGRATED_BROWSER)) {
    await vscode.commands.executeCommand(INTEGRATED_BROWSER, { url: page.toString(true), openToSide: true });
    return true;
  }
  return vscode.env.openExternal(page);
}
