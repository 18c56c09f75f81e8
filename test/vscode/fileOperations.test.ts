import * as vscode from "vscode";
import { ChangeJournal } from "../../src/edits/history/changeJournal.ts";
import {
  proposedWorkspace,
  proposedWorkspaceFiles,
} from "../../src/edits/propose/proposedWorkspace.ts";
import { vscodeEditorFiles } from "../../src/host/documents/vscodeEditorFiles.ts";
import { pendingFiles } from "../../src/host/panel/pendingFiles.ts";
import { DiffPreview } from "../../src/host/preview/diffPreview.ts";
import {
  createVscodeEventLogStorage,
  createVscodeSmallFiles,
} from "../../src/host/storage/vscodeEventLog.ts";
import { isStaleAt } from "../../src/host/workspace/isStale.ts";
import { VscodeSavedFiles } from "../../src/host/workspace/vscodeSavedFiles.ts";
import { VscodeWorkspace } from "../../src/host/workspace/vscodeWorkspace.ts";
import { createVscodeWorkspaceFiles } from "../../src/host/workspace/vscodeWorkspaceFiles.ts";
import type { ApprovalRequest } from "../../src/ports/approval.ts";
import type { WorkspaceFiles } from "../../src/ports/workspaceFiles.ts";
import { restoreFiles } from "../../src/review/restore/restoreFiles.ts";
import { ProposalStore } from "../../src/review/storage/proposalStore.ts";
import { fileTools } from "../../src/tools/fileTools.ts";
import { decidePermission } from "../../src/tools/permissions/permissionPolicy.ts";
import { createToolRouter } from "../../src/tools/toolRouter.ts";
import type { EditBlock } from "../../src/turns/editBlock.ts";
import { emptyTree } from "../../src/turns/turnReducer.ts";
import { hostNamed } from "../fakes/hostNamed.ts";
import { runCall } from "../fakes/runCall.ts";
import { eventually, expectEqual, expectMatch } from "./expect.ts";
import { isThere, logger, memento, folder as openFolder, readText, writeText } from "./window.ts";

const storageFails = () => {
  throw new Error("the storage fails");
};

const never = new AbortController().signal;

