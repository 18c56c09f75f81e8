import * as vscode from "vscode";
import { VscodeSavedFiles } from "../../src/host/workspace/vscodeSavedFiles.ts";
import { VscodeWorkspace } from "../../src/host/workspace/vscodeWorkspace.ts";
import { createVscodeWorkspaceFiles } from "../../src/host/workspace/vscodeWorkspaceFiles.ts";
import { eventually, expectEqual } from "./expect.ts";
import { folder, readText, writeText } from "./window.ts";

function notebookText(source: string): string {
  const cell = { cell_type: "code", execution_count: null, metadata: {}, outputs: [], source };
  const cells = [{ ...cell, source: [cell.source] }];
  return `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 2 }, null, 1)}\n`;
}

suite("a file that is open as a notebook", () => {
  const scratch = vscode.Uri.joinPath(folder(), "scratch-notebooks");
  const path = "scratch-notebooks/a.ipynb";
  const uri = vscode.Uri.joinPath(scratch, "a.ipynb");
  const workspace = new VscodeWorkspace(null);
  const files = createVscodeWorkspaceFiles(workspace, null);
  const saved = new VscodeSavedFiles(
    () => "beforeCommands",
    () => [],
  );

  suiteSetup(async function () {
    await vscode.workspace.fs.createDirectory(scratch);
    if (!vscode.extensions.getExtension("vscode.ipynb")) this.skip();
  });
  suiteTeardown(async () => {
    saved.dispose();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.workspace.fs.delete(scratch, { recursive: true });
  });

  test("is not changed while cells are unsaved, and its editor shows what is changed afterwards", async () => {
    await writeText(uri, notebookText("a = 1"));
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(notebook);
    const resolved = await workspace.resolve(path);
    if (!resolved.ok) throw new Error(resolved.error.code);
    const refusal = async () => (await workspace.writable(resolved.value))?.code ?? null;
    expectEqual(await refusal(), null, "saved");

    const edit = new vscode.WorkspaceEdit();
    const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "b = 2", "python");
    edit.set(uri, [vscode.NotebookEdit.insertCells(1, [added])]);
    expectEqual(await vscode.workspace.applyEdit(edit), true, "adding a cell");
    await eventually("unsaved cells", () => notebook.isDirty);
    expectEqual(await refusal(), "unsaved-notebook", "unsaved");
    expectEqual(saved.unsaved(), [path], "unsaved files");
    const created = await files.createFile(path, "{}", true);
    expectEqual(created.ok ? "" : created.error.code, "unsaved", "replacing it");
    const deleted = await files.delete(path, false);
    expectEqual(deleted.ok ? "" : deleted.error.code, "unsaved", "deleting it");

    await notebook.save();
    expectEqual(await refusal(), null, "saved again");
    expectEqual(saved.unsaved(), [], "unsaved files in the end");
    const text = await readText(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const change = new vscode.WorkspaceEdit();
    const at = document.positionAt(text.indexOf("b = 2"));
    change.replace(uri, new vscode.Range(at, at.translate(0, 5)), "b = 9");
    expectEqual(await vscode.workspace.applyEdit(change), true, "accepting");
    expectEqual(await document.save(), true, "saving what was accepted");
    await eventually(
      "the notebook's cell",
      () => notebook.cellCount === 2 && notebook.cellAt(1).document.getText() === "b = 9",
    );
  });
});
