import * as vscode from "vscode";

import { err } from "../../src/base/result.ts";
import { readPlainText } from "../../src/host/workspace/documentText.ts";
import {
  createVscodeEditorState,
  editorView,
  RecentFiles,
} from "../../src/host/workspace/vscodeEditorState.ts";
import { createVscodeLanguageServices } from "../../src/host/workspace/vscodeLanguageServices.ts";
import { VscodeWorkspace } from "../../src/host/workspace/vscodeWorkspace.ts";
import { createVscodeWorkspaceFiles } from "../../src/host/workspace/vscodeWorkspaceFiles.ts";
import type { FolderSearch } from "../../src/host/workspace/workspaceSearch.ts";
import { changeablePath } from "../../src/tools/permissions/changeablePath.ts";
import { eventually, expectEqual } from "./expect.ts";

const never = new AbortController().signal;

function folder(): vscode.Uri {
  const uri = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (!uri) throw new Error("no folder is open");
  return uri;
}

suite("what the tools use", () => {
  const scratch = () => vscode.Uri.joinPath(folder(), "scratch-tools");
  const at = (name: string) => vscode.Uri.joinPath(scratch(), name);
  const write = (name: string, text: string) =>
    vscode.workspace.fs.writeFile(at(name), new TextEncoder().encode(text));
  const text = async (name: string) =>
    new TextDecoder().decode(await vscode.workspace.fs.readFile(at(name)));
  const exists = (name: string) =>
    vscode.workspace.fs.stat(at(name)).then(
      () => true,
      () => false,
    );
  const workspace = new VscodeWorkspace(null);
  const inside = (name: string) => `scratch-tools/${name}`;

  setup(async () => {
    await write(".gitignore", "*.log\nout/\n");
    await write("a.ts", "export const answer = 42;\nexport const other = answer;\n");
    await write("debug.log", "answer\n");
    await write("out/a.js", "answer\n");
    await write("deep/er/Größe 概要.ts", "answer\n");
  });

  teardown(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.workspace.fs.delete(scratch(), { recursive: true });
  });

  test("reading a pipe does not block", async () => {
    const nothing = { dispose: () => undefined };
    const pipes: vscode.FileSystemProvider = {
      onDidChangeFile: () => nothing,
      watch: () => nothing,
      stat: () => ({ type: vscode.FileType.Unknown, ctime: 0, mtime: 0, size: 0 }),
      readFile: () => new Promise<Uint8Array>(() => undefined),
      readDirectory: () => [],
      createDirectory: () => undefined,
      writeFile: () => undefined,
      delete: () => undefined,
      rename: () => undefined,
    };
    const registered = vscode.workspace.registerFileSystemProvider("graft-pipes", pipes);
    try {
      const pipe = { path: "pipe", uri: "graft-pipes:/pipe" };
      const read = await workspace.read(pipe, never);
      expectEqual(read.ok ? "ok" : read.error.code, "not-regular", "reading");
      expectEqual((await workspace.writable(pipe))?.code, "not-regular", "writing");
      expectEqual(await readPlainText(vscode.Uri.parse(pipe.uri)), null, "searching");
    } finally {
      registered.dispose();
    }
  });

  test("symbolic links into version control are rejected", async function () {
    if (folder().scheme !== "file") return this.skip();
    const disk = {
      realPath: async (path: string) => path.replace(/\/innocent\b/, "/.git"),
      isReadOnly: async () => false,
    };
    const linked = new VscodeWorkspace(disk);
    const refused = await changeablePath(linked, inside("innocent/hooks/pre-commit"));
    expectEqual(refused.ok ? "ok" : refused.error.code, "version-control", "a file in it");
    expectEqual((await changeablePath(linked, inside("a.ts"))).ok, true, "another file");
  });

  const files = createVscodeWorkspaceFiles(workspace, null);
  const said = async (
    work: Promise<{ readonly ok: boolean; readonly error?: { readonly code: string } }>,
  ) => {
    const result = await work;
    return result.ok ? "ok" : result.error?.code;
  };

  suite("files", () => {
    test("are found by glob, without ignored ones", async () => {
      const found = await files.find({ folder: "scratch-tools", glob: null, limit: 10 }, never);
      expectEqual(
        found.ok && found.value.paths,
        [inside(".gitignore"), inside("a.ts"), inside("deep/er/Größe 概要.ts")],
        "files",
      );
      const some = await files.find({ folder: "", glob: "scratch-tools/**/*.ts", limit: 1 }, never);
      expectEqual(some.ok && [some.value.paths.length, some.value.truncated], [1, true], "limit");
      expectEqual(
        await said(files.find({ folder: inside("none"), glob: null, limit: 1 }, never)),
        "not-found",
        "a missing folder",
      );
      const stat = await files.stat(inside("a.ts"));
      expectEqual(
        stat.ok && [stat.value.kind, stat.value.bytes, stat.value.readOnly],
        ["file", 55, false],
        "stat",
      );
    });

    test("are created, moved, copied and deleted, and replaced only on request", async () => {
      expectEqual(await said(files.createFile(inside("new/ü.txt"), "one", false)), "ok", "create");
      expectEqual(await text("new/ü.txt"), "one", "text");
      expectEqual(
        await said(files.createFile(inside("new/ü.txt"), "two", false)),
        "exists",
        "again",
      );
      expectEqual(
        await said(files.createFile(inside("new/ü.txt"), "two", true)),
        "ok",
        "overwrite",
      );
      expectEqual(await text("new/ü.txt"), "two", "text afterwards");
      expectEqual(
        await said(files.createFile(inside("deep"), "", true)),
        "is-directory",
        "a folder",
      );
      expectEqual(await said(files.createDirectory(inside("x/y"))), "ok", "folder");
      expectEqual(await said(files.createDirectory(inside("x/y"))), "exists", "folder again");
      expectEqual(
        await said(files.createFile("../outside.txt", "", false)),
        "outside-workspace",
        "outside",
      );

      expectEqual(
        await said(files.rename(inside("deep"), inside("lib/deep"), false)),
        "ok",
        "rename",
      );
      expectEqual(await exists("lib/deep/er/Größe 概要.ts"), true, "moved");
      expectEqual(
        await said(files.rename(inside("a.ts"), inside("debug.log"), false)),
        "exists",
        "onto a file",
      );
      expectEqual(
        await said(files.rename(inside("lib"), inside("lib/in"), false)),
        "into-itself",
        "into itself",
      );
      expectEqual(await said(files.copy(inside("a.ts"), inside("b.ts"), false)), "ok", "copy");
      expectEqual(await text("b.ts"), await text("a.ts"), "copied text");
      expectEqual(
        await said(files.copy(inside("lib"), inside("twin"), false)),
        "ok",
        "copy a folder",
      );
      expectEqual(await exists("twin/deep/er/Größe 概要.ts"), true, "copied folder");
      expectEqual(await said(files.delete(inside("lib"), false)), "not-empty", "a full folder");
      expectEqual(await said(files.delete(inside("lib"), true)), "ok", "with all in it");
      expectEqual(await exists("lib"), false, "the folder");
      expectEqual(await said(files.delete(inside("b.ts"), false)), "ok", "delete");
      expectEqual(await exists("b.ts"), false, "the file");
      expectEqual(await said(files.delete(".", true)), "is-workspace", "the workspace");
      expectEqual(await exists("a.ts"), true, "what was left alone");
    });
  });

  test("a search by ripgrep includes unsaved texts and nothing outside, and files with them are neither deleted nor replaced", async () => {
    const document = await vscode.workspace.openTextDocument(at("a.ts"));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), "// an unsaved answer\n");
    await vscode.workspace.applyEdit(edit);
    await eventually("unsaved changes", () => document.isDirty);
    const excluded: string[] = [];
    const program: FolderSearch = async (_root, _query, excludes) => {
      excluded.push(...excludes);
      const matches = ["a.ts", "deep/er/Größe 概要.ts"].map((name) => ({
        path: inside(name),
        line: 1,
        text: "from the disk",
      }));
      return {
        ok: true,
        value: {
          matches: [...matches, { path: "../outside.ts", line: 1, text: "secret" }],
          truncated: false,
        },
      };
    };
    const searching = new VscodeWorkspace(null, program);
    const query = {
      pattern: "answer",
      isRegExp: false,
      caseSensitive: false,
      include: "*.ts",
      limit: 10,
    };
    const found = await searching.search(query, never);
    if (!found.ok) throw new Error(found.error.code);
    if (folder().scheme === "file") {
      const lines = found.value.matches.map(
        ({ path, line, text: shown }) => `${path}:${line} ${shown}`,
      );
      const expected = [
        `${inside("a.ts")}:1 // an unsaved answer`,
        `${inside("a.ts")}:2 export const answer = 42;`,
        `${inside("a.ts")}:3 export const other = answer;`,
        `${inside("deep/er/Größe 概要.ts")}:1 from the disk`,
      ];
      expectEqual(lines, expected, "matches");
      expectEqual(excluded.includes("**/.git"), true, "what the settings hide");
    }
    expectEqual(await said(files.delete(inside("a.ts"), false)), "unsaved", "deleting");
    expectEqual(await said(files.createFile(inside("a.ts"), "", true)), "unsaved", "replacing");
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  test("symbols, references and problems come from language extensions, for workspace files only", async () => {
    const services = createVscodeLanguageServices(workspace);
    const range = new vscode.Range(1, 13, 1, 18);
    const elsewhere = vscode.Uri.joinPath(folder(), "..", "elsewhere.ts");
    const problems = vscode.languages.createDiagnosticCollection("test");
    const registered = [
      problems,
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (query) =>
          [at("a.ts"), elsewhere].map(
            (uri) =>
              new vscode.SymbolInformation(
                query,
                vscode.SymbolKind.Variable,
                "module a",
                new vscode.Location(uri, range),
              ),
          ),
      }),
      vscode.languages.registerReferenceProvider(
        { pattern: "**/scratch-tools/a.ts" },
        {
          provideReferences: (document) => [
            new vscode.Location(document.uri, range),
            new vscode.Location(elsewhere, range),
          ],
        },
      ),
    ];
    const warning = new vscode.Diagnostic(range, "Never used.", vscode.DiagnosticSeverity.Warning);
    warning.source = "test";
    warning.code = 7;
    problems.set(at("a.ts"), [warning]);
    try {
      const symbols = await services.findSymbols("unheardOf", never);
      const known = {
        name: "unheardOf",
        kind: "variable",
        container: "module a",
        path: inside("a.ts"),
        line: 2,
      };
      expectEqual(
        symbols.ok && symbols.value.filter(({ name }) => name === "unheardOf"),
        [known],
        "symbols",
      );
      const file = await workspace.resolve(inside("a.ts"));
      if (!file.ok) throw new Error(file.error.code);
      const references = await services.findReferences(file.value, 0, 13, never);
      const place = { path: inside("a.ts"), line: 2, text: "export const other = answer;" };
      expectEqual(
        references.ok &&
          references.value.some((each) => JSON.stringify(each) === JSON.stringify(place)),
        true,
        "references",
      );
      expectEqual(
        references.ok && references.value.every(({ path }) => path === inside("a.ts")),
        true,
        "only inside",
      );
      const told = {
        path: inside("a.ts"),
        line: 2,
        severity: "warning",
        source: "test 7",
        message: "Never used.",
      };
      const found = await services.diagnostics(file.value);
      expectEqual(
        found.ok && found.value.filter(({ source }) => source === "test 7"),
        [told],
        "problems of a file",
      );
      const all = await services.diagnostics(null);
      expectEqual(
        all.ok && all.value.filter(({ source }) => source === "test 7"),
        [told],
        "all problems",
      );
    } finally {
      for (const each of registered) each.dispose();
    }
  });

  test("the editor reports its file, selection and tabs, and shows files", async () => {
    const editor = createVscodeEditorState();
    const file = await workspace.resolve(inside("a.ts"));
    if (!file.ok) throw new Error(file.error.code);
    const opened = await editor.open(file.value, { first: 1, last: 1 });
    expectEqual(opened.ok, true, "open");
    const active = await eventually("the file is active, with its selection", () => {
      const { active: shown } = editor.context();
      return shown?.selection ? shown : null;
    });
    expectEqual(
      [active.path, active.lineCount, active.unsaved],
      [inside("a.ts"), 2, false],
      "active file",
    );
    expectEqual(active.selection?.text, "export const answer = 42;", "selection");
    const tabs = await eventually("its tab", () => {
      const { tabs: open } = editor.context();
      return open.length > 0 ? open : null;
    });
    expectEqual(tabs, [{ path: inside("a.ts"), unsaved: false }], "tabs");
    const recent = new RecentFiles();
    try {
      const lines = { first: 1, last: 1 };
      const view = await eventually("the view is of the file", () =>
        editorView(recent).selection ? editorView(recent) : null,
      );
      expectEqual(
        view,
        { selection: lines, visible: editor.context().active?.visible, tabs: [] },
        "what a request tells, the active file left out of the tabs",
      );
      const shown = vscode.window.activeTextEditor;
      if (shown) shown.selection = new vscode.Selection(0, 0, 2, 0);
      await eventually(
        "the selection is of two lines",
        () => editorView(recent).selection?.last === 2,
      );
      const other = vscode.Uri.joinPath(folder(), inside("b.ts"));
      await vscode.workspace.fs.writeFile(other, new TextEncoder().encode("b\n"));
      await vscode.window.showTextDocument(other, {
        preview: false,
        viewColumn: vscode.ViewColumn.Beside,
      });
      const beside = await eventually("the other file is active", () => {
        const shown = editorView(recent);
        return shown.selection || shown.tabs.length === 0 ? null : shown;
      });
      expectEqual(beside.tabs, [inside("a.ts")], "the tabs when another file is active");
      expectEqual(
        recent.sorted(["x.ts", inside("a.ts"), inside("b.ts")]),
        [inside("b.ts"), inside("a.ts"), "x.ts"],
        "the latest first",
      );
      await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    } finally {
      recent.dispose();
    }
    const gone = await workspace.resolve(inside("gone.ts"));
    if (!gone.ok) throw new Error(gone.error.code);
    const refused = await editor.open(gone.value, null);
    expectEqual(refused, err({ code: "not-found", path: inside("gone.ts") }), "a missing file");
    expectEqual((await editor.reveal(gone.value)).ok, false, "revealing a missing file");
    expectEqual((await editor.reveal(file.value)).ok, true, "revealing");
  });
});