suite("deleting and renaming files", () => {
  let tests = 0;
  /** A folder for each test: VS Code may save a document of the one before only now. */
  const folder = () => `scratch-operations-${tests}`;
  const at = (name: string) => vscode.Uri.joinPath(openFolder(), folder(), name);
  const inside = (name: string) => `${folder()}/${name}`;
  const workspace = new VscodeWorkspace(null);
  /** The modes that were changed; the browser's files have none. */
  const modes: string[] = [];
  const files: WorkspaceFiles = {
    ...createVscodeWorkspaceFiles(workspace, null),
    async setExecutable(path, executable) {
      modes.push(`${path} ${executable}`);
      return workspace.resolve(path);
    },
  };
  let journal: ChangeJournal;
  /** What the user was asked for. */
  let asked: ApprovalRequest[] = [];
  let blocks = new Map<string, EditBlock>();
  let preview: DiffPreview;
  let previews = 0;

  /** A preview that finds what another one left pending. */
  function open(): DiffPreview {
    return new DiffPreview({
      logger,
      settings: () => ({ inline: "never", review: "before" }),
      memento,
      workspace,
      files,
      store: new ProposalStore(createVscodeSmallFiles(at(".proposals")), logger, storageFails, {
        host: hostNamed("one"),
      }),
      events: {
        decided(_origin, _path, outcomes) {
          for (const { blockId, status, reason } of outcomes) {
            const block = blocks.get(blockId);
            if (block) blocks.set(blockId, { ...block, status, reason });
          }
        },
        applied: ({ turnId, callId }, { file, ...texts }) =>
          void journal.record({ at: 1, turnId, callId, ...file, ...texts }),
        takenBack: () => undefined,
      },
      scheme: `graft-proposal-operations-${++previews}`,
    });
  }

  setup(async () => {
    tests++;
    journal = new ChangeJournal(createVscodeEventLogStorage(at(".logs")).open("chat"), logger);
    asked = [];
    blocks = new Map();
    await write("old.ts", "export const old = 1;\n");
    await write("kept.ts", "export const kept = 2;\n");
    preview = open();
  });

  teardown(async () => {
    await preview.commands.rejectAll();
    await preview.proposals.kept();
    preview.dispose();
    // What stays unsaved would be another test's.
    await vscode.workspace.saveAll();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.workspace.fs.delete(at(""), { recursive: true });
  });

  const write = (name: string, text: string) => writeText(at(name), text);

  async function onDisk(): Promise<readonly string[]> {
    const entries = await vscode.workspace.fs.readDirectory(at(""));
    return entries.flatMap(([name, type]) => (type === vscode.FileType.File ? [name] : [])).sort();
  }

  /**
   * A tool call of a chat in turn `turn`, as the router runs it by default settings; gives what the
   * model reads.
   */
  async function call(name: string, args: unknown, callId: string): Promise<string> {
    const policy = { write: "allow" as const, rules: [], restrictions: [] };
    const seen = proposedWorkspaceFiles(files, workspace, preview.proposals);
    const tools = fileTools(
      workspace,
      files,
      { chatId: "chat", operations: preview.proposals.operations, aside: null },
      seen,
    );
    const router = createToolRouter(tools, {
      async request(request) {
        asked.push(request);
        const { permission } = decidePermission(request, policy);
        return { allowed: permission === "allow", by: "settings", reason: null };
      },
    });
    const outcome = await runCall(
      router,
      { callId, name, argsText: JSON.stringify(args) },
      {
        turnId: "turn",
        callId,
        signal: never,
        emit: (event) =>
          void (event.type === "edit-update" && blocks.set(event.edit.blockId, event.edit)),
        streams: { register: () => ({ dispose() {} }) },
      },
    );
    return outcome.ok ? outcome.output : `${outcome.error.code ?? outcome.error.category}`;
  }

  const remove = (name: string, callId = "delete") =>
    call("delete_file", { path: inside(name) }, callId);
  const rename = (from: string, to: string, callId = "rename") =>
    call("rename_file", { from: inside(from), to: inside(to) }, callId);
  const states = () => [...blocks.values()].map(({ op, status }) => `${op} ${status}`);
  const restored = (path: string | null) =>
    restoreFiles(
      { journal, turnId: "turn", path },
      {
        chat: { busy: false, tree: emptyTree(), filesRestored: () => undefined },
        isUnsaved: async () => false,
        workspace,
        editor: vscodeEditorFiles(workspace),
        isStale: isStaleAt,
        setExecutable: (path, executable) => files.setExecutable(path, executable, true),
        rewritten: () => undefined,
        pendingPaths: () => preview.proposals.pendingPaths,
        pick: async (planned) => planned,
      },
    );

  test("wait for the user, are seen by the chat, and are done, forgotten and undone", async () => {
    expectMatch(
      await remove("kept.ts"),
      /is proposed and not done yet/,
      "what the model reads of the deletion",
    );
    expectMatch(
      await rename("old.ts", "lib/new.ts"),
      /is proposed and not done yet/,
      "what the model reads of the renaming",
    );
    expectEqual(await onDisk(), ["kept.ts", "old.ts"], "the disk before a decision");
    expectEqual(states(), ["delete pending", "rename pending"], "the blocks");
    const listed = pendingFiles(preview.proposals.reviews, preview.proposals.operations.pending);
    expectEqual(
      listed.map(({ path, operation }) => [path, operation?.to]),
      [
        [inside("kept.ts"), null],
        [inside("old.ts"), inside("lib/new.ts")],
      ],
      "the list",
    );
    expectEqual(
      preview.proposals.pendingPaths,
      [inside("kept.ts"), inside("old.ts"), inside("lib/new.ts")],
      "what commands are told of",
    );

    const own = proposedWorkspace(workspace, preview.proposals);
    const gone = await own.read({ path: inside("kept.ts"), uri: at("kept.ts").toString() }, never);
    expectEqual(gone.ok || gone.error.code, "deletion-proposed", "reading the deleted file");
    const renamed = await own.resolve(inside("lib/new.ts"));
    expectEqual(renamed.ok && renamed.value.path, inside("old.ts"), "the new name");
    const found = await own.search(
      { pattern: "export const", isRegExp: false, caseSensitive: true, include: null, limit: 50 },
      never,
    );
    const paths = found.ok
      ? found.value.matches.map(({ path }) => path).filter((path) => path.startsWith(inside("")))
      : [];
    expectEqual(paths, [inside("lib/new.ts")], "searching");
    expectMatch(
      await call("find_files", { glob: inside("*.ts") }, "find"),
      /^scratch-operations-\d+\/lib\/new\.ts$/m,
      "finding",
    );

    expectEqual(
      await remove("old.ts", "again"),
      "operation-proposed",
      "a second operation on a path",
    );
    expectEqual(
      await rename("kept.ts", "lib/new.ts", "again"),
      "operation-proposed",
      "one to a taken path",
    );
    expectEqual(asked.filter(({ reviewed }) => !reviewed).length, 0, "approvals beside the review");
    await write("sub/a.ts", "1\n");
    expectEqual(
      await call("delete_file", { path: inside("sub"), recursive: true }, "folder"),
      "denied",
      "deleting a folder, which is done at once, without approval",
    );
    expectEqual(
      asked.flatMap(({ tool, reviewed }) => (reviewed ? [] : [tool])),
      ["delete_file"],
      "what was asked beside the review",
    );

    await preview.commands.rejectFile(inside("kept.ts"));
    expectEqual(
      [await onDisk(), states()],
      [
        ["kept.ts", "old.ts"],
        ["delete rejected", "rename pending"],
      ],
      "after the rejection",
    );
    await preview.commands.acceptBlock("turn", "rename-file");
    expectEqual(
      [await onDisk(), states()],
      [["kept.ts"], ["delete rejected", "rename applied"]],
      "after the renaming",
    );
    expectEqual(await readText(at("lib/new.ts")), "export const old = 1;\n", "the renamed file");

    expectEqual((await restored(inside("old.ts"))).problem, undefined, "undoing by the card");
    expectEqual(await onDisk(), ["kept.ts", "old.ts"], "after the undo");
    expectEqual(await isThere(at("lib/new.ts")), false, "the new name after the undo");
    await remove("kept.ts", "later");
    await preview.commands.acceptAll();
    expectEqual(await onDisk(), ["old.ts"], "after the deletion");
    expectEqual((await restored(inside("kept.ts"))).problem, undefined, "undoing it by its card");
    expectEqual(await readText(at("kept.ts")), "export const kept = 2;\n", "the deleted file");
  });

  test("change the mode of a file, of a new one with its text", async () => {
    modes.length = 0;
    const origin = { chatId: "chat", turnId: "turn", callId: "call" };
    const propose = async (name: string, executable: boolean, blockId: string) => {
      const file = await workspace.resolve(inside(name));
      if (!file.ok) throw new Error(JSON.stringify(file));
      const operation = { file: file.value, to: file.value, executable, origin, blockId };
      const proposed = await preview.proposals.operations.propose(operation);
      return proposed.ok ? proposed.value.status : proposed.error.code;
    };
    const proposeText = async (name: string, blockId: string) => {
      const text = "echo\n";
      const block = { blockId, start: 0, end: text.length, warnings: [] };
      const file = { path: inside(name), uri: at(name).toString() };
      const none = { file, exists: false, text: "", version: 0, languageId: "" };
      await preview.proposals.open(none, origin).propose({ text, blocks: [block] }, false);
    };
    expectEqual(await propose("none.sh", true, "m0"), "not-found", "a file that is not there");
    expectEqual(await propose("old.ts", true, "m1"), "pending", "a file");
    expectEqual(await propose("old.ts", false, "m2"), "rejected", "taking it back");
    expectEqual(preview.proposals.pendingPaths, [], "what is pending then");
    await propose("old.ts", true, "m3");
    await proposeText("new.sh", "n");
    await propose("new.sh", true, "m4");
    await proposeText("other.sh", "o");
    await propose("other.sh", true, "m5");
    await preview.commands.rejectFile(inside("other.sh"));
    await preview.commands.acceptAll();
    await eventually("the modes", () => preview.proposals.pendingPaths.length === 0);
    expectEqual(
      modes.toSorted(),
      [`${inside("new.sh")} true`, `${inside("old.ts")} true`],
      "the modes that were changed",
    );
  });

  test("are one step for the editor's undo", async () => {
    await rename("old.ts", "new.ts");
    await preview.commands.acceptAll();
    expectEqual(await onDisk(), ["kept.ts", "new.ts"], "after the renaming");
    await vscode.window.showTextDocument(at("new.ts"));
    await vscode.commands.executeCommand("undo");
    await eventually("the old name", async () => (await onDisk()).includes("old.ts"));
  });

  test("over a restart, leave a file that changed meanwhile to a decision of its own, and are done where a crash came before their record", async () => {
    await write("gone.ts", "export const gone = 3;\n");
    await remove("kept.ts");
    await remove("gone.ts", "gone");
    await rename("old.ts", "new.ts");
    await preview.proposals.kept();
    preview.dispose();
    await vscode.workspace.fs.delete(at("gone.ts"));
    await vscode.workspace.fs.rename(at("old.ts"), at("new.ts"));
    preview = open();
    await preview.proposals.load();
    expectEqual(
      [preview.proposals.pendingPaths, states()],
      [[inside("kept.ts")], ["delete pending", "delete applied", "rename applied"]],
      "what is pending after a restart, and the blocks",
    );
    await write("kept.ts", "export const kept = 3; // mine\n");
    await preview.commands.acceptAll();
    expectEqual(
      [await onDisk(), states()[0]],
      [["kept.ts", "new.ts"], "delete conflict"],
      "accepted with the rest",
    );
    await preview.commands.acceptBlock("turn", "delete-file", true);
    expectEqual([await onDisk(), states()[0]], [["new.ts"], "delete applied"], "deleted anyway");
    await preview.proposals.kept();
    const again = open();
    await again.proposals.load();
    expectEqual(
      [again.proposals.pendingPaths, again.proposals.operations.pending],
      [[], []],
      "what is on record once all is decided",
    );
    again.dispose();
  });

  test("meet edits of the same file: a renaming takes them along, a deletion is refused, and nothing is added to a deletion", async () => {
    const snapshot = async (name: string) => {
      const document = await vscode.workspace.openTextDocument(at(name));
      const file = { path: inside(name), uri: at(name).toString() };
      return {
        file,
        exists: true,
        text: document.getText(),
        version: document.version,
        languageId: document.languageId,
      };
    };
    const text = "export const old = 10;\n";
    const proposal = { text, blocks: [{ blockId: "b", start: 0, end: text.length, warnings: [] }] };
    const origin = { chatId: "chat", turnId: "turn", callId: "call" };
    await preview.proposals.open(await snapshot("old.ts"), origin).propose(proposal, false);
    expectEqual(await remove("old.ts"), "changes-proposed", "deleting a file with pending edits");
    await rename("old.ts", "new.ts");
    await preview.commands.acceptBlock("turn", "rename-file");
    await eventually(
      "the edits to follow",
      () => preview.proposals.pendingPaths[0] === inside("new.ts"),
    );
    await preview.commands.acceptAll();
    await eventually(
      "the edits at the new place",
      () => preview.proposals.pendingPaths.length === 0,
    );
    expectEqual(
      (await vscode.workspace.openTextDocument(at("new.ts"))).getText(),
      text,
      "the renamed file",
    );
    await vscode.workspace.saveAll(false);

    await remove("kept.ts");
    const late = await preview.proposals
      .open(await snapshot("kept.ts"), origin)
      .propose(proposal, false);
    expectEqual(late.blocks[0]?.reason, { code: "deletion-proposed" }, "edits of a file to delete");
  });

  test("take accepted edits along that are not saved yet, and commands find them at the new place", async () => {
    const saved = new VscodeSavedFiles(
      () => "beforeCommands",
      () => preview.proposals.pendingPaths,
    );
    const document = await vscode.workspace.openTextDocument(at("old.ts"));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), "// accepted\n");
    await vscode.workspace.applyEdit(edit);
    saved.acceptedInto({ path: inside("old.ts"), uri: document.uri.toString() });
    expectMatch(
      await rename("old.ts", "new.ts"),
      /is proposed and not done yet/,
      "what the model reads",
    );
    await preview.commands.acceptAll();
    expectEqual(states(), ["rename applied"], "the blocks");
    const moved = await vscode.workspace.openTextDocument(at("new.ts"));
    expectEqual(moved.getText(), "// accepted\nexport const old = 1;\n", "the renamed file");
    const result = await saved.saveAccepted(never);
    expectEqual(
      result,
      { failed: [], unsaved: [] },
      `what is not on the disk, where the file is ${moved.isDirty ? "" : "not "}dirty`,
    );
    expectEqual(await readText(at("new.ts")), moved.getText(), "the disk");
    saved.dispose();
  });
});
