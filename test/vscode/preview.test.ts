import * as vscode from "vscode";
import type { DiffPreview } from "../../src/host/preview/diffPreview.ts";
import type { Proposal } from "../../src/ports/review.ts";
import { eventually, expectEqual, expectMatch } from "./expect.ts";
import {
  block,
  clicked,
  fates,
  ORIGINAL,
  PROPOSED,
  previewFixture,
  proposalOfThree,
  relative,
  replaceIn,
  shows,
  THREE,
  typeAtEndOf,
} from "./previewFixture.ts";
import { undoIn } from "./undoIn.ts";
import { isThere, lensesOn, readText, writeText } from "./window.ts";

const ALL_APPLIED = ["first applied", "second applied", "third applied"];

suite("the preview", () => {
  const fixture = previewFixture("preview");
  const { scheme, scratch, state, diffs, freshUri, reviewOf, proposalOf } = fixture;
  const { decidedNow, known, begin, propose, complete, pend } = fixture;
  let preview: DiffPreview;

  suiteSetup(() => {
    preview = fixture.preview;
  });

  test("leaves no diff open when the proposal is rejected while it opens", async () => {
    const { uri, document, review } = await begin();
    let opened = 0;
    const watch = vscode.window.tabGroups.onDidChangeTabs((event) => {
      opened += event.opened.filter(({ input }) => input instanceof vscode.TabInputTextDiff).length;
    });
    const done = propose(review, THREE);
    await eventually("the proposal to be pending", () => preview.proposals.pendingPaths.length > 0);
    await preview.commands.rejectFile(uri.toString());
    expectEqual(
      fates(await done),
      ["first rejected", "second rejected", "third rejected"],
      "the outcome",
    );
    expectEqual(document.getText(), ORIGINAL, "the file");
    await eventually("the diff to be opened", () => opened > 0);
    await eventually("the diff to be closed", () => diffs().length === 0);
    watch.dispose();
  });

  test("accepts and rejects single hunks without a save, each accept as one undo step, after which it is pending again", async () => {
    const { uri, document, review } = await begin();
    let saves = 0;
    const watch = vscode.workspace.onWillSaveTextDocument(() => saves++);
    const { done, proposed } = await complete(uri, review, THREE);
    const atTop = (await lensesOn(proposed.uri)).filter(({ line }) => line === 0);
    expectEqual(
      atTop.map(({ title }) => title),
      ["✓ Accept", "✗ Reject", "Ask for a change…", "−1 +1"],
      "the row of a change at the top",
    );
    const firstAccepted = ORIGINAL.replace("one", "ONE");
    await preview.commands.acceptHunk(...(await clicked(proposed.uri, "✓ Accept")));
    expectEqual(document.getText(), firstAccepted, "the file after the first accept");
    expectEqual(decidedNow(), ["first applied"], "what is decided then");
    await undoIn(uri);
    expectEqual(document.getText(), ORIGINAL, "the file after its undo");
    expectEqual(decidedNow(), [], "decisions that still stand");
    expectEqual(
      (await lensesOn(proposed.uri)).filter(({ title }) => title === "✓ Accept").length,
      3,
      "pending changes",
    );
    await preview.commands.acceptHunk(...(await clicked(proposed.uri, "✓ Accept")));
    await preview.commands.rejectHunk(...(await clicked(proposed.uri, "✗ Reject")));
    await shows(proposed, PROPOSED.replace("FOUR", "four"));
    expectEqual(
      decidedNow(),
      ["first applied", "second rejected"],
      "what is known before the last decision",
    );
    await preview.commands.acceptFile(proposed.uri.toString());
    expectEqual(
      fates(await done),
      ["first applied", "second rejected", "third applied"],
      "the outcome",
    );
    expectEqual(document.getText(), "ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n", "the file");
    expectEqual(saves, 0, "saves");
    watch.dispose();
    await undoIn(uri);
    expectEqual(document.getText(), firstAccepted, "the file after one undo");
    await undoIn(uri);
    expectEqual(document.getText(), ORIGINAL, "the file after two undos");
  });

  test("accepts nothing that the file's encoding lacks", async () => {
    const uri = freshUri();
    await writeText(uri, ORIGINAL);
    const document = await vscode.workspace.openTextDocument(uri, { encoding: "windows1252" });
    const text = ORIGINAL.replace("one", "日本").replace("four", "fünf €");
    const { done, proposed } = await complete(uri, reviewOf(uri, document), {
      text,
      blocks: [block("first", text, "日本\n"), block("second", text, "fünf €\n")],
    });
    await preview.commands.acceptHunk(...(await clicked(proposed.uri, "✓ Accept")));
    expectEqual(document.getText(), ORIGINAL, "the file");
    expectEqual(decidedNow(), [], "decided");
    await preview.commands.acceptHunk(...(await clicked(proposed.uri, "✓ Accept", 1)));
    await preview.commands.rejectFile(proposed.uri.toString());
    expectEqual(fates(await done), ["first rejected", "second applied"], "the outcome");
    await document.save();
    expectEqual(
      [...(await vscode.workspace.fs.readFile(uri))].filter((byte) => byte > 0x7f),
      [0xfc, 0x80],
      "bytes beyond ASCII",
    );
  });

  test("keeps three accepted changes and one that is typed with auto save and a formatter", async () => {
    const settings = () => vscode.workspace.getConfiguration();
    const target = vscode.ConfigurationTarget.Workspace;
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: "**/scratch-*/*.txt" },
      {
        provideDocumentFormattingEdits: (document) =>
          document.getText().includes("two\n\n")
            ? []
            : [vscode.TextEdit.insert(new vscode.Position(2, 0), "\n")],
      },
    );
    await settings().update("files.autoSave", "afterDelay", target);
    await settings().update("files.autoSaveDelay", 1, target);
    await settings().update("editor.formatOnSave", true, target);
    try {
      const { uri, document, review } = await begin();
      const { done, proposed } = await complete(uri, review, THREE);
      for (let at = 0; at < 2; at++)
        await preview.commands.acceptHunk(...(await clicked(proposed.uri, "✓ Accept")));
      await vscode.window.showTextDocument(proposed);
      await typeAtEndOf(proposed, "SEVEN", "!");
      await document.save();
      await preview.commands.acceptAll();
      expectEqual(
        fates(await done).map((fate) => fate.split(" ")[0]),
        ["first", "second", "third"],
        "decided",
      );
      await vscode.commands.executeCommand("workbench.action.files.save");
      await document.save();
      const text = PROPOSED.replace("SEVEN", "SEVEN!");
      // Whether VS Code formats what it saves by itself depends on the kind of save.
      const plain = (shown: string) => shown.replace("two\n\n", "two\n");
      await eventually("the file", () => plain(document.getText()) === text);
      await eventually("the disk", async () => plain(await readText(uri)) === text);
    } finally {
      for (const key of ["files.autoSave", "files.autoSaveDelay", "editor.formatOnSave"])
        await settings().update(key, undefined, target);
      formatter.dispose();
    }
  });

  test("takes an accept of all files back where it failed half way", async () => {
    const one = await begin();
    await pend(one.review, THREE);
    const knownOfOne = known();
    const created = freshUri();
    const text = "new\n";
    await pend(reviewOf(created, null), { text, blocks: [block("made", text, text)] });
    const locked = await begin();
    await pend(locked.review, THREE);
    state.refusal = { code: "read-only", path: relative(locked.uri) };
    await vscode.commands.executeCommand("notifications.clearAll");
    await preview.commands.acceptAll();
    expectEqual(preview.proposals.pendingPaths, [relative(locked.uri)], "what is still pending");
    expectEqual(one.document.getText(), PROPOSED, "the file that was changed");
    expectEqual(locked.document.getText(), ORIGINAL, "the file that cannot be written");
    await eventually("the accept to be taken back", async () => {
      if (one.document.getText() !== ORIGINAL)
        await vscode.commands.executeCommand("notification.acceptPrimaryAction");
      return one.document.getText() === ORIGINAL;
    });
    await eventually(
      "all proposals to be pending again",
      () => preview.proposals.allPending().length === 3,
    );
    await eventually(
      "the chat to know it",
      () => knownOfOne().join() === "first pending,second pending,third pending",
    );
    expectEqual(await isThere(created), false, "the created file's being there");
    expectEqual(
      state.applied.slice(2),
      [
        [PROPOSED, ORIGINAL],
        [text, ""],
      ],
      "what was taken back",
    );
    state.refusal = null;
    await preview.commands.acceptAll();
    expectEqual(
      [one, locked].map(({ document }) => document.getText()),
      [PROPOSED, PROPOSED],
      "the files after the second try",
    );
    expectEqual(
      (await vscode.workspace.openTextDocument(created)).getText(),
      text,
      "the created file after it",
    );
  });

  test("with review after changes are applied, applies at once in one undo step, without a diff or a save", async () => {
    state.review = "after";
    const { uri, document, review } = await begin();
    review.update(() => THREE);
    expectEqual(fates(await propose(review, THREE)), ALL_APPLIED, "the outcome");
    expectEqual(document.getText(), PROPOSED, "the file");
    await eventually("the file to be left for the user to save", () => document.isDirty);
    expectEqual(state.applied, [[ORIGINAL, PROPOSED]], "the changes on record");
    await undoIn(uri);
    expectEqual(document.getText(), ORIGINAL, "the file after one undo");
  });

  test("with review after changes are applied, leaves editor configuration and warnings to the user, as accept all does", async () => {
    state.review = "after";
    const configuration = await begin(ORIGINAL, ".vscode");
    await pend(configuration.review, THREE);
    const risky = await begin();
    const text = ORIGINAL.replace("one", "ONE").replace("seven", "SEVEN");
    await pend(risky.review, {
      text,
      blocks: [
        block("first", text, "ONE\n"),
        block("risky", text, "SEVEN\n", [{ code: "syntax" }]),
      ],
    });
    const onlySound = ORIGINAL.replace("one", "ONE");
    await shows(risky.document, onlySound);
    state.refusal = { code: "untrusted", path: "*" };
    const locked = await begin();
    await pend(locked.review, THREE);
    const files = () => [configuration, risky, locked].map(({ document }) => document.getText());
    expectEqual(files(), [ORIGINAL, onlySound, ORIGINAL], "the files");
    state.refusal = null;
    await preview.commands.acceptAll();
    expectEqual(files(), [ORIGINAL, onlySound, PROPOSED], "the files after accept all");
    await preview.commands.rejectAll();
  });

  test("creates a file and its folders on accept, and nothing on reject", async () => {
    const text = "first line\nsecond line\n";
    const proposal: Proposal = { text, blocks: [block("whole", text, text)] };
    const rejected = freshUri("never");
    const no = await pend(reviewOf(rejected, null), proposal);
    await preview.commands.rejectFile(rejected.toString());
    expectEqual(fates(await no.done), ["whole rejected"], "the outcome of a reject");
    const created = freshUri("deep/er [id]");
    const yes = await complete(created, reviewOf(created, null), proposal);
    await preview.commands.acceptHunk(...(await clicked(yes.proposed.uri, "✓ Accept")));
    expectEqual(fates(await yes.done), ["whole applied"], "the outcome of an accept");
    expectEqual(await readText(created), text, "the file on disk");
    expectEqual(
      await isThere(vscode.Uri.joinPath(scratch, "never")),
      false,
      "a folder for a rejected file",
    );
  });

  test("keeps emoji whole and CRLF line ends byte for byte, in the editor that has the focus", async () => {
    const crlf = (text: string) => text.replaceAll("\n", "\r\n");
    const { uri, document, review } = await begin(
      crlf("\u{1f600} one\n\u{1f600} two\nthree\n\u{1f600} four\n"),
    );
    const text = "\u{1f469} one\n\u{1f600} two\nthree\n\u{1f469} 4\n";
    const proposal = { text, blocks: [block("all", text, text)] };
    const { done, proposed } = await complete(uri, review, proposal, crlf(text));
    await vscode.window.showTextDocument(proposed);
    await preview.commands.rejectHunk(...(await clicked(proposed.uri, "✗ Reject")));
    const left = crlf("\u{1f600} one\n\u{1f600} two\nthree\n\u{1f469} 4\n");
    await shows(proposed, left);
    await vscode.window.showTextDocument(document);
    await preview.commands.acceptFile(uri.toString());
    await done;
    await document.save();
    expectEqual(await readText(uri), left, "the file on disk");
  });

  // A diff waits a while for who has just typed, so what types comes last.

  test("grows read-only while the answer streams, then keeps and reports the user's edits, and no save changes it", async () => {
    const setting = vscode.workspace.getConfiguration("files");
    await setting.update("trimTrailingWhitespace", true, vscode.ConfigurationTarget.Global);
    let unsaved = 0;
    const watch = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document.uri.scheme === scheme && event.document.isDirty) unsaved++;
    });
    try {
      const original = ORIGINAL.replace("two", "two  ");
      const { uri, document, review } = await begin(original);
      for (const head of ["ONE\n", "\u{1f600}\ntwo!\n", "\u{1f60e}\ntwo!\nthree!\n"]) {
        const text = head + original.slice(4);
        review.update(() => ({ text, blocks: [block("first", text, head)] }));
        await shows(await proposalOf(uri), text);
      }
      await preview.commands.show(uri.toString());
      await vscode.commands.executeCommand("type", { text: "mine" });
      const { done, proposed } = await complete(
        uri,
        review,
        proposalOfThree(PROPOSED.replace("two", "two  ")),
      );
      expectEqual(unsaved, 0, "changes that made the proposal unsaved");
      watch.dispose();
      await typeAtEndOf(proposed, "five", " // mine");
      await proposed.save();
      // VS Code trims what it saves, and the file keeps its blanks.
      await shows(proposed, PROPOSED.replace("five", "five // mine"));
      await eventually("the typed text to be saved", () => !proposed.isDirty);
      expectEqual(document.getText(), original, "the file while the proposal waits");
      await preview.commands.acceptFile(uri.toString());
      const { userDiff } = await done;
      expectEqual(
        document.getText(),
        PROPOSED.replace("two", "two  ").replace("five", "five // mine"),
        "the file",
      );
      expectMatch(userDiff, /^(?!.*two).*\+five \/\/ mine/s, "the user's own change alone");
    } finally {
      watch.dispose();
      await setting.update("trimTrailingWhitespace", undefined, vscode.ConfigurationTarget.Global);
    }
  });

  test("is there again after a restart, with the user's typing, on the file as it is then", async () => {
    const restarted = (when: string) => fixture.open(`${scheme}-${when}`, ".restarted");
    const before = restarted("before");
    const uri = freshUri();
    await writeText(uri, ORIGINAL);
    const file = { path: relative(uri), uri: uri.toString() };
    const snapshot = { file, exists: true, text: ORIGINAL, version: 1, languageId: "plaintext" };
    await before.proposals
      .open(snapshot, { chatId: "chat", turnId: "restarted", callId: "call" })
      .propose(THREE, false);
    const shown = await proposalOf(uri, `${scheme}-before`);
    await shows(shown, PROPOSED);
    await before.commands.show(uri.toString());
    await typeAtEndOf(shown, "five", " // mine");
    await eventually(
      "the typed text to be known",
      () => before.proposals.pending(file)?.text.includes("// mine") === true,
    );
    await before.proposals.kept();
    before.dispose();
    await writeText(uri, ORIGINAL.replace("two", "2").replace("seven", "7"));
    const after = restarted("after");
    await after.proposals.load();
    expectEqual(after.proposals.pendingPaths, [file.path], "pending files");
    await eventually(
      "the file's changes",
      () => after.proposals.pending(file)?.text.includes("\n2\n") === true,
    );
    await after.commands.acceptFile(uri.toString());
    const document = await vscode.workspace.openTextDocument(uri);
    expectEqual(
      document.getText(),
      "ONE\n2\nthree\nFOUR\nfive // mine\nsix\n7\n",
      "the file with all but the conflict",
    );
    await after.commands.rejectFile(uri.toString());
    await after.proposals.kept();
    const again = restarted("again");
    await again.proposals.load();
    expectEqual(again.proposals.pendingPaths, [], "pending files once all is decided");
    for (const one of [after, again]) one.dispose();
    await document.save();
  });

  test("stays pending when its diff is closed, and takes a second message's changes with what the user typed in it", async () => {
    const { uri, document, review } = await begin();
    const { done } = await pend(review, THREE);
    await preview.commands.show(uri.toString());
    const proposed = await proposalOf(uri);
    await shows(proposed, PROPOSED);
    await replaceIn(proposed, "two", "two // mine");
    await eventually("the typed text to be safe", () => !proposed.isDirty);
    await vscode.window.tabGroups.close(diffs());
    expectEqual(preview.proposals.pendingPaths, [relative(uri)], "pending files");
    await preview.commands.show();
    const shown = await proposalOf(uri);
    await shows(shown, PROPOSED.replace("two", "two // mine"));
    await typeAtEndOf(shown, "five", " // mine");
    const file = { path: relative(uri), uri: uri.toString() };
    const seen = await eventually("the proposal with the typed text", () => {
      const text = preview.proposals.pending(file)?.text ?? "";
      return text.includes("five // mine") ? text : null;
    });
    const second = preview.proposals.open(
      { file, exists: true, text: seen, version: 0, languageId: "plaintext" },
      { chatId: "chat", turnId: "second", callId: "call" },
    );
    const text = seen.replace("three", "THREE");
    const proposal = { text, blocks: [block("first", text, "THREE\n")] };
    second.update(() => proposal);
    await shows(shown, text);
    const { blocks } = await second.propose(proposal, false);
    expectEqual(fates({ blocks }), ["first pending"], "the second message");
    expectEqual(document.getText(), ORIGINAL, "the file meanwhile");
    await preview.commands.acceptFile(uri.toString());
    expectEqual(fates(await done), ALL_APPLIED, "the outcome of the first");
    expectEqual(
      document.getText(),
      "ONE\ntwo // mine\nTHREE\nFOUR\nfive // mine\nsix\nSEVEN\n",
      "the file",
    );
  });
});
