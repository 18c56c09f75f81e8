import * as vscode from "vscode";
import { createVscodeLanguageServices } from "../../src/host/workspace/vscodeLanguageServices.ts";
import { VscodeWorkspace } from "../../src/host/workspace/vscodeWorkspace.ts";
import { createVscodeWorkspaceFiles } from "../../src/host/workspace/vscodeWorkspaceFiles.ts";
import type { FileSnapshot } from "../../src/ports/workspace.ts";
import { expectEqual } from "./expect.ts";

const never = new AbortController().signal;
const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string) =>
  new Uint8Array([
    0xff,
    0xfe,
    ...Array.from(text).flatMap((char) => [char.charCodeAt(0) & 255, char.charCodeAt(0) >> 8]),
  ]);
const latin = (text: string) => new Uint8Array(Array.from(text, (char) => char.charCodeAt(0)));

suite("reading a file that is not open", () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (!folder) throw new Error("no folder is open");
  const scratch = vscode.Uri.joinPath(folder, "scratch-read");
  const at = (name: string) => vscode.Uri.joinPath(scratch, name);
  const workspace = new VscodeWorkspace(null);

  suiteTeardown(() => vscode.workspace.fs.delete(scratch, { recursive: true }));

  async function resolved(name: string) {
    const file = await workspace.resolve(`scratch-read/${name}`);
    if (!file.ok) throw new Error(file.error.code);
    return file.value;
  }

  async function read(name: string): Promise<FileSnapshot> {
    const snapshot = await workspace.read(await resolved(name), never);
    if (!snapshot.ok) throw new Error(snapshot.error.code);
    return snapshot.value;
  }

  /** Those of this suite: VS Code may open others at any time. */
  const openUris = () =>
    vscode.workspace.textDocuments
      .map(({ uri }) => uri.toString())
      .filter((uri) => uri.includes("/scratch-read/"));
  const openedSince = (open: readonly string[]) => openUris().filter((uri) => !open.includes(uri));

  type File = readonly [what: string, name: string, bytes: Uint8Array, shown: string];

  /** Reads all files, and then opens all: what is read is what the editor shows. */
  async function showsWhatTheEditorShows(...written: readonly File[]): Promise<void> {
    await Promise.all(
      written.map(([, name, bytes]) => vscode.workspace.fs.writeFile(at(name), bytes)),
    );
    const open = openUris();
    for (const [what, name, , shown] of written) {
      const { text, version } = await read(name);
      expectEqual([text, version], [shown, 0], `the text of a file ${what}, and its version`);
    }
    expectEqual(openedSince(open), [], "opened");
    await Promise.all(
      written.map(async ([what, name, , shown]) => {
        const document = await vscode.workspace.openTextDocument(at(name));
        expectEqual(document.getText(), shown, `the editor's text of a file ${what}`);
      }),
    );
  }

  const files: readonly File[] = [
    ["with LF", "lf.ts", utf8("a\nb\n"), "a\nb\n"],
    ["with CRLF", "crlf.ts", utf8("a\r\nb\r\n"), "a\r\nb\r\n"],
    ["with more LF than CRLF", "moreLf.ts", utf8("a\r\nb\nc\n"), "a\nb\nc\n"],
    ["with more CRLF than LF", "moreCrlf.ts", utf8("a\r\nb\nc\r\n"), "a\r\nb\r\nc\r\n"],
    ["with as many CRLF as LF", "tie.ts", utf8("a\r\nb\n"), "a\nb\n"],
    ["with a lone CR among LF", "cr.ts", utf8("a\rb\nc\nd"), "a\nb\nc\nd"],
    ["with lone CR and LF, CR the more", "moreCr.ts", utf8("a\rb\rc\n"), "a\r\nb\r\nc\r\n"],
    ["with lone CR only", "onlyCr.ts", utf8("a\rb\r"), "a\r\nb\r\n"],
    ["without a line end", "one.ts", utf8("a"), "a"],
    ["that is empty", "empty.ts", utf8(""), ""],
    ["with a byte order mark", "mark.ts", utf8("\uFEFFa\n"), "a\n"],
    ["with two byte order marks", "marks.ts", utf8("\uFEFF\uFEFFa\n"), "a\n"],
    [
      "in UTF-16 with a byte order mark",
      "utf16.ts",
      utf16("größer\r\n日本\r\n"),
      "größer\r\n日本\r\n",
    ],
    ["that is not UTF-8", "broken.ts", latin("gr\xfc\xdfe\n"), "gr\uFFFD\uFFFDe\n"],
  ];
  test("opens no document and returns the editor's text", () => showsWhatTheEditorShows(...files));

  test("in windows1252 follows the setting, and allows writing", async () => {
    const settings = () => vscode.workspace.getConfiguration("files", folder);
    await settings().update("encoding", "windows1252", vscode.ConfigurationTarget.Workspace);
    try {
      await vscode.workspace.fs.writeFile(at("closed.ts"), latin("gr\xfc\xdfe\n"));
      const open = openUris();
      expectEqual(await workspace.writable(await resolved("closed.ts")), null, "writable");
      expectEqual(openedSince(open), [], "opened");
      const bytes = latin("gr\xfc\xdfe \x80\r\n");
      await showsWhatTheEditorShows(["in it", "windows.ts", bytes, "grüße €\r\n"]);
    } finally {
      await settings().update("encoding", undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  const replaced: readonly [
    name: string,
    encoding: string,
    old: Uint8Array | null,
    text: string,
    now: Uint8Array | string,
  ][] = [
    ["a UTF-8 mark", "utf8", utf8("\uFEFFa\n"), "ä\n", utf8("\uFEFFä\n")],
    ["UTF-16", "utf8", utf16("a\n"), "ä\n", utf16("ä\n")],
    ["CRLF", "utf8", utf8("a\r\n"), "b\nc\n", utf8("b\r\nc\r\n")],
    ["Latin-1 that the editor reads as UTF-8", "utf8", latin("\xfc\n"), "ä\n", "undecoded"],
    ["windows1252", "windows1252", latin("\xfc\n"), "ü€\n", latin("\xfc\x80\n")],
    ["a letter that windows1252 lacks", "windows1252", latin("\xfc\n"), "日本\n", "unencodable"],
    ["a new file in windows1252", "windows1252", null, "ü€\n", latin("\xfc\x80\n")],
    ["a new file with other letters", "windows1252", null, "日本\n", utf8("\uFEFF日本\n")],
    ["a new file in UTF-8", "utf8", null, "日本\n", utf8("日本\n")],
  ];
  for (const [name, encoding, old, text, now] of replaced)
    test(`writes a file as the editor would, or refuses it: ${name}`, async () => {
      const settings = () => vscode.workspace.getConfiguration("files", folder);
      await settings().update("encoding", encoding, vscode.ConfigurationTarget.Workspace);
      try {
        const file = `replaced${replaced.findIndex(([each]) => each === name)}.txt`;
        if (old) await vscode.workspace.fs.writeFile(at(file), old);
        const files = createVscodeWorkspaceFiles(workspace, null);
        const done = await files.createFile(`scratch-read/${file}`, text, true);
        const isRefused = typeof now === "string";
        expectEqual(done.ok ? "" : done.error.code, isRefused ? now : "", "refused");
        const bytes = await vscode.workspace.fs.readFile(at(file));
        expectEqual([...bytes], [...(isRefused ? (old ?? []) : now)], "bytes");
      } finally {
        await settings().update("encoding", undefined, vscode.ConfigurationTarget.Workspace);
      }
    });

  test("finds references without opening their files, also where one cannot be read", async () => {
    await vscode.workspace.fs.writeFile(at("asked.ts"), utf8("use();\n"));
    await vscode.workspace.fs.writeFile(at("used.ts"), utf8("a\r\n  use();\r\n"));
    const provider = vscode.languages.registerReferenceProvider(
      { pattern: "**/scratch-read/asked.ts" },
      {
        provideReferences: () =>
          ["gone.ts", "used.ts"].map(
            (name) => new vscode.Location(at(name), new vscode.Position(1, 2)),
          ),
      },
    );
    try {
      const found = await createVscodeLanguageServices(workspace).findReferences(
        await resolved("asked.ts"),
        0,
        0,
        never,
      );
      const places = found.ok
        ? found.value.filter(({ path }) => path.endsWith("used.ts"))
        : found.error;
      expectEqual(places, [{ path: "scratch-read/used.ts", line: 2, text: "  use();" }], "places");
      expectEqual(openUris().includes(at("used.ts").toString()), false, "opened");
    } finally {
      provider.dispose();
    }
  });
});
