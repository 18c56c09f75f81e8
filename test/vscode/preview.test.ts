import * as vscode from "vscode";
import { ok } from "../../src/base/result.ts";
import { DiffPreview } from "../../src/host/preview/diffPreview.ts";
import { editorsOf, proposalTabs } from "../../src/host/preview/diffTabs.ts";
import { ProposalStore } from "../../src/host/storage/proposalStore.ts";
import { createVscodeSmallFiles } from "../../src/host/storage/vscodeEventLog.ts";
import { VscodeWorkspace } from "../../src/host/workspace/vscodeWorkspace.ts";
import { createVscodeWorkspaceFiles } from "../../src/host/workspace/vscodeWorkspaceFiles.ts";
import type { Logger } from "../../src/ports/logger.ts";
import type {
  BlockOutcome,
  BlockWarning,
  Proposal,
  ProposedBlock,
  Review,
} from "../../src/ports/review.ts";
import type { FileError, FileRef } from "../../src/ports/workspace.ts";
import { hostNamed } from "../fakes/hostNamed.ts";
import { eventually, expectEqual, expectMatch } from "./expect.ts";
import { undoIn } from "./undoIn.ts";

const SCHEME = "graft-proposal-test";
const storageFails = () => {
  throw new Error("the storage fails");
};

const logger: Logger = {
  warn: (message) => console.log(message),
  error: (message) => console.log(message),
};
const memory: vscode.Memento = {
  keys: () => [],
  get: () => undefined,
  update: async () => undefined,
};

const ORIGINAL = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const PROPOSED = "ONE\ntwo\nthree\nFOUR\nfive\nsix\nSEVEN\n";
const THREE: Proposal = {
  text: PROPOSED,
  blocks: [
    block("first", PROPOSED, "ONE\n"),
    block("second", PROPOSED, "FOUR\n"),
    block("third", PROPOSED, "SEVEN\n"),
  ],
};

function block(
  blockId: string,
  text: string,
  part: string,
  warnings: readonly BlockWarning[] = [],
): ProposedBlock {
  const start = text.indexOf(part);
  return { blockId, start, end: start + part.length, warnings };
}

/** The same proposal for a text in which `from` reads `to`. */
function moved(from: string, to: string): Proposal {
  const text = PROPOSED.replace(from, to);
  return {
    text,
    blocks: [
      block("first", text, "ONE\n"),
      block("second", text, "FOUR\n"),
      block("third", text, "SEVEN\n"),
    ],
  };
}

function folder(): vscode.Uri {
  const first = vscode.workspace.workspaceFolders?.[0];
  if (!first) throw new Error("no folder is open");
  return first.uri;
}

/** What became of all blocks of a message. */
interface Decided {
  readonly blocks: readonly BlockOutcome[];
  readonly userDiff: string | null;
}

function fates(outcome: Pick<Decided, "blocks">): string[] {
  return outcome.blocks.map(({ blockId, status }) => `${blockId} ${status}`);
}

/** Waits until the document has the text. */
async function shows(document: vscode.TextDocument, text: string): Promise<void> {
  await eventually(
    () =>
      `${document.uri.path} to read ${JSON.stringify(text)}; it reads ${JSON.stringify(document.getText())}`,
    () => document.getText() === text,
  );
}

async function replaceIn(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const at = document.getText().indexOf(from);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(
    document.uri,
    new vscode.Range(document.positionAt(at), document.positionAt(at + from.length)),
    to,
  );
  expectEqual(await vscode.workspace.applyEdit(edit), true, `replacing ${from}`);
}

/** Types as the user does, where a word ends in the document of the focused editor. */
async function typeAtEndOf(
  document: vscode.TextDocument,
  word: string,
  text: string,
): Promise<void> {
  const before = document.getText();
  await eventually("the proposal to take typing", async () => {
    const active = vscode.window.activeTextEditor;
    if (active?.document !== document) return false;
    const end = document.positionAt(before.indexOf(word) + word.length);
    active.selection = new vscode.Selection(end, end);
    if (document.getText() === before) await vscode.commands.executeCommand("type", { text });
    return document.getText() !== before;
  });
}

/** The lenses on a document, as the editor asks for them. */
async function lensesOn(
  uri: vscode.Uri,
): Promise<{ readonly title: string; readonly args: readonly string[] }[]> {
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    uri,
    100,
  );
  return found.flatMap(({ command }) =>
    command ? [{ title: command.title, args: (command.arguments ?? []).map(String) }] : [],
  );
}

/** The arguments that the `index`th lens of this title gives its command: the file and the hunk. */
async function clicked(
  uri: vscode.Uri,
  title: string,
  index = 0,
): Promise<[string | undefined, string | undefined]> {
  const lens = (await lensesOn(uri)).filter((one) => one.title.startsWith(title))[index];
  if (!lens) throw new Error(`there is no lens ${title}`);
  return [lens.args[0], lens.args[1]];
}

