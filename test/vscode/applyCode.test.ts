import * as vscode from "vscode";
import { ok } from "../../src/base/result.ts";
import { HeldBlocks } from "../../src/edits/propose/heldBlocks.ts";
import { proposeCode } from "../../src/edits/propose/proposeCode.ts";
import { applyCode } from "../../src/host/apply/applyCode.ts";
import { DiffPreview } from "../../src/host/preview/diffPreview.ts";
import { VscodeWorkspace } from "../../src/host/workspace/vscodeWorkspace.ts";
import { createVscodeWorkspaceFiles } from "../../src/host/workspace/vscodeWorkspaceFiles.ts";
import { ViewedFiles } from "../../src/tools/files/viewedFiles.ts";
import { noSyntax } from "../fakes/editor/noSyntax.ts";
import { eventually, expectEqual } from "./expect.ts";

const SCHEME = "graft-proposal-apply";
const FOLDER = "scratch-apply";
const LINES = "one\ntwo\nthree\n";

function folder(): vscode.Uri {
  const first = vscode.workspace.workspaceFolders?.[0];
  if (!first) throw new Error("no folder is open");
  return first.uri;
}

suite("applying a code block of an answer", () => {
  const scratch = vscode.Uri.joinPath(folder(), FOLDER);
  const { showQuickPick } = vscode.window;
  let preview: DiffPreview;
  /** The options of the list that is open, and the one that Enter takes. */
  let labels: readonly string[] = [];
  let active: string | null = null;

  const write = (name: string) =>
    vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(scratch, name),
      new TextEncoder().encode(LINES),
    );

  suiteSetup(async () => {
    await write("x/same.txt");
    await write("y/same.txt");
    const workspace = new VscodeWorkspace(null);
    preview = new DiffPreview({
      logger: { warn: console.log, error: console.log },
      settings: () => ({ inline: "never", review: "before" }),
      memento: { keys: () => [], get: () => undefined, update: async () => undefined },
      workspace: {
        writable: async () => null,
        resolve: async (path: string) =>
          ok({ path, uri: vscode.Uri.joinPath(folder(), path).toString() }),
        read: (file, signal) => workspace.read(file, signal),
      },
      files: createVscodeWorkspaceFiles(workspace, null),
      store: { load: async () => [], keep: async () => undefined, idle: async () => undefined },
      events: { applied: () => undefined, decided: () => undefined, takenBack: () => undefined },
      scheme: SCHEME,
    });
    // The real list, which also tells what Enter would take.
    Reflect.set(
      vscode.window,
      "showQuickPick",
      (items: readonly { readonly label: string }[], options: vscode.QuickPickOptions) => {
        labels = items.map(({ label }) => label);
        active = null;
        const onDidSelectItem = (item: { readonly label: string } | string) => {
          active = typeof item === "string" ? item : item.label;
        };
        return Reflect.apply(showQuickPick, vscode.window, [
          items,
          { ...options, onDidSelectItem },
        ]);
      },
    );
  });

  suiteTeardown(async () => {
    Reflect.set(vscode.window, "showQuickPick", showQuickPick);
    preview.dispose();
    await vscode.workspace.fs.delete(scratch, { recursive: true });
  });

  teardown(async () => {
    await preview.commands.rejectAll();
    await eventually("every review to end", () => preview.proposals.pendingPaths.length === 0);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    labels = [];
  });

  /** Applies a block as the panel asks for it; settles when nothing is asked any longer. */
  function apply(text: string, before: string, info = ""): Promise<void> {
    const workspace = new VscodeWorkspace(null);
    const shown = new ViewedFiles();
    const deps = {
      chatId: "chat",
      workspace,
      syntax: noSyntax,
      reviewer: preview.proposals,
      shown,
      held: new HeldBlocks(),
    };
    const chat: Parameters<typeof applyCode>[0]["chat"] = {
      proposeCode: (turnId, answer) =>
        proposeCode(
          answer,
          deps,
          { turnId, callId: "call", step: 1, index: 1, emit: () => undefined },
          new AbortController().signal,
        ),
    };
    return applyCode(
      { chat, preview, workspace },
      { type: "apply-code", turnId: "turn", text, info, before },
    );
  }

  async function asked(): Promise<readonly string[]> {
    await eventually("a list to open", () => active !== null);
    return labels;
  }

  async function choose(label: string): Promise<void> {
    await asked();
    for (const _ of labels) {
      if (active === label) break;
      const before = active;
      await vscode.commands.executeCommand("workbench.action.quickOpenSelectNext");
      await eventually("the next option", () => active !== before);
    }
    expectEqual(active, label, "the active option");
    active = null;
    await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
  }

  async function cancel(): Promise<void> {
    await asked();
    active = null;
    await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
  }

  const proposed = () =>
    preview.proposals.reviews.map(({ path, proposedText }) => [path, proposedText]);
  const onDisk = async (name: string) =>
    new TextDecoder().decode(
      await vscode.workspace.fs.readFile(vscode.Uri.joinPath(scratch, name)),
    );

  test("asks which of two files is meant and where, and proposes it there", async () => {
    const done = apply("four\n", "In `same.txt`:");
    expectEqual(
      await asked(),
      [`${FOLDER}/x/same.txt`, `${FOLDER}/y/same.txt`, "Choose a File…", "New File…"],
      "the files",
    );
    await choose(`${FOLDER}/y/same.txt`);
    expectEqual(
      await asked(),
      ["Insert at the end of the file", "Replace the whole file"],
      "the places",
    );
    await choose("Replace the whole file");
    await done;
    expectEqual(proposed(), [[`${FOLDER}/y/same.txt`, "four\n"]], "the proposal");
    expectEqual(await onDisk("y/same.txt"), LINES, "the file");
  });

  test("proposes nothing when the user cancels either question, or names no new file", async () => {
    let done = apply("four\n", "In `same.txt`:");
    await cancel();
    await done;
    done = apply("four\n", "In `same.txt`:");
    await choose(`${FOLDER}/x/same.txt`);
    await cancel();
    await done;
    done = apply("four\n", "In `same.txt`:");
    await choose("New File…");
    // The input box may open a moment later; then Escape comes again.
    let isOver = false;
    void done.then(() => (isOver = true));
    await eventually("the input to close", async () => {
      await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
      return isOver;
    });
    expectEqual(proposed(), [], "proposals");
    expectEqual(
      [await onDisk("x/same.txt"), await onDisk("y/same.txt")],
      [LINES, LINES],
      "the files",
    );
  });

  test("asks nothing where the open file's selection says it", async () => {
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.joinPath(scratch, "x/same.txt"),
    );
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(1, 0, 1, 3);
    await apply("TWO\n", "Like this:");
    expectEqual(labels, [], "questions");
    expectEqual(proposed(), [[`${FOLDER}/x/same.txt`, "one\nTWO\nthree\n"]], "the proposal");
  });
});
