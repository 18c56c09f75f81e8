import * as vscode from "vscode";
import { fileUriOf } from "../../src/host/documents/editorReview.ts";
import type { DiffPreview } from "../../src/host/preview/diffPreview.ts";
import { eventually, expectEqual } from "./expect.ts";
import {
  clicked,
  type Decided,
  fates,
  ORIGINAL,
  PROPOSED,
  previewFixture,
  proposalOfThree,
  relative,
  replaceIn,
  shows,
  THREE,
} from "./previewFixture.ts";
import { readText, writeText } from "./window.ts";

const ALL_APPLIED = ["first applied", "second applied", "third applied"];

suite("the preview when the file moves, changes or is reloaded", () => {
  const fixture = previewFixture("previewed");
  const { scratch, diffs, freshUri, reviewOf, decidedNow, begin, complete, pend } = fixture;
  let preview: DiffPreview;

  suiteSetup(() => {
    preview = fixture.preview;
  });

  /** Renames in VS Code, as the Explorer does. */
  async function renameInEditor(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(from, to);
    expectEqual(await vscode.workspace.applyEdit(edit), true, "renaming");
  }

  /** The review and its diff are at the new place. */
  async function goesOnAt(uri: vscode.Uri): Promise<void> {
    await eventually(
      "the review to follow",
      () => preview.proposals.pendingPaths[0] === relative(uri),
    );
    const originals = () =>
      // VS Code opens unsaved text alone, in the background, where no editor shows it meanwhile.
      diffs().flatMap(({ input }) =>
        input instanceof vscode.TabInputTextDiff ? [input.original.toString()] : [],
      );
    await eventually(
      () => `the diff to follow to ${uri.toString()}; there are ${originals().join()}`,
      () => originals().length === 1 && originals()[0] === uri.toString(),
    );
  }

  /** Accepts the file's proposal; all of it is applied, and the file has this text. */
  async function acceptsAll(uri: vscode.Uri, done: Promise<Decided>, text: string): Promise<void> {
    await preview.commands.acceptFile(uri.toString());
    expectEqual(fates(await done), ALL_APPLIED, "the outcome");
    expectEqual((await vscode.workspace.openTextDocument(uri)).getText(), text, "the file");
  }

  test("finds the review of a file by its URI, whatever is in its path", async () => {
    const { uri, document, review } = await begin(ORIGINAL, "mit Leerzeichen, Größe #1 100%25 [x]");
    const { done, proposed } = await complete(uri, review, THREE);
    await replaceIn(document, "two", "2");
    await shows(proposed, PROPOSED.replace("two", "2"));
    await renameInEditor(uri, vscode.Uri.joinPath(scratch, "Straße & 50% #2.txt"));
    await goesOnAt(vscode.Uri.joinPath(scratch, "Straße & 50% #2.txt"));
    await acceptsAll(
      vscode.Uri.joinPath(scratch, "Straße & 50% #2.txt"),
      done,
      PROPOSED.replace("two", "2"),
    );
  });

  test("knows a URI again that was a text, also one with a drive letter", () => {
    for (const file of [
      vscode.Uri.from({ scheme: "file", path: "/C:/Größe #1/100%25 x.ts" }),
      vscode.Uri.from({ scheme: "file", path: "/d:/a b/ü?.ts" }),
      vscode.Uri.from({ scheme: "file", authority: "Server", path: "/Share/ä#.ts" }),
      vscode.Uri.from({ scheme: "vscode-remote", authority: "ssh+Host", path: "/w/a b%.ts" }),
    ]) {
      const again = fileUriOf({ file: { path: "a.ts", uri: file.toString() } });
      expectEqual(again.toString(), file.toString(), file.path);
    }
  });

  test("ends where a file is deleted after VS Code failed to rename it", async () => {
    const { uri, review } = await begin();
    const { done } = await pend(review, THREE);
    const other = freshUri();
    await writeText(other, "no folder\n");
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(uri, vscode.Uri.joinPath(other, "file.txt"));
    const moved = await Promise.resolve(vscode.workspace.applyEdit(edit)).catch(() => false);
    expectEqual(moved, false, "renaming");
    await vscode.workspace.fs.delete(uri);
    await eventually("the proposal to end", () => preview.proposals.pendingPaths.length === 0);
    expectEqual(fates(await done).length, 3, "blocks that are told of");
  });

  test("follows a file that is renamed in VS Code, with the user's edits, and then its folder", async () => {
    const from = vscode.Uri.joinPath(scratch, "before");
    const to = vscode.Uri.joinPath(scratch, "after");
    const uri = vscode.Uri.joinPath(from, "one.txt");
    await writeText(uri, ORIGINAL);
    const document = await vscode.workspace.openTextDocument(uri);
    const { done } = await complete(uri, reviewOf(uri, document), THREE);
    await replaceIn(document, "two", "2");
    await replaceIn(document, "2", "two");
    await renameInEditor(uri, vscode.Uri.joinPath(from, "two.txt"));
    await goesOnAt(vscode.Uri.joinPath(from, "two.txt"));
    await renameInEditor(from, to);
    await goesOnAt(vscode.Uri.joinPath(to, "two.txt"));
    await acceptsAll(vscode.Uri.joinPath(to, "two.txt"), done, PROPOSED);
  });

  test("stays with a file that is deleted and recreated at once, and is withdrawn from a deleted one", async () => {
    const { uri, document, review } = await begin();
    const { done } = await complete(uri, review, THREE);
    // A unique text: a new file with the same one would count as this file, moved.
    const other = await begin(`${ORIGINAL}of one file only\n`);
    const gone = await pend(other.review, proposalOfThree(`${PROPOSED}of one file only\n`));
    await vscode.workspace.fs.delete(uri);
    await writeText(uri, ORIGINAL.replace("five", "5"));
    await shows(document, ORIGINAL.replace("five", "5"));
    // Graft hears of this file after the other, and waits as long for it.
    await vscode.workspace.fs.delete(other.uri);
    const withdrawn = await gone.done;
    expectEqual(
      withdrawn.blocks.map(({ status, reason }) => [status, reason?.code]),
      [1, 2, 3].map(() => ["rejected", "file-gone"]),
      "the outcome of the deleted file",
    );
    await eventually("the other proposal alone", () => preview.proposals.pendingPaths.length === 1);
    await acceptsAll(uri, done, PROPOSED.replace("five", "5"));
  });

  test("does not treat changed line ends as the user's edits", async () => {
    const { uri, document, review } = await begin();
    const { done } = await pend(review, THREE);
    const editor = await vscode.window.showTextDocument(document);
    expectEqual(
      await editor.edit((change) => change.setEndOfLine(vscode.EndOfLine.CRLF)),
      true,
      "switching the line ends",
    );
    const crlf = PROPOSED.replaceAll("\n", "\r\n");
    await acceptsAll(uri, done, crlf);
    expectEqual(fixture.state.applied.at(-1)?.[1], crlf, "the change on record");
  });

  test("continues when the file is reopened with another encoding", async () => {
    const { uri, review } = await begin(ORIGINAL.replace("two", "zwölf"));
    const { done, proposed } = await complete(
      uri,
      review,
      proposalOfThree(PROPOSED.replace("two", "zwölf")),
    );
    const document = await vscode.workspace.openTextDocument(uri, { encoding: "windows1252" });
    await shows(proposed, PROPOSED.replace("two", "zwÃ¶lf"));
    await preview.commands.acceptFile(uri.toString());
    expectEqual(fates(await done), ALL_APPLIED, "the outcome");
    await document.save();
    expectEqual(await readText(uri), PROPOSED.replace("two", "zwölf"), "the file on disk");
  });

  test("continues when the file's language changes, and when it is closed, reopened or reverted", async () => {
    const { uri, document, review } = await begin();
    const { done, proposed } = await complete(uri, review, THREE);
    const other = await vscode.languages.setTextDocumentLanguage(document, "json");
    await replaceIn(other, "two", "2");
    await shows(proposed, PROPOSED.replace("two", "2"));
    const inFront = () => {
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      const { input } = tab ?? {};
      return input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()
        ? tab
        : undefined;
    };
    // The diff may take the place of the file again, and the command is about what is in front.
    await eventually("the file to be reverted", async () => {
      await vscode.window.showTextDocument(other);
      if (inFront()) await vscode.commands.executeCommand("workbench.action.files.revert");
      return !other.isDirty;
    });
    await vscode.window.showTextDocument(other);
    await vscode.window.tabGroups.close(await eventually("the file in front", inFront));
    await shows(proposed, PROPOSED);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    await acceptsAll(uri, done, PROPOSED);
  });

  test("shifts hunks or shows a conflict for what another window just wrote", async () => {
    const { uri, document, review } = await begin();
    const { done, proposed } = await complete(uri, review, THREE);
    const four = await clicked(proposed.uri, "✓ Accept", 1);
    const written = `zero\n${ORIGINAL.replace("four", "4")}`;
    await writeText(uri, written);
    await preview.commands.acceptHunk(...four);
    expectEqual(document.getText(), written, "the file with the other window's text");
    await shows(proposed, `zero\n${PROPOSED}`);
    expectEqual(decidedNow(), ["second conflict"], "what the card shows meanwhile");
    await preview.commands.acceptFile(uri.toString());
    expectEqual(
      document.getText(),
      `zero\n${PROPOSED.replace("FOUR", "4")}`,
      "the file with what does not conflict",
    );
    await preview.commands.rejectFile(uri.toString());
    expectEqual(
      fates(await done),
      ["first applied", "second rejected", "third applied"],
      "the outcome",
    );
  });
});