suite("the preview", () => {
  const scratch = vscode.Uri.joinPath(folder(), "scratch-preview");
  let preview: DiffPreview;
  /** Why files cannot be written; by the path that it names only that one, `*` for all. */
  let refusal: FileError | null = null;
  let reviewSetting: "before" | "after" = "before";
  /** The texts before and after each change that reached a file. */
  let applied: [string | null, string | null][] = [];
  let files = 0;
  /** What became of each message's blocks so far, by its turn. */
  const reviews = new Map<
    string,
    { blocks: readonly BlockOutcome[]; over: (decided: Decided) => void }
  >();

  suiteSetup(() => {
    preview = open(SCHEME, ".proposals");
  });

  /** A preview that finds what another one left pending. */
  const restartable = (scheme: string) => open(scheme, ".restarted");

  function open(scheme: string, kept: string): DiffPreview {
    const workspace = {
      writable: async ({ path }: FileRef) =>
        refusal && ["*", path].includes(refusal.path) ? refusal : null,
      resolve: async (path: string) =>
        ok({ path, uri: vscode.Uri.joinPath(folder(), path).toString() }),
      read: (file: FileRef, signal: AbortSignal) => new VscodeWorkspace(null).read(file, signal),
    };
    return new DiffPreview({
      logger,
      settings: () => ({ inline: "never", review: reviewSetting }),
      memento: memory,
      workspace,
      operations: createVscodeWorkspaceFiles(new VscodeWorkspace(null), null),
      store: new ProposalStore(
        createVscodeSmallFiles(vscode.Uri.joinPath(scratch, kept)),
        logger,
        storageFails,
        { host: hostNamed("one") },
      ),
      events: {
        applied: (_origin, { before, after }) => applied.push([before, after]),
        decided: ({ turnId }, _path, changed, userDiff) => told(turnId, changed, userDiff),
        takenBack: (_origin, { before, after }) => applied.push([after, before ?? ""]),
      },
      scheme,
    });
  }

  function told(turnId: string, changed: readonly BlockOutcome[], userDiff: string | null): void {
    const review = reviews.get(turnId);
    if (!review) return;
    review.blocks = review.blocks.map(
      (block) => changed.find(({ blockId }) => blockId === block.blockId) ?? block,
    );
    const isOpen = ({ status, reason }: BlockOutcome) =>
      status === "pending" || (status === "conflict" && reason?.code === "edited-meanwhile");
    if (!review.blocks.some(isOpen)) review.over({ blocks: review.blocks, userDiff });
  }

  suiteTeardown(async () => {
    preview.dispose();
    await vscode.workspace.fs.delete(scratch, { recursive: true });
  });

  teardown(async () => {
    refusal = null;
    reviewSetting = "before";
    applied = [];
    await eventually("every review to end", () => preview.pendingPaths.length === 0);
    await eventually(
      "every diff to close",
      () => proposalTabs((uri) => uri.scheme === SCHEME).length === 0,
    );
    for (const document of vscode.workspace.textDocuments)
      if (document.isDirty && !document.isClosed) await document.save();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  const relative = (uri: vscode.Uri) => vscode.workspace.asRelativePath(uri, false);
  const freshUri = (folder = "") => vscode.Uri.joinPath(scratch, folder, `file-${++files}.txt`);

  function reviewOf(uri: vscode.Uri, document: vscode.TextDocument | null): Review {
    const path = vscode.workspace.asRelativePath(uri, false);
    const text = document?.getText() ?? "";
    const version = document?.version ?? 0;
    const file = { path, uri: uri.toString() };
    const snapshot = { file, exists: document !== null, text, version, languageId: "plaintext" };
    return preview.open(snapshot, { chatId: "chat", turnId: `turn-${files}`, callId: "call" });
  }

  /** The document in the diff of a file's proposal, once it is shown. */
  async function proposalOf(uri: vscode.Uri, scheme = SCHEME): Promise<vscode.TextDocument> {
    const name = uri.path.slice(uri.path.lastIndexOf("/"));
    const tab = await eventually(
      `the diff of ${name}`,
      () => proposalTabs((shown) => shown.scheme === scheme && shown.path.endsWith(name))[0],
    );
    const { input } = tab;
    const shown =
      input instanceof vscode.TabInputTextDiff
        ? input.modified
        : input instanceof vscode.TabInputText
          ? input.uri
          : null;
    if (!shown) throw new Error("the proposal is not shown");
    return (await eventually(`the editor of ${name}`, () => editorsOf(shown)[0])).document;
  }

  /** What is decided in the message whose file was made last, as `block status`. */
  const decidedNow = () => {
    const { blocks } = reviews.get(`turn-${files}`) ?? { blocks: [] };
    return blocks
      .filter(({ status }) => status !== "pending")
      .map(({ blockId, status }) => `${blockId} ${status}`);
  };

  /** Makes a file and starts its review. */
  async function begin(text = ORIGINAL, folder = "") {
    const uri = freshUri(folder);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    const document = await vscode.workspace.openTextDocument(uri);
    return { uri, document, review: reviewOf(uri, document) };
  }

  /** Completes the message about the file that was made last; settles when all of it is decided. */
  async function propose(review: Review, proposal: Proposal, stopped = false): Promise<Decided> {
    const turnId = `turn-${files}`;
    const decided = new Promise<Decided>((resolve) =>
      reviews.set(turnId, { blocks: [], over: resolve }),
    );
    const { blocks } = await review.propose(proposal, stopped);
    const known = reviews.get(turnId);
    if (known) known.blocks = blocks;
    told(turnId, [], null);
    return decided;
  }

  /** Completes the proposal and waits until it can be decided. */
  async function complete(
    uri: vscode.Uri,
    review: Review,
    proposal: Proposal,
    text = proposal.text,
  ) {
    const done = propose(review, proposal);
    const proposed = await proposalOf(uri);
    await shows(proposed, text);
    await eventually("the lenses", async () =>
      (await lensesOn(proposed.uri)).some(({ title }) => title.startsWith("Accept file")),
    );
    await eventually(
      "the message to be on record",
      () => (reviews.get(`turn-${files}`)?.blocks.length ?? 0) > 0,
    );
    return { done, proposed };
  }

  /** Completes the proposal, whether or not it is shown. */
  async function pend(review: Review, proposal: Proposal): Promise<void> {
    void propose(review, proposal);
    await eventually(
      "the message to be on record",
      () => (reviews.get(`turn-${files}`)?.blocks.length ?? 0) > 0,
    );
  }

  test("grows while the answer streams, stays saved, and does not touch the file", async () => {
    const { uri, document, review } = await begin();
    let unsaved = 0;
    const watch = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document.uri.scheme === SCHEME && event.document.isDirty) unsaved++;
    });
    for (const head of ["ONE\n", "\u{1f600}\ntwo!\n", "\u{1f60e}\ntwo!\nthree!\n"]) {
      const text = head + ORIGINAL.slice(4);
      review.update(() => ({ text, blocks: [block("first", text, head)] }));
      await shows(await proposalOf(uri), text);
    }
    const { done } = await complete(uri, review, THREE);
    expectEqual(unsaved, 0, "changes that made the proposal unsaved");
    expectEqual(document.getText(), ORIGINAL, "the file while the proposal waits");
    watch.dispose();
    await preview.commands.rejectFile(uri.toString());
    expectEqual(
      fates(await done),
      ["first rejected", "second rejected", "third rejected"],
      "the outcome",
    );
    expectEqual(document.getText(), ORIGINAL, "the file after it");
  });

  test("leaves no diff open when the proposal is rejected while it opens", async () => {
    const { uri, review } = await begin();
    let opened = 0;
    const watch = vscode.window.tabGroups.onDidChangeTabs((event) => {
      opened += event.opened.filter(({ input }) => input instanceof vscode.TabInputTextDiff).length;
    });
    const done = propose(review, THREE);
    await eventually(
      "the proposal to be pending",
      () => decidedNow().length === 0 && preview.pendingPaths.length > 0,
    );
    await preview.commands.rejectFile(uri.toString());
    await done;
    await eventually("the diff to be opened", () => opened > 0);
    await eventually(
      "the diff to be closed",
      () => proposalTabs(({ scheme }) => scheme === SCHEME).length === 0,
    );
    watch.dispose();
  });

  test("accepts and rejects single hunks, each accept as one undo step", async () => {
    const { uri, document, review } = await begin();
    const { done, proposed } = await complete(uri, review, THREE);
    await preview.commands.acceptHunk(...(await clicked(proposed.uri, "✓ Accept")));
    expectEqual(
      document.getText(),
      ORIGINAL.replace("one", "ONE"),
      "the file after the first accept",
    );
    await preview.commands.rejectHunk(...(await clicked(proposed.uri, "✗ Reject")));
    await shows(proposed, PROPOSED.replace("FOUR", "four"));
    expectEqual(
      decidedNow(),
      ["first applied", "second rejected"],
      "what is known before the last decision",
    );
    await preview.commands.acceptFile(...(await clicked(proposed.uri, "Accept file")).slice(0, 1));
    expectEqual(
      fates(await done),
      ["first applied", "second rejected", "third applied"],
      "the outcome",
    );
    expectEqual(document.getText(), "ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n", "the file");
    await undoIn(uri);
    expectEqual(document.getText(), ORIGINAL.replace("one", "ONE"), "the file after one undo");
    await undoIn(uri);
    expectEqual(document.getText(), ORIGINAL, "the file after two undos");
  });

  test("can be decided by commands alone, starting at the first hunk", async () => {
    const { uri, document, review } = await begin();
    const { done } = await complete(uri, review, THREE);
    const lineIs = (line: number, what: string) =>
      eventually(what, () => vscode.window.activeTextEditor?.selection.active.line === line);
    await preview.commands.step("next");
    await lineIs(0, "the line of the first change");
    await preview.commands.acceptHunk();
    await lineIs(3, "the line after an accept");
    await preview.commands.rejectHunk();
    await lineIs(6, "the line after a reject");
    await preview.commands.acceptHunk();
    expectEqual(
      fates(await done),
      ["first applied", "second rejected", "third applied"],
      "the outcome",
    );
    expectEqual(document.getText(), "ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n", "the file");
  });

  test("accepts a whole file in one undo step without saving it", async () => {
    const { uri, document, review } = await begin();
    let saves = 0;
    const watch = vscode.workspace.onWillSaveTextDocument(() => saves++);
    const { done } = await complete(uri, review, THREE);
    await preview.commands.acceptFile(uri.toString());
    expectEqual(
      fates(await done),
      ["first applied", "second applied", "third applied"],
      "the outcome",
    );
    expectEqual(document.getText(), PROPOSED, "the file");
    expectEqual(saves, 0, "saves");
    watch.dispose();
    await undoIn(uri);
    expectEqual(document.getText(), ORIGINAL, "the file after one undo");
  });

  test("makes an accepted hunk pending again when it is undone before the last decision", async () => {
    const { uri, document, review } = await begin();
    const { done, proposed } = await complete(uri, review, THREE);
    await preview.commands.acceptHunk(...(await clicked(proposed.uri, "✓ Accept")));
    await undoIn(uri);
    expectEqual(document.getText(), ORIGINAL, "the file after undo");
    expectEqual(
      (await lensesOn(proposed.uri)).filter(({ title }) => title === "✓ Accept").length,
      3,
      "pending changes",
    );
    expectEqual(decidedNow(), [], "decisions that still stand");
    await preview.commands.acceptAll();
    expectEqual(
      fates(await done),
      ["first applied", "second applied", "third applied"],
      "the outcome",
    );
  });

  test("is read-only while it streams, then keeps and reports the user's edits", async () => {
    const { uri, document, review } = await begin();
    const head = ORIGINAL.replace("one", "ONE");
    review.update(() => ({ text: head, blocks: [block("first", head, "ONE\n")] }));
    const proposed = await proposalOf(uri);
    await shows(proposed, head);
    await preview.commands.show(uri.toString());
    await vscode.commands.executeCommand("type", { text: "mine" });
    const { done } = await complete(uri, review, THREE);
    await typeAtEndOf(proposed, "five", " // mine");
    await eventually("the typed text to be saved", () => !proposed.isDirty);
    await preview.commands.acceptFile(uri.toString());
    const outcome = await done;
    expectEqual(document.getText(), PROPOSED.replace("five", "five // mine"), "the file");
    expectMatch(outcome.userDiff, /\+five \/\/ mine/, "the user's own change");
  });

  test("is not changed by saving, and no save counts as the user's edit", async () => {
    const setting = vscode.workspace.getConfiguration("files");
    await setting.update("trimTrailingWhitespace", true, vscode.ConfigurationTarget.Global);
    try {
      const { uri, document, review } = await begin(ORIGINAL.replace("two", "two  "));
      const { done, proposed } = await complete(uri, review, moved("two", "two  "));
      await preview.commands.show(uri.toString());
      await typeAtEndOf(proposed, "five", " // mine");
      await proposed.save();
      await shows(proposed, PROPOSED.replace("five", "five // mine"));
      await preview.commands.acceptFile(uri.toString());
      const outcome = await done;
      expectEqual(
        document.getText(),
        PROPOSED.replace("two", "two  ").replace("five", "five // mine"),
        "the file",
      );
      expectMatch(outcome.userDiff, /^(?!.*two).*\+five \/\/ mine/s, "the user's own change alone");
    } finally {
      await setting.update("trimTrailingWhitespace", undefined, vscode.ConfigurationTarget.Global);
    }
  });

  test("counts a hunk that the user reverts in the proposal as rejected", async () => {
    const { uri, document, review } = await begin();
    const { done, proposed } = await complete(uri, review, THREE);
    await replaceIn(proposed, "FOUR", "four");
    await eventually(
      "one change less",
      async () =>
        (await lensesOn(proposed.uri)).filter(({ title }) => title === "✓ Accept").length === 2,
    );
    await preview.commands.acceptFile(uri.toString());
    expectEqual(
      fates(await done),
      ["first applied", "second rejected", "third applied"],
      "the outcome",
    );
    expectEqual(document.getText(), PROPOSED.replace("FOUR", "four"), "the file");
  });

  test("follows the user's edits outside its hunks, and shows a conflict inside them", async () => {
    const { uri, document, review } = await begin();
    const { done, proposed } = await complete(uri, review, THREE);
    await replaceIn(document, "six\n", "six\nsix and a half\n");
    await shows(proposed, PROPOSED.replace("six\n", "six\nsix and a half\n"));
    await replaceIn(document, "four", "4");
    await eventually("the caution", async () =>
      (await lensesOn(proposed.uri)).some(({ title }) => title.startsWith("⚠")),
    );
    expectEqual(decidedNow(), ["second conflict"], "what the card shows meanwhile");
    await preview.commands.acceptFile(uri.toString());
    expectEqual(
      document.getText(),
      "ONE\ntwo\nthree\n4\nfive\nsix\nsix and a half\nSEVEN\n",
      "the file without the conflict",
    );
    await preview.commands.rejectFile(uri.toString());
    expectEqual(
      fates(await done),
      ["first applied", "second rejected", "third applied"],
      "the outcome",
    );
  });

  test("accept all skips hunks with warnings", async () => {
    const { uri, document, review } = await begin();
    const text = ORIGINAL.replace("one", "ONE").replace("seven", "SEVEN");
    const blocks = [
      block("first", text, "ONE\n"),
      block("risky", text, "SEVEN\n", [{ code: "syntax" }]),
    ];
    const { done, proposed } = await complete(uri, review, { text, blocks });
    await preview.commands.acceptAll();
    expectEqual(document.getText(), ORIGINAL.replace("one", "ONE"), "the file");
    await preview.commands.acceptHunk(...(await clicked(proposed.uri, "✓ Accept")));
    expectEqual(fates(await done), ["first applied", "risky applied"], "the outcome");
  });

  test("takes an accept of all files back where it failed half way", async () => {
    const one = await begin();
    await pend(one.review, THREE);
    const turn = `turn-${files}`;
    const created = freshUri();
    const text = "new\n";
    await pend(reviewOf(created, null), { text, blocks: [block("made", text, text)] });
    const locked = await begin();
    await pend(locked.review, THREE);
    refusal = { code: "read-only", path: relative(locked.uri) };
    await vscode.commands.executeCommand("notifications.clearAll");
    await preview.commands.acceptAll();
    expectEqual(preview.pendingPaths, [relative(locked.uri)], "what is still pending");
    expectEqual(one.document.getText(), PROPOSED, "the file that was changed");
    await eventually("the accept to be taken back", async () => {
      if (one.document.getText() !== ORIGINAL)
        await vscode.commands.executeCommand("notification.acceptPrimaryAction");
      return one.document.getText() === ORIGINAL;
    });
    await eventually("all proposals to be pending again", () => preview.allPending().length === 3);
    const known = () => fates(reviews.get(turn) ?? { blocks: [] }).join();
    await eventually(
      "the chat to know it",
      () => known() === "first pending,second pending,third pending",
    );
    expectEqual(
      await vscode.workspace.fs.stat(created).then(
        () => "there",
        () => "gone",
      ),
      "gone",
      "the created file",
    );
    expectEqual(
      applied.slice(2),
      [
        [PROPOSED, ORIGINAL],
        [text, ""],
      ],
      "what was taken back",
    );
    refusal = null;
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

  suite("with review after changes are applied", () => {
    setup(() => {
      reviewSetting = "after";
    });

    test("applies at once in one undo step, without a diff or a save", async () => {
      const { uri, document, review } = await begin();
      review.update(() => THREE);
      const outcome = await propose(review, THREE);
      expectEqual(
        fates(outcome),
        ["first applied", "second applied", "third applied"],
        "the outcome",
      );
      expectEqual(document.getText(), PROPOSED, "the file");
      await eventually("the file to be left for the user to save", () => document.isDirty);
      expectEqual(applied, [[ORIGINAL, PROPOSED]], "the changes on record");
      await undoIn(uri);
      expectEqual(document.getText(), ORIGINAL, "the file after one undo");
    });

    test("still asks about a hunk with a warning", async () => {
      const { uri, document, review } = await begin();
      const text = ORIGINAL.replace("one", "ONE").replace("seven", "SEVEN");
      const blocks = [
        block("first", text, "ONE\n"),
        block("risky", text, "SEVEN\n", [{ code: "syntax" }]),
      ];
      const { done, proposed } = await complete(uri, review, { text, blocks });
      await shows(document, ORIGINAL.replace("one", "ONE"));
      await preview.commands.rejectHunk(...(await clicked(proposed.uri, "✗ Reject")));
      expectEqual(fates(await done), ["first applied", "risky rejected"], "the outcome");
    });

    test("still asks about editor configuration", async () => {
      const { uri, document, review } = await begin(ORIGINAL, ".vscode");
      const { done } = await complete(uri, review, THREE);
      expectEqual(document.getText(), ORIGINAL, "the file");
      await preview.commands.rejectFile(uri.toString());
      expectEqual(
        fates(await done),
        ["first rejected", "second rejected", "third rejected"],
        "the outcome",
      );
    });

    test("still asks about a conflict", async () => {
      const { uri, document, review } = await begin();
      review.update(() => THREE);
      await proposalOf(uri);
      await replaceIn(document, "four", "4");
      const { done } = await complete(uri, review, THREE);
      await shows(document, "ONE\ntwo\nthree\n4\nfive\nsix\nSEVEN\n");
      await preview.commands.rejectFile(uri.toString());
      expectEqual(
        fates(await done),
        ["first applied", "second rejected", "third applied"],
        "the outcome",
      );
    });

    test("changes nothing when the turn stopped or the file is read-only", async () => {
      const stopped = await begin();
      const left = propose(stopped.review, THREE, true);
      await proposalOf(stopped.uri);
      await preview.commands.rejectFile(stopped.uri.toString());
      expectEqual(
        fates(await left),
        ["first rejected", "second rejected", "third rejected"],
        "the outcome of a stop",
      );
      refusal = { code: "untrusted", path: "*" };
      const { uri, document, review } = await begin();
      const { done } = await complete(uri, review, THREE);
      expectEqual(
        [stopped.document.getText(), document.getText()],
        [ORIGINAL, ORIGINAL],
        "the files",
      );
      expectEqual(applied, [], "the changes on record");
      await preview.commands.rejectAll();
      await done;
    });
  });

  test("creates a file and its folders on accept, and nothing on reject", async () => {
    const text = "first line\nsecond line\n";
    const proposal: Proposal = { text, blocks: [block("whole", text, text)] };
    const rejected = vscode.Uri.joinPath(scratch, "never", `file-${++files}.txt`);
    const no = await complete(rejected, reviewOf(rejected, null), proposal);
    await preview.commands.rejectFile(rejected.toString());
    const refused = await no.done;
    expectEqual(fates(refused), ["whole rejected"], "the outcome of a reject");
    const created = vscode.Uri.joinPath(scratch, "deep", "er [id]", `file-${++files}.txt`);
    const yes = await complete(created, reviewOf(created, null), proposal);
    await preview.commands.acceptHunk(...(await clicked(yes.proposed.uri, "✓ Accept")));
    const outcome = await yes.done;
    expectEqual(fates(outcome), ["whole applied"], "the outcome of an accept");
    expectEqual(
      new TextDecoder().decode(await vscode.workspace.fs.readFile(created)),
      text,
      "the file on disk",
    );
    const there = await vscode.workspace.fs.readDirectory(scratch);
    expectEqual(
      there.some(([name]) => name === "never"),
      false,
      "a folder for a rejected file",
    );
  });

  test("is withdrawn when the file is deleted", async () => {
    // A unique text: a new file with the same one would count as this file, moved.
    const { uri, review } = await begin(`${ORIGINAL}of one file only\n`);
    const { done } = await complete(uri, review, {
      ...THREE,
      text: `${PROPOSED}of one file only\n`,
    });
    await vscode.workspace.fs.delete(uri);
    const outcome = await done;
    expectEqual(
      fates(outcome),
      ["first rejected", "second rejected", "third rejected"],
      "the outcome",
    );
    expectEqual(outcome.blocks[0]?.reason, { code: "file-gone" }, "the reason");
  });

  test("treats a change on disk as the user's edit", async () => {
    const { uri, document, review } = await begin();
    const { done, proposed } = await complete(uri, review, THREE);
    await vscode.workspace.fs.writeFile(
      uri,
      new TextEncoder().encode(ORIGINAL.replace("two", "two, from outside")),
    );
    await shows(proposed, PROPOSED.replace("two", "two, from outside"));
    await preview.commands.acceptFile(uri.toString());
    await done;
    expectEqual(document.getText(), PROPOSED.replace("two", "two, from outside"), "the file");
  });

  test("changes nothing in a read-only file and stays pending", async () => {
    const { uri, document, review } = await begin();
    const { done } = await complete(uri, review, THREE);
    refusal = { code: "read-only", path: "*" };
    await preview.commands.acceptFile(uri.toString());
    expectEqual(document.getText(), ORIGINAL, "the file");
    expectEqual(preview.pendingPaths.length, 1, "pending files");
    await preview.commands.rejectFile(uri.toString());
    await done;
  });

  test("keeps CRLF line ends byte for byte", async () => {
    const { uri, document, review } = await begin(ORIGINAL.replaceAll("\n", "\r\n"));
    const { done } = await complete(uri, review, THREE, PROPOSED.replaceAll("\n", "\r\n"));
    await preview.commands.acceptFile(uri.toString());
    await done;
    await document.save();
    const bytes = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    expectEqual(bytes, PROPOSED.replaceAll("\n", "\r\n"), "the file on disk");
  });

  test("keeps emoji whole in the editor that has the focus", async () => {
    const { uri, document, review } = await begin(
      "\u{1f600} one\n\u{1f600} two\nthree\n\u{1f600} four\n",
    );
    const text = "\u{1f469} one\n\u{1f600} two\nthree\n\u{1f469} 4\n";
    const { done, proposed } = await complete(uri, review, {
      text,
      blocks: [block("all", text, text)],
    });
    await vscode.window.showTextDocument(proposed);
    await preview.commands.rejectHunk(...(await clicked(proposed.uri, "✗ Reject")));
    await shows(proposed, "\u{1f600} one\n\u{1f600} two\nthree\n\u{1f469} 4\n");
    await vscode.window.showTextDocument(document);
    await preview.commands.acceptFile(uri.toString());
    await done;
    expectEqual(
      document.getText(),
      "\u{1f600} one\n\u{1f600} two\nthree\n\u{1f469} 4\n",
      "the file",
    );
  });

  test("stays pending when its diff is closed, and can be shown again", async () => {
    const { uri, document, review } = await begin();
    const { done, proposed } = await complete(uri, review, THREE);
    await replaceIn(proposed, "two", "two // mine");
    await eventually("the typed text to be safe", () => !proposed.isDirty);
    await vscode.window.tabGroups.close(proposalTabs(({ scheme }) => scheme === SCHEME));
    expectEqual(preview.pendingPaths.length, 1, "pending files");
    await preview.commands.show();
    await shows(await proposalOf(uri), PROPOSED.replace("two", "two // mine"));
    await preview.commands.acceptFile(uri.toString());
    await done;
    expectEqual(document.getText(), PROPOSED.replace("two", "two // mine"), "the file");
  });

  test("takes a second message's changes into the same proposal, with what the user typed in it", async () => {
    const { uri, document, review } = await begin();
    const { done, proposed } = await complete(uri, review, THREE);
    await preview.commands.show(uri.toString());
    await typeAtEndOf(proposed, "five", " // mine");
    const file = { path: vscode.workspace.asRelativePath(uri, false), uri: uri.toString() };
    const seen = await eventually("the proposal with the typed text", () => {
      const text = preview.pending(file)?.text ?? "";
      return text.includes("// mine") ? text : null;
    });
    const second = preview.open(
      { file, exists: true, text: seen, version: 0, languageId: "plaintext" },
      { chatId: "chat", turnId: "second", callId: "call" },
    );
    const text = seen.replace("two", "TWO");
    second.update(() => ({ text, blocks: [block("first", text, "TWO\n")] }));
    await shows(proposed, text);
    const { blocks } = await second.propose(
      { text, blocks: [block("first", text, "TWO\n")] },
      false,
    );
    expectEqual(
      blocks.map(({ blockId, status }) => `${blockId} ${status}`),
      ["first pending"],
      "the second message",
    );
    expectEqual(document.getText(), ORIGINAL, "the file meanwhile");
    await preview.commands.acceptFile(uri.toString());
    expectEqual(
      fates(await done),
      ["first applied", "second applied", "third applied"],
      "the outcome of the first",
    );
    expectEqual(
      document.getText(),
      PROPOSED.replace("two", "TWO").replace("five", "five // mine"),
      "the file",
    );
  });

  test("is there again after a restart, with the user's typing, on the file as it is then", async () => {
    const before = restartable(`${SCHEME}-before`);
    const uri = freshUri();
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(ORIGINAL));
    const file = { path: vscode.workspace.asRelativePath(uri, false), uri: uri.toString() };
    const snapshot = { file, exists: true, text: ORIGINAL, version: 1, languageId: "plaintext" };
    await before
      .open(snapshot, { chatId: "chat", turnId: "restarted", callId: "call" })
      .propose(THREE, false);
    const shown = await proposalOf(uri, `${SCHEME}-before`);
    await shows(shown, PROPOSED);
    await before.commands.show(uri.toString());
    await typeAtEndOf(shown, "five", " // mine");
    await eventually(
      "the typed text to be known",
      () => before.pending(file)?.text.includes("// mine") === true,
    );
    await before.kept();
    before.dispose();
    await vscode.workspace.fs.writeFile(
      uri,
      new TextEncoder().encode(ORIGINAL.replace("two", "2").replace("seven", "7")),
    );
    const after = restartable(`${SCHEME}-after`);
    await after.load();
    expectEqual(after.pendingPaths, [file.path], "pending files");
    await eventually(
      "the file's changes",
      () => after.pending(file)?.text.includes("\n2\n") === true,
    );
    await after.commands.acceptFile(uri.toString());
    const document = await vscode.workspace.openTextDocument(uri);
    expectEqual(
      document.getText(),
      "ONE\n2\nthree\nFOUR\nfive // mine\nsix\n7\n",
      "the file with all but the conflict",
    );
    await after.commands.rejectFile(uri.toString());
    await after.kept();
    const again = restartable(`${SCHEME}-again`);
    await again.load();
    expectEqual(again.pendingPaths, [], "pending files once all is decided");
    for (const one of [after, again]) one.dispose();
    await document.save();
  });

  suite("when the file moves or is reloaded", () => {
    /** Renames in VS Code, as the Explorer does. */
    async function renameInEditor(from: vscode.Uri, to: vscode.Uri): Promise<void> {
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(from, to);
      expectEqual(await vscode.workspace.applyEdit(edit), true, "renaming");
    }

    /** Everything is accepted at the new place, and the outcome names it. */
    async function goesOnAt(uri: vscode.Uri, done: Promise<Decided>): Promise<void> {
      await eventually("the review to follow", () => preview.pendingPaths[0] === relative(uri));
      const originals = () =>
        // VS Code opens unsaved text alone, in the background, where no editor shows it meanwhile.
        proposalTabs((shown) => shown.scheme === SCHEME).flatMap(({ input }) =>
          input instanceof vscode.TabInputTextDiff ? [input.original.toString()] : [],
        );
      await eventually(
        () => `the diff to follow to ${uri.toString()}; there are ${originals().join()}`,
        () => originals().length === 1 && originals()[0] === uri.toString(),
      );
      await preview.commands.acceptFile(uri.toString());
      expectEqual(
        fates(await done),
        ["first applied", "second applied", "third applied"],
        "the outcome",
      );
      const document = await vscode.workspace.openTextDocument(uri);
      expectEqual(document.getText(), PROPOSED, "the file at its new place");
    }

    test("follows a file renamed in VS Code, with the user's edits", async () => {
      const { uri, document, review } = await begin();
      const { done } = await complete(uri, review, THREE);
      await replaceIn(document, "two", "2");
      await replaceIn(document, "2", "two");
      const to = freshUri();
      await renameInEditor(uri, to);
      await goesOnAt(to, done);
    });

    test("ends where a file is deleted after VS Code failed to rename it", async () => {
      const { uri, review } = await begin();
      const { done } = await complete(uri, review, THREE);
      const other = freshUri();
      await vscode.workspace.fs.writeFile(other, new TextEncoder().encode("no folder\n"));
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(uri, vscode.Uri.joinPath(other, "file.txt"));
      const moved = await Promise.resolve(vscode.workspace.applyEdit(edit)).catch(() => false);
      expectEqual(moved, false, "renaming");
      await vscode.workspace.fs.delete(uri);
      await eventually("the proposal to end", () => preview.pendingPaths.length === 0);
      expectEqual(fates(await done).length, 3, "blocks that are told of");
    });

    test("follows a file whose folder is renamed in VS Code", async () => {
      const from = vscode.Uri.joinPath(scratch, `folder-${++files}`);
      const to = vscode.Uri.joinPath(scratch, `folder-${++files}`);
      const uri = vscode.Uri.joinPath(from, `file-${++files}.txt`);
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(ORIGINAL));
      const { done } = await complete(
        uri,
        reviewOf(uri, await vscode.workspace.openTextDocument(uri)),
        THREE,
      );
      await renameInEditor(from, to);
      await goesOnAt(vscode.Uri.joinPath(to, uri.path.slice(uri.path.lastIndexOf("/"))), done);
    });

    test("stays with a file that is deleted and recreated at once", async () => {
      const { uri, document, review } = await begin();
      const { done } = await complete(uri, review, THREE);
      const other = await begin();
      await pend(other.review, THREE);
      await vscode.workspace.fs.delete(uri);
      await vscode.workspace.fs.writeFile(
        uri,
        new TextEncoder().encode(ORIGINAL.replace("five", "5")),
      );
      await shows(document, ORIGINAL.replace("five", "5"));
      // Graft hears of this file after the other, and waits as long for it.
      await vscode.workspace.fs.delete(other.uri);
      await eventually(
        "the proposal of a deleted file to end",
        () => !preview.pendingPaths.includes(relative(other.uri)),
      );
      expectEqual(preview.pendingPaths, [relative(uri)], "pending files");
      await preview.commands.acceptFile(uri.toString());
      expectEqual(
        fates(await done),
        ["first applied", "second applied", "third applied"],
        "the outcome",
      );
      expectEqual(document.getText(), PROPOSED.replace("five", "5"), "the file");
    });

    test("does not treat changed line ends as the user's edits", async () => {
      const { uri, document, review } = await begin();
      const { done } = await complete(uri, review, THREE);
      const editor = await vscode.window.showTextDocument(document);
      expectEqual(
        await editor.edit((change) => change.setEndOfLine(vscode.EndOfLine.CRLF)),
        true,
        "switching the line ends",
      );
      await preview.commands.acceptFile(uri.toString());
      expectEqual(
        fates(await done),
        ["first applied", "second applied", "third applied"],
        "the outcome",
      );
      expectEqual(document.getText(), PROPOSED.replaceAll("\n", "\r\n"), "the file");
      expectEqual(applied.at(-1)?.[1], PROPOSED.replaceAll("\n", "\r\n"), "the change on record");
    });

    test("continues when the file is reopened with another encoding", async () => {
      const { uri, review } = await begin(ORIGINAL.replace("two", "zwölf"));
      const { done, proposed } = await complete(uri, review, moved("two", "zwölf"));
      const document = await vscode.workspace.openTextDocument(uri, { encoding: "windows1252" });
      await shows(proposed, PROPOSED.replace("two", "zwÃ¶lf"));
      await preview.commands.acceptFile(uri.toString());
      expectEqual(
        fates(await done),
        ["first applied", "second applied", "third applied"],
        "the outcome",
      );
      await document.save();
      const bytes = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      expectEqual(bytes, PROPOSED.replace("two", "zwölf"), "the file on disk");
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
      await preview.commands.acceptFile(uri.toString());
      expectEqual(
        fates(await done),
        ["first applied", "second applied", "third applied"],
        "the outcome",
      );
      expectEqual((await vscode.workspace.openTextDocument(uri)).getText(), PROPOSED, "the file");
    });

    test("shifts hunks or shows a conflict for what another window just wrote", async () => {
      const { uri, document, review } = await begin();
      const { done, proposed } = await complete(uri, review, THREE);
      const four = await clicked(proposed.uri, "✓ Accept", 1);
      await vscode.workspace.fs.writeFile(
        uri,
        new TextEncoder().encode(`zero\n${ORIGINAL.replace("four", "4")}`),
      );
      await preview.commands.acceptHunk(...four);
      expectEqual(
        document.getText(),
        `zero\n${ORIGINAL.replace("four", "4")}`,
        "the file with the other window's text",
      );
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
});
