import * as vscode from "vscode";
import { ok } from "../../src/base/result.ts";
import { DiffPreview } from "../../src/host/preview/diffPreview.ts";
import { editorsOf, multiDiffTabs, proposalTabs } from "../../src/host/preview/diffTabs.ts";
import { VscodeWorkspace } from "../../src/host/workspace/vscodeWorkspace.ts";
import { createVscodeWorkspaceFiles } from "../../src/host/workspace/vscodeWorkspaceFiles.ts";
import type { BlockWarning } from "../../src/ports/review.ts";
import { eventually, expectEqual } from "./expect.ts";
import { folder, lensesOn, logger, memento, readText, writeText } from "./window.ts";

const SCHEME = "graft-proposal-places";
/** 500 lines. */
const LONG = Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join("");
/** Changes lines 400 and 454, and adds one before line 480. */
const LONG_PROPOSED = LONG.replace("line 400\n", "LINE 400\n")
  .replace("line 454\n", "LINE 454\n")
  .replace("line 480\n", "new\nline 480\n");
const SHORT = "one\ntwo\nthree\n";
const SHORT_PROPOSED = "ONE\ntwo\nTHREE\n";

/** Where the cursor is: the file's name, the side of its diff, and the 0-based line. */
function cursor(): string {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return "no editor";
  const { scheme, path } = editor.document.uri;
  return `${scheme === SCHEME ? "proposal" : "file"} ${path.slice(path.lastIndexOf("/") + 1)} ${editor.selection.active.line}`;
}

function cursorIs(place: string): Promise<unknown> {
  return eventually(
    () => `the cursor at ${place}, not ${cursor()}`,
    () => cursor() === place,
  );
}

