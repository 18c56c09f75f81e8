import * as vscode from "vscode";
import { err } from "../../src/base/result.ts";
import { ChangeJournal } from "../../src/edits/history/changeJournal.ts";
import { vscodeEditorFiles } from "../../src/host/documents/vscodeEditorFiles.ts";
import { createVscodeEventLogStorage } from "../../src/host/storage/vscodeEventLog.ts";
import { isStaleAt, isUnsavedAt } from "../../src/host/workspace/isStale.ts";
import { VscodeWorkspace } from "../../src/host/workspace/vscodeWorkspace.ts";
import type { Logger } from "../../src/ports/logger.ts";
import { type RestoreDeps, restoreFiles } from "../../src/review/restore/restoreFiles.ts";
import type { PlannedFile } from "../../src/review/restore/restorePlan.ts";
import type { RestoredFile } from "../../src/turns/turnEvent.ts";
import { applyTurnEvent, emptyTree } from "../../src/turns/turnReducer.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { expectEqual } from "./expect.ts";
import { undoIn } from "./undoIn.ts";

const silent: Logger = { warn() {}, error() {} };
const ORIGINAL = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const CHANGED = ORIGINAL.replace("two", "TWO");

function folder(): vscode.Uri {
  const first = vscode.workspace.workspaceFolders?.[0];
  if (!first) throw new Error("no folder is open");
  return first.uri;
}

