import * as vscode from "vscode";
import type { FileRef } from "../../ports/workspace.ts";
import { webAddress } from "../../tools/web/web.ts";
import type { AttachmentRef } from "../../turns/attachment.ts";
import type { VscodeWorkspace } from "../workspace/vscodeWorkspace.ts";

/**
 * Opens the source of an attachment, in an editor or the matching view. `image` is the file of an
 * image. Rejects if it cannot be shown.
 */
export async function openAttachment(
  { kind, path, lines, name, text }: AttachmentRef,
  workspace: VscodeWorkspace,
  image: vscode.Uri | null,
): Promise<void> {
  if (kind === "image") {
    if (!image) throw new Error("The image is gone.");
    await vscode.commands.executeCommand("vscode.open", image, { preview: true });
    return;
  }
  if (kind === "url") {
    const address = webAddress(name);
    if (address) await vscode.env.openExternal(vscode.Uri.parse(address.href, true));
    return;
  }
  if (text !== null) {
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ content: text }),
      { preview: true },
    );
    return;
  }
  const file = path === null ? null : await workspace.resolve(path === "" ? "." : path);
  if (file?.ok) return showFile(kind, file.value, lines);
  const views = {
    problems: "workbench.actions.view.problems",
    changes: "workbench.view.scm",
    terminal: "workbench.action.terminal.focus",
  };
  if (kind === "problems" || kind === "changes" || kind === "terminal")
    await vscode.commands.executeCommand(views[kind]);
}

async function showFile(
  kind: AttachmentRef["kind"],
  file: FileRef,
  lines: AttachmentRef["lines"],
): Promise<void> {
  const uri = vscode.Uri.parse(file.uri, true);
  if (kind === "folder") await vscode.commands.executeCommand("revealInExplorer", uri);
  else if (kind === "hunk") await vscode.commands.executeCommand("graft.showProposals", file.uri);
  else {
    const selection =
      lines &&
      new vscode.Range(
        lines.first - 1,
        0,
        lines.last - 1,
        kind === "symbol" ? 0 : Number.MAX_SAFE_INTEGER,
      );
    await vscode.window.showTextDocument(uri, { preview: true, ...(selection && { selection }) });
  }
}
