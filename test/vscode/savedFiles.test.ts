import * as vscode from "vscode";
import { ok } from "../../src/base/result.ts";
import { DiffPreview } from "../../src/host/preview/diffPreview.ts";
import { proposalTabs } from "../../src/host/preview/diffTabs.ts";
import { VscodeSavedFiles } from "../../src/host/workspace/vscodeSavedFiles.ts";
import { VscodeWorkspace } from "../../src/host/workspace/vscodeWorkspace.ts";
import { createVscodeWorkspaceFiles } from "../../src/host/workspace/vscodeWorkspaceFiles.ts";
import { eventually, expectEqual } from "./expect.ts";
import { readText as diskText, folder, logger, memento, writeText } from "./window.ts";

const SCHEME = "graft-proposal-saved";
const never = new AbortController().signal;

suite("saving what was accepted", () => {
  const scratch = vscode.Uri.joinPath(folder(), "scratch-saved");
  let setting: "beforeCommands" | "onAccept" | "never" = "beforeCommands";
  let saved: VscodeSavedFiles;
  let preview: DiffPreview;
  let files = 0;

  const pathOf = (uri: vscode.Uri) => vscode.workspace.asRelativePath(uri, false);

  suiteSetup(async () => {
    saved = new VscodeSavedFiles(
      () => setting,
      () => preview.proposals.pendingPaths,
    );
    preview = new DiffPreview({
      logger,
      settings: () => ({ inline: "never", review: "before" }),
      memento,
      workspace: {
        writable: async () => null,
        resolve: async (path: string) =>
          ok({ path, uri: vscode.Uri.joinPath(folder(), path).toString() }),
        read: (file, signal) => new VscodeWorkspace(null).read(file, signal),
      },
      files: createVscodeWorkspaceFiles(new VscodeWorkspace(null), null),
      scheme: SCHEME,
      store: { load: async () => [], keep: async () => undefined, idle: async () => undefined },
      events: {
        decided: () => undefined,
        applied: (_origin, { file }) => saved.acceptedInto(file),
        takenBack: () => undefined,
      },
    });
  });

  suiteTeardown(async () => {
    preview.dispose();
    saved.dispose();
    await vscode.workspace.fs.delete(scratch, { recursive: true });
  });

  teardown(async () => {
    setting = "beforeCommands";
    await preview.commands.rejectAll();
    await eventually(
      "every diff to close",
      () => proposalTabs((uri) => uri.scheme === SCHEME).length === 0,
    );
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty || !pathOf(document.uri).startsWith("scratch-saved/")) continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("workbench.action.files.revert");
    }
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  async function newFile(text = "one\ntwo\n"): Promise<vscode.TextDocument> {
    const uri = vscode.Uri.joinPath(scratch, `file-${++files}.txt`);
    await writeText(uri, text);
    return vscode.workspace.openTextDocument(uri);
  }

  async function propose(document: vscode.TextDocument, text: string): Promise<void> {
    const path = pathOf(document.uri);
    const file = { path, uri: document.uri.toString() };
    const snapshot = {
      file,
      exists: true,
      text: document.getText(),
      version: document.version,
      languageId: "plaintext",
    };
    const review = preview.proposals.open(snapshot, {
      chatId: "chat",
      turnId: "turn",
      callId: "call",
    });
    await review.propose(
      { text, blocks: [{ blockId: `b${++files}`, start: 0, end: text.length, warnings: [] }] },
      false,
    );
  }

  async function accept(document: vscode.TextDocument, text: string): Promise<void> {
    await propose(document, text);
    await preview.commands.acceptFile(pathOf(document.uri));
    expectEqual(document.getText(), text, "the accepted text");
  }

  async function type(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), text);
    expectEqual(await vscode.workspace.applyEdit(edit), true, "typing");
    await eventually("unsaved changes", () => document.isDirty);
  }

  /** Saves as before a command, and keeps what the result says of this suite's files. */
  async function save(): Promise<{ failed: readonly string[]; unsaved: readonly string[] }> {
    const { failed, unsaved } = await saved.saveAccepted(never);
    return { failed, unsaved: unsaved.filter((path) => path.startsWith("scratch-saved/")) };
  }

  test("a command finds accepted changes on the disk, and what is pending and the user's own stays", async () => {
    const [accepted, typed] = [await newFile(), await newFile()];
    await type(typed, "mine ");
    await propose(accepted, "ONE\ntwo\n");
    expectEqual(saved.pending(), [pathOf(accepted.uri)], "pending");
    const typedAlone = { failed: [], unsaved: [pathOf(typed.uri)] };
    expectEqual(await save(), typedAlone, "what is not on the disk while it is pending");
    await preview.commands.acceptFile(pathOf(accepted.uri));
    const own = () => saved.unsaved().filter((path) => path.startsWith("scratch-saved/"));
    expectEqual(own(), [pathOf(typed.uri)], "the user's own unsaved files");
    setting = "never";
    expectEqual(
      await save(),
      { failed: [], unsaved: [pathOf(accepted.uri), pathOf(typed.uri)].sort() },
      "what is not on the disk where Graft may never save",
    );
    expectEqual(await diskText(accepted.uri), "one\ntwo\n", "the disk after accept");
    setting = "beforeCommands";
    expectEqual(await save(), typedAlone, "what is not on the disk");
    expectEqual(await diskText(accepted.uri), "ONE\ntwo\n", "the disk after the save");
    expectEqual(accepted.isDirty, false, "unsaved changes");
    expectEqual(await diskText(typed.uri), "one\ntwo\n", "the disk of the user's file");
    expectEqual(typed.isDirty, true, "the user's unsaved changes");
    expectEqual(await saved.saveFiles(own()), true, "saving what the user wants saved");
    expectEqual(
      await diskText(typed.uri),
      "mine one\ntwo\n",
      "the disk of the user's file after it",
    );
  });

  test("saves on accept, where the user wants that, and not what they type then", async () => {
    setting = "onAccept";
    const document = await newFile();
    await accept(document, "ONE\ntwo\n");
    await eventually("the save", async () => (await diskText(document.uri)) === "ONE\ntwo\n");
    await eventually("the end of the save", () => !document.isDirty);
    await type(document, "mine ");
    expectEqual(
      await save(),
      { failed: [], unsaved: [pathOf(document.uri)] },
      "what is not on the disk",
    );
    expectEqual(await diskText(document.uri), "ONE\ntwo\n", "the disk");
  });

  test("does not save what the user types after they saved an accepted change, or took it back", async () => {
    const document = await newFile();
    await accept(document, "ONE\ntwo\n");
    // The focus may go elsewhere meanwhile.
    await eventually("no unsaved changes", async () => {
      await vscode.window.showTextDocument(document);
      if (document.getText() !== "one\ntwo\n") await vscode.commands.executeCommand("undo");
      return !document.isDirty && document.getText() === "one\ntwo\n";
    });
    await type(document, "mine ");
    const unsaved = { failed: [], unsaved: [pathOf(document.uri)] };
    expectEqual(await save(), unsaved, "what is not on the disk after the undo");
    expectEqual(await diskText(document.uri), "one\ntwo\n", "the disk after the undo");
    await accept(document, "mine ONE\ntwo\n");
    await document.save();
    await type(document, "more ");
    expectEqual(await save(), unsaved, "what is not on the disk after the user's save");
    expectEqual(await diskText(document.uri), "mine ONE\ntwo\n", "the disk after their save");
  });

  test("saves also what is accepted while a save is running", async () => {
    const document = await newFile();
    await accept(document, "ONE\ntwo\n");
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const began = new Promise<void>((resolve) => {
      const listening = vscode.workspace.onWillSaveTextDocument((event) => {
        if (event.document !== document) return;
        listening.dispose();
        event.waitUntil(held);
        resolve();
      });
    });
    const first = document.save();
    await began;
    await type(document, "ZERO\n");
    saved.acceptedInto({ path: pathOf(document.uri), uri: document.uri.toString() });
    release();
    await first;
    expectEqual(await save(), { failed: [], unsaved: [] }, "what is not on the disk");
    expectEqual(await diskText(document.uri), "ZERO\nONE\ntwo\n", "the disk");
  });

  test("says each time which file VS Code could not save", async () => {
    const document = await newFile();
    await accept(document, "ONE\ntwo\n");
    // Unsaved and older than its file: VS Code refuses to overwrite it without asking.
    await writeText(document.uri, "another program wrote this\n");
    const failed = { failed: [pathOf(document.uri)], unsaved: [] };
    expectEqual(await save(), failed, "what is not on the disk");
    expectEqual(await save(), failed, "what is not on the disk the next time");
    expectEqual(await diskText(document.uri), "another program wrote this\n", "the disk");
  });

  test("settles at once when the turn is stopped during a save", async () => {
    const document = await newFile();
    await accept(document, "ONE\ntwo\n");
    let release: () => void = () => undefined;
    const stop = new AbortController();
    const listening = vscode.workspace.onWillSaveTextDocument((event) => {
      if (event.document !== document) return;
      event.waitUntil(
        new Promise<void>((resolve) => {
          release = resolve;
        }),
      );
      stop.abort();
    });
    let isSaved = false;
    const watching = vscode.workspace.onDidSaveTextDocument((done) => {
      isSaved ||= done === document;
    });
    await saved.saveAccepted(stop.signal);
    // VS Code does not let a save be held for long.
    expectEqual(isSaved, false, "saved when it settled");
    listening.dispose();
    watching.dispose();
    release();
    await eventually("the save", async () => (await diskText(document.uri)) === "ONE\ntwo\n");
  });
});