suite("restoring files to before a turn", () => {
  const scratch = vscode.Uri.joinPath(folder(), "scratch-restore");
  const at = (...path: string[]) => vscode.Uri.joinPath(scratch, ...path);
  let journal: ChangeJournal;
  let logs = 0;
  let shown: readonly PlannedFile[] = [];
  let told: { readonly turnId: string; readonly files: readonly RestoredFile[] }[] = [];
  let deps: RestoreDeps;
  /** The files whose new texts are to be saved. */
  let saved: string[] = [];
  /** The modes that files were given; null where there are none. */
  let modes: string[] | null = [];

  setup(async () => {
    logs += 1;
    journal = openJournal();
    shown = [];
    saved = [];
    told = [];
    const tree = emptyTree();
    tree.turns.set("turn-1", {
      role: "user",
      id: "turn-1",
      parentTurnId: null,
      startedAt: 0,
      text: "x",
      editFile: null,
      activeFile: null,
    });
    const workspace = new VscodeWorkspace(null);
    modes = [];
    deps = {
      chat: {
        busy: false,
        tree,
        filesRestored: (turnId, files) => told.push({ turnId, files }),
      },
      workspace,
      editor: vscodeEditorFiles(workspace),
      isStale: isStaleAt,
      isUnsaved: isUnsavedAt,
      async setExecutable(path, executable) {
        const file = modes && (await workspace.resolve(path));
        if (!file?.ok) return err({ code: "no-modes", path });
        modes?.push(`${path} ${executable}`);
        return file;
      },
      rewritten: ({ path }) => saved.push(path),
      pendingPaths: () => [],
      async pick(files) {
        shown = files;
        return files;
      },
    };
  });

  teardown(async () => {
    for (const document of vscode.workspace.textDocuments)
      if (document.isDirty && !document.isClosed) await document.save();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  suiteTeardown(() => vscode.workspace.fs.delete(scratch, { recursive: true }));

  /** The journal after a reload. */
  function openJournal(): ChangeJournal {
    return new ChangeJournal(createVscodeEventLogStorage(at("logs")).open(`chat-${logs}`), silent);
  }

  const pathOf = (uri: vscode.Uri) => vscode.workspace.asRelativePath(uri, false);
  const target = (path: string | null = null, turnId = "turn-1") => ({ journal, turnId, path });

  async function replaceAll(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    expectEqual(await vscode.workspace.applyEdit(edit), true, "the edit");
  }

  /** A file that Graft changed in a turn, as an open document. */
  async function changedFile(
    name: string,
    before: string | null = ORIGINAL,
    after = CHANGED,
    turnId = "turn-1",
  ) {
    const uri = at(name);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(before ?? after));
    const document = await vscode.workspace.openTextDocument(uri);
    if (before !== null) await replaceAll(document, after);
    await journal.record({
      at: 1,
      turnId,
      callId: "call-1",
      path: pathOf(uri),
      uri: uri.toString(),
      before,
      after,
    });
    return { uri, document, path: pathOf(uri) };
  }

  test("keeps later edits, leaves when to save to the setting, tells the chat, and is one undo step", async () => {
    const { uri, document, path } = await changedFile("kept.txt");
    const mine = CHANGED.replace("six", "six, mine");
    await replaceAll(document, mine);
    expectEqual((await restoreFiles(target(), deps)).problem, undefined, "the refusal");
    expectEqual(document.getText(), ORIGINAL.replace("six", "six, mine"), "the file");
    expectEqual(document.isDirty, true, "unsaved changes");
    expectEqual(saved, [path], "what is saved as accepted changes are");
    expectEqual(
      shown[0]?.restoration.kind === "possible" && shown[0].restoration.keepsEdits,
      true,
      "what was announced",
    );
    expectEqual(
      told,
      [{ turnId: "turn-1", files: [{ path, deleted: false, isUnsaved: true }] }],
      "what the chat was told",
    );
    expectEqual(
      (await restoreFiles(target(), deps)).problem,
      { code: "nothing-left" },
      "a second restore",
    );
    await undoIn(uri);
    expectEqual(document.getText(), mine, "the file after one undo");
    const noticed = async () =>
      (await journal.undone(uri.toString(), document.getText(), 2))?.undone;
    expectEqual(await noticed(), true, "what undo took back");
    await vscode.commands.executeCommand("redo");
    expectEqual(await noticed(), false, "what redo made again");
  });

  test("works after a reload, and again after undo", async () => {
    const { uri, document } = await changedFile("reloaded.txt");
    journal = openJournal();
    await restoreFiles(target(), deps);
    expectEqual(document.getText(), ORIGINAL, "the file");
    await undoIn(uri);
    await journal.undone(uri.toString(), document.getText(), 2);
    await replaceAll(document, `${CHANGED}mine\n`);
    journal = openJournal();
    await restoreFiles(target(), deps);
    expectEqual(
      document.getText(),
      `${ORIGINAL}mine\n`,
      "the file after undo, typing, a reload and another restore",
    );
  });

  test("considers what another program just wrote", async () => {
    const { uri, document } = await changedFile("written.txt");
    await document.save();
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(`${CHANGED}from outside\n`));
    await restoreFiles(target(), deps);
    expectEqual(document.getText(), `${ORIGINAL}from outside\n`, "the file");
  });

  test("reports a conflict and restores the other files", async () => {
    const blocked = await changedFile("blocked.txt");
    const free = await changedFile("free.txt");
    await replaceAll(blocked.document, CHANGED.replace("TWO", "TWO, mine"));
    await restoreFiles(target(), deps);
    expectEqual(
      shown.map(
        ({ path, restoration }) =>
          `${path} ${restoration.kind === "blocked" ? restoration.reason.code : restoration.kind}`,
      ),
      [`${blocked.path} conflict`, `${free.path} possible`],
      "what was announced",
    );
    expectEqual(
      blocked.document.getText(),
      CHANGED.replace("TWO", "TWO, mine"),
      "the file in the way",
    );
    expectEqual(free.document.getText(), ORIGINAL, "the other file");
    expectEqual(
      (await restoreFiles(target(blocked.path), deps)).problem?.code,
      "blocked",
      "it alone",
    );
  });

  test("deletes a file that Graft created, but not if the user changed it", async () => {
    const { uri, document, path } = await changedFile("created.txt", null, "made\n");
    const exists = () =>
      vscode.workspace.fs.stat(uri).then(
        () => true,
        () => false,
      );
    await restoreFiles(target(), deps);
    expectEqual(await exists(), false, "the file's being there");
    expectEqual(told.at(-1)?.files, [{ path, deleted: true }], "what the chat was told");
    expectEqual(document.isClosed || document.getText() === "made\n", true, "the document");
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode("made, mine\n"));
    await journal.record({
      at: 2,
      turnId: "turn-2",
      callId: null,
      path,
      uri: uri.toString(),
      before: null,
      after: "made\n",
    });
    expectEqual(
      (await restoreFiles(target(null, "turn-2"), deps)).problem?.code,
      "blocked",
      "the refusal",
    );
    expectEqual(await exists(), true, "the changed file's being there");
  });

  test("undoes a turn and all later ones at once", async () => {
    const earlier = await changedFile("earlier.txt", ORIGINAL, CHANGED, "turn-0");
    const changed = await changedFile("changed twice.txt");
    const made = await changedFile("made.txt", null, "made\n");
    const later = CHANGED.replace("four", "FOUR");
    await replaceAll(changed.document, later);
    const { uri, path } = changed;
    await journal.record({
      at: 2,
      turnId: "turn-2",
      callId: null,
      path,
      uri: uri.toString(),
      before: CHANGED,
      after: later,
    });
    await restoreFiles(target(null, "turn-2"), deps);
    expectEqual(changed.document.getText(), CHANGED, "the file before the later turn");
    await restoreFiles(target(), deps);
    expectEqual(
      [earlier.document.getText(), changed.document.getText()],
      [CHANGED, ORIGINAL],
      "the files before the turn",
    );
    const listed = await vscode.workspace.fs.readDirectory(scratch);
    expectEqual(
      listed.some(([name]) => made.path.endsWith(name)),
      false,
      "the created file's being there",
    );
  });

  test("gives files the modes that they had, also where only these changed, and says where it cannot", async () => {
    const { path, document } = await changedFile("script.sh");
    const other = pathOf((await changedFile("other.sh", ORIGINAL, CHANGED, "turn-0")).uri);
    const script = new TurnScript().ask("Go");
    const edit = { textStart: 0, textEnd: 0, status: "applied", op: "make-executable" } as const;
    script.edit({ ...edit, blockId: "one", path });
    const { events } = script.edit({ ...edit, blockId: "two", path: other }).end();
    const tree = emptyTree();
    for (const event of events) applyTurnEvent(tree, event);
    const chat = { ...deps.chat, tree };
    const asked = modes;
    const agent = { journal, turnId: "turn-2", path: null };
    expectEqual(
      (await restoreFiles({ ...agent, path: other }, { ...deps, chat })).problem,
      undefined,
      "",
    );
    expectEqual(asked, [`${other} false`], "the mode of a file whose text stays");
    modes = null;
    const failed = await restoreFiles({ ...agent, path: other }, { ...deps, chat });
    expectEqual(failed.problem, { code: "modes-kept", paths: [other] }, "where there are no modes");
    expectEqual(told.length, 1, "nothing was restored the second time");
    modes = [];
    const pick: RestoreDeps["pick"] = async (files) => {
      shown = files;
      return files.filter((file) => file.path !== other);
    };
    await restoreFiles(agent, { ...deps, chat, pick });
    expectEqual(
      shown.map((file) => `${file.path} ${file.restoration.kind}`),
      [`${other} mode`, `${path} mode`],
      "what the user chooses from",
    );
    expectEqual(modes, [`${path} false`], "the mode that the user left in the list");
    expectEqual(document.getText(), CHANGED, "a file of another turn");
  });

  test("makes a program that the turn deleted or moved one again, and no other file", async () => {
    const paths = [];
    for (const [name, executable] of [
      ["tool.sh", true],
      ["notes.txt", undefined],
    ] as const) {
      const uri = at(name);
      paths.push(pathOf(uri));
      await journal.record({
        ...{ at: 1, turnId: "turn-1", callId: "call-1", path: pathOf(uri), uri: uri.toString() },
        ...{ before: ORIGINAL, after: null, ...(executable && { executable }) },
      });
    }
    journal = openJournal();
    const asked = modes;
    expectEqual((await restoreFiles(target(), deps)).problem, undefined, "the refusal");
    expectEqual(asked, [`${paths[0]} true`], "the modes");
    expectEqual(told[0]?.files.length, 2, "what the chat was told");
  });

  test("changes no file when one of them changed meanwhile", async () => {
    const first = await changedFile("first.txt");
    const second = await changedFile("second.txt");
    const { pick } = deps;
    const late: RestoreDeps = {
      ...deps,
      async pick(files, title) {
        const chosen = await pick(files, title);
        await replaceAll(second.document, "typed meanwhile\n");
        return chosen;
      },
    };
    expectEqual(
      (await restoreFiles(target(), late)).problem,
      { code: "changed-meanwhile" },
      "the refusal",
    );
    expectEqual(
      [first.document.getText(), second.document.getText()],
      [CHANGED, "typed meanwhile\n"],
      "the files",
    );
    expectEqual(told, [], "what the chat was told");
  });

  test("is refused while a turn runs or a proposal is pending, in an untrusted workspace, and for a path outside it", async () => {
    const { uri, document, path } = await changedFile("refused.txt");
    const busy = { busy: true, tree: emptyTree(), filesRestored: () => undefined };
    expectEqual(
      (await restoreFiles(target(), { ...deps, chat: busy })).problem?.code,
      "busy",
      "a turn runs",
    );
    expectEqual(
      (await restoreFiles(target(), { ...deps, pendingPaths: () => [path] })).problem?.code,
      "blocked",
      "a proposal is pending",
    );
    const { workspace } = deps;
    const untrusted = {
      trusted: false,
      resolve: workspace.resolve.bind(workspace),
      read: workspace.read.bind(workspace),
      writable: workspace.writable.bind(workspace),
    };
    expectEqual(
      (await restoreFiles(target(), { ...deps, workspace: untrusted })).problem,
      { code: "untrusted" },
      "an untrusted workspace",
    );
    expectEqual(document.getText(), CHANGED, "the file");
    await journal.record({
      at: 1,
      turnId: "turn-9",
      callId: null,
      path: "../outside.txt",
      uri: uri.toString(),
      before: "a",
      after: "b",
    });
    expectEqual(
      (await restoreFiles(target(null, "turn-9"), deps)).problem?.code,
      "blocked",
      "the path",
    );
  });
});