suite("review where the user is", () => {
  const scratch = vscode.Uri.joinPath(folder(), "scratch-places");
  let preview: DiffPreview;
  let files = 0;
  /** How often the focus went on to the composer. */
  let composer = 0;
  /** What the user does as soon as something is decided. */
  let meanwhile: () => void = () => undefined;

  suiteSetup(() => {
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
      store: { load: async () => [], keep: async () => undefined, idle: async () => undefined },
      events: {
        applied: () => undefined,
        decided() {
          meanwhile();
          meanwhile = () => undefined;
        },
        takenBack: () => undefined,
      },
      focusComposer: () => composer++,
      scheme: SCHEME,
    });
  });

  suiteTeardown(async () => {
    preview.dispose();
    await vscode.workspace.fs.delete(scratch, { recursive: true });
  });

  teardown(async () => {
    if (preview.proposals.pendingPaths.length > 0) {
      const before = composer;
      await preview.commands.rejectAll();
      // It comes after the diffs closed, and would count for the next test.
      await eventually("the focus in the chat", () => composer > before);
    }
    await eventually("every review to end", () => preview.proposals.pendingPaths.length === 0);
    await eventually(
      "every diff to close",
      () =>
        proposalTabs(({ scheme }) => scheme === SCHEME).length + multiDiffTabs(SCHEME).length === 0,
    );
    for (const document of vscode.workspace.textDocuments)
      if (document.isDirty && !document.isClosed) await document.save();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    composer = 0;
  });

  /** Makes a file, or only names it where `text` is null, and proposes another text for it. */
  async function propose(
    name: string,
    text: string | null,
    proposed: string,
    warnings: readonly BlockWarning[] = [],
  ) {
    const uri = vscode.Uri.joinPath(scratch, `${++files}`, name);
    if (text !== null) await writeText(uri, text);
    const document = text === null ? null : await vscode.workspace.openTextDocument(uri);
    const path = vscode.workspace.asRelativePath(uri, false);
    const snapshot = {
      file: { path, uri: uri.toString() },
      exists: document !== null,
      text: text ?? "",
      languageId: "plaintext",
    };
    const review = preview.proposals.open(
      { ...snapshot, version: document?.version ?? 0 },
      { chatId: "chat", turnId: `turn-${files}`, callId: "call" },
    );
    await review.propose(
      { text: proposed, blocks: [{ blockId: "block", start: 0, end: proposed.length, warnings }] },
      false,
    );
    return { uri, document };
  }

  const diffOf = (uri: vscode.Uri) =>
    proposalTabs(
      ({ scheme, path }) =>
        scheme === SCHEME && path.endsWith(uri.path.slice(uri.path.lastIndexOf("/scratch-places"))),
    );

  async function closeDiff(uri: vscode.Uri): Promise<void> {
    await eventually("the diff", () => diffOf(uri).length > 0);
    await vscode.window.tabGroups.close(diffOf(uri));
    await eventually("the diff to close", () => diffOf(uri).length === 0);
  }

  test("the file's own editor has a lens at each hunk, and its decisions", async () => {
    const { uri, document } = await propose("own.txt", LONG, LONG_PROPOSED);
    await closeDiff(uri);
    await vscode.window.showTextDocument(uri);
    const lenses = await eventually("the lenses", async () => {
      const found = await lensesOn(uri);
      return found.length > 0 ? found : null;
    });
    const titles = (line: number) =>
      lenses.filter((one) => one.line === line).map(({ title }) => title);
    expectEqual(
      titles(0),
      ["Graft proposes 3 changes", "Review", "Accept file", "Reject file"],
      "at the top",
    );
    expectEqual(
      titles(400),
      ["Proposed: replace 1 line with 1 line", "✓ Accept", "✗ Reject", "Ask for a change…"],
      "at a changed line",
    );
    expectEqual(
      titles(480),
      ["Proposed: insert 1 line", "✓ Accept", "✗ Reject", "Ask for a change…"],
      "at an insertion",
    );
    const accept = lenses.find(({ line, title }) => line === 454 && title === "✓ Accept");
    await preview.commands.acceptHunk(accept?.args[0], accept?.args[1]);
    expectEqual(document?.getText(), LONG.replace("line 454", "LINE 454"), "the file");
    const review = lenses.find(({ line, title }) => line === 480 && title.startsWith("Proposed"));
    await preview.commands.show(review?.args[0], review?.args[1]);
    await cursorIs("proposal own.txt 480");
  });

  test("a diff opens at its first change, also when it is shown again", async () => {
    const { uri } = await propose("first.txt", LONG, LONG_PROPOSED);
    const shown = () =>
      vscode.window.visibleTextEditors.find(({ document }) => document.uri.scheme === SCHEME);
    const seesChange = () =>
      shown()?.visibleRanges.some(({ start, end }) => start.line <= 400 && 400 <= end.line);
    await eventually("the first change on the screen", seesChange);
    const editor = shown();
    editor?.revealRange(new vscode.Range(0, 0, 0, 0));
    await eventually("the top of the file", () => shown()?.visibleRanges[0]?.start.line === 0);
    await closeDiff(uri);
    await preview.commands.show(uri.toString());
    await cursorIs("proposal first.txt 400");
    await eventually("the first change on the screen again", seesChange);
  });

  test("a decision takes the next hunk wherever the cursor is, and goes on to the next file and then to the chat", async () => {
    const one = await propose("one.txt", LONG, LONG_PROPOSED);
    await closeDiff(one.uri);
    const two = await propose("two.txt", SHORT, SHORT_PROPOSED);
    await preview.commands.show(two.uri.toString());
    await closeDiff(two.uri);
    const editor = await vscode.window.showTextDocument(one.uri);
    editor.selection = new vscode.Selection(430, 0, 430, 0);
    await preview.commands.acceptHunk();
    expectEqual(
      one.document?.getText(),
      LONG.replace("line 454", "LINE 454"),
      "the file after the next hunk was accepted",
    );
    await cursorIs("file one.txt 480");
    await preview.commands.rejectHunk();
    await cursorIs("file one.txt 400");
    await preview.commands.acceptHunk();
    await cursorIs("proposal two.txt 0");
    expectEqual(composer, 0, "times the focus left for the chat");
    await preview.commands.acceptHunk();
    await cursorIs("proposal two.txt 2");
    await preview.commands.rejectHunk();
    await eventually("the focus in the chat", () => composer === 1);
    expectEqual(two.document?.getText(), "ONE\ntwo\nthree\n", "the second file");
  });

  test("a hunk with a warning is shown before a key accepts it", async () => {
    const { uri, document } = await propose(
      "risky.txt",
      LONG,
      LONG.replace("line 400\n", "LINE 400\n"),
      [{ code: "syntax" }],
    );
    await closeDiff(uri);
    await preview.commands.acceptHunk();
    await cursorIs("proposal risky.txt 400");
    expectEqual(document?.getText(), LONG, "the file before its hunk was on the screen");
    await eventually("the hunk on the screen", () =>
      vscode.window.activeTextEditor?.visibleRanges.some(
        ({ start, end }) => start.line <= 400 && 400 <= end.line,
      ),
    );
    await preview.commands.acceptHunk();
    expectEqual(document?.getText(), LONG.replace("line 400", "LINE 400"), "the file");
  });

  test("all files are reviewed in one editor, by keyboard", async () => {
    const one = await propose("one.txt", SHORT, SHORT_PROPOSED);
    await closeDiff(one.uri);
    const created = await propose("new.txt", null, "hello\n");
    await closeDiff(created.uri);
    const editorsOf = (name: string) =>
      vscode.window.visibleTextEditors.filter(
        ({ document: { uri } }) => uri.scheme === SCHEME && uri.path.endsWith(`/${name}`),
      );
    await preview.commands.reviewAll();
    await eventually(
      "both diffs",
      () => editorsOf("one.txt").length > 0 && editorsOf("new.txt").length > 0,
    );
    const [tab, ...more] = multiDiffTabs(SCHEME);
    expectEqual(more.length, 0, "further editors of all proposals");
    // VS Code says of a file with another path on its left that it was renamed.
    const sides: readonly { readonly original: vscode.Uri; readonly modified: vscode.Uri }[] =
      Object(tab?.input).textDiffs;
    expectEqual(
      sides.map(({ original }) => original.path).join(),
      sides.map(({ modified }) => modified.path).join(),
      "the paths on the left",
    );
    await cursorIs("proposal one.txt 0");
    await preview.commands.acceptHunk();
    expectEqual(
      one.document?.getText(),
      "ONE\ntwo\nthree\n",
      "the first file after the first decision",
    );
    await cursorIs("proposal one.txt 2");
    await preview.commands.acceptHunk();
    await eventually(
      "only the new file",
      () => editorsOf("one.txt").length === 0 && editorsOf("new.txt").length > 0,
    );
    await eventually("the earlier editor to close", () => multiDiffTabs(SCHEME).length === 1);
    await preview.commands.acceptHunk();
    await eventually("the focus in the chat", () => composer === 1);
    await eventually(
      "the editor of all proposals to close",
      () => multiDiffTabs(SCHEME).length === 0,
    );
    expectEqual(await readText(created.uri), "hello\n", "the new file");
  });

  test("next and previous stay in the editor of all files", async () => {
    const one = await propose("one.txt", SHORT, SHORT_PROPOSED);
    await closeDiff(one.uri);
    const two = await propose("two.txt", SHORT, SHORT_PROPOSED);
    await closeDiff(two.uri);
    await preview.commands.reviewAll();
    await cursorIs("proposal one.txt 0");
    await preview.commands.step("next");
    await cursorIs("proposal one.txt 2");
    await preview.commands.step("next");
    await cursorIs("proposal two.txt 0");
    await preview.commands.step("previous");
    await cursorIs("proposal one.txt 2");
    await preview.commands.step("previous");
    await preview.commands.step("previous");
    await cursorIs("proposal two.txt 2");
    await preview.commands.rejectHunk();
    await cursorIs("proposal two.txt 0");
    expectEqual(proposalTabs(({ scheme }) => scheme === SCHEME).length, 0, "diffs of single files");
  });

  test("a tab begins with the file's name, and the folder where two files share it; accepting all files opens none", async () => {
    const label = (uri: vscode.Uri) => eventually("the tab", () => diffOf(uri)[0]?.label);
    const one = await propose("cart.txt", SHORT, SHORT_PROPOSED);
    expectEqual(await label(one.uri), "cart.txt (Graft proposal)", "the first tab");
    await closeDiff(one.uri);
    const two = await propose("cart.txt", SHORT, SHORT_PROPOSED);
    await preview.commands.show(two.uri.toString());
    expectEqual(
      await label(two.uri),
      `cart.txt in scratch-places/${files} (Graft proposal)`,
      "the second tab",
    );
    await closeDiff(two.uri);
    const opened: string[] = [];
    const watch = vscode.window.tabGroups.onDidChangeTabs((event) =>
      opened.push(...event.opened.map(({ label }) => label)),
    );
    await preview.commands.acceptAll();
    await eventually("the focus in the chat", () => composer === 1);
    watch.dispose();
    expectEqual(
      opened.filter((title) => title.includes("Graft proposal")),
      [],
      "diffs that opened",
    );
  });

  test("a conflict can be decided from its lens alone", async () => {
    const { uri, document } = await propose("both.txt", SHORT, SHORT_PROPOSED);
    if (!document) throw new Error("there is no file");
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, 0, 3), "mine");
    edit.replace(uri, new vscode.Range(2, 0, 2, 5), "mine too");
    await vscode.workspace.applyEdit(edit);
    await vscode.window.showTextDocument(uri);
    const lens = async (line: number, title: string) => {
      const found = await eventually(`the lens ${title}`, async () =>
        (await lensesOn(uri)).find((one) => one.line === line && one.title.endsWith(title)),
      );
      return [found.args[0], found.args[1]] as const;
    };
    await preview.commands.show(...(await lens(2, "Show both")));
    await cursorIs("proposal both.txt 2");
    const [proposal] = editorsOf(vscode.window.activeTextEditor?.document.uri ?? uri);
    expectEqual(proposal?.document.lineAt(2).text, "THREE", "the proposed line");
    await vscode.window.showTextDocument(uri);
    await preview.commands.rejectHunk(...(await lens(2, "Keep mine")));
    await preview.commands.acceptHunk(...(await lens(0, "Take proposed")), true);
    expectEqual(document.getText(), "ONE\ntwo\nmine too\n", "the file");
  });

  test("a decision of the panel leaves the focus alone, and any decision where the user went meanwhile", async () => {
    const { uri } = await propose("panel.txt", SHORT, SHORT_PROPOSED);
    await preview.commands.acceptFile(vscode.workspace.asRelativePath(uri, false));
    await eventually("the diff to close", () => diffOf(uri).length === 0);
    expectEqual(composer, 0, "times the focus left for the chat");
    const one = await propose("one.txt", SHORT, SHORT_PROPOSED);
    await preview.commands.show(one.uri.toString());
    await cursorIs("proposal one.txt 0");
    meanwhile = () => void vscode.commands.executeCommand("cursorDown");
    await preview.commands.acceptFile(one.uri.toString());
    await eventually("the diff to close", () => diffOf(one.uri).length === 0);
    // By then the focus would have gone on.
    const two = await propose("two.txt", SHORT, SHORT_PROPOSED);
    await preview.commands.show(two.uri.toString());
    await preview.commands.acceptFile(two.uri.toString());
    await eventually("the focus in the chat", () => composer > 0);
    expectEqual(composer, 1, "times the focus left for the chat");
  });
});
