import * as vscode from "vscode";
import { ok } from "../../src/base/result.ts";
import { DiffPreview } from "../../src/host/preview/diffPreview.ts";
import { editorsOf, proposalTabs } from "../../src/host/preview/diffTabs.ts";
import { createVscodeSmallFiles } from "../../src/host/storage/vscodeEventLog.ts";
import { VscodeWorkspace } from "../../src/host/workspace/vscodeWorkspace.ts";
import { createVscodeWorkspaceFiles } from "../../src/host/workspace/vscodeWorkspaceFiles.ts";
import type {
  BlockOutcome,
  BlockWarning,
  Proposal,
  ProposedBlock,
  Review,
} from "../../src/ports/review.ts";
import type { FileError, FileRef } from "../../src/ports/workspace.ts";
import { ProposalStore } from "../../src/review/storage/proposalStore.ts";
import { hostNamed } from "../fakes/hostNamed.ts";
import { eventually, expectEqual } from "./expect.ts";
import { folder, lensesOn, logger, memento, writeText } from "./window.ts";

export const ORIGINAL = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
export const PROPOSED = "ONE\ntwo\nthree\nFOUR\nfive\nsix\nSEVEN\n";
export const THREE: Proposal = proposalOfThree(PROPOSED);

/** Three changes that make this text. */
export function proposalOfThree(text: string): Proposal {
  const parts = { first: "ONE\n", second: "FOUR\n", third: "SEVEN\n" };
  return { text, blocks: Object.entries(parts).map(([id, part]) => block(id, text, part)) };
}

export function block(
  blockId: string,
  text: string,
  part: string,
  warnings: readonly BlockWarning[] = [],
): ProposedBlock {
  const start = text.indexOf(part);
  return { blockId, start, end: start + part.length, warnings };
}

/** What became of all blocks of a message. */
export interface Decided {
  readonly blocks: readonly BlockOutcome[];
  readonly userDiff: string | null;
}

export function fates({ blocks }: Pick<Decided, "blocks">): string[] {
  return blocks.map(({ blockId, status }) => `${blockId} ${status}`);
}

/** Waits until the document has the text. */
export async function shows(document: vscode.TextDocument, text: string): Promise<void> {
  await eventually(
    () =>
      `${document.uri.path} to read ${JSON.stringify(text)}; it reads ${JSON.stringify(document.getText())}`,
    () => document.getText() === text,
  );
}

export async function replaceIn(
  document: vscode.TextDocument,
  from: string,
  to: string,
): Promise<void> {
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
export async function typeAtEndOf(
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

/** The arguments that the `index`th lens of this title gives its command: the file and the hunk. */
export async function clicked(
  uri: vscode.Uri,
  title: string,
  index = 0,
): Promise<[string | undefined, string | undefined]> {
  const lens = (await lensesOn(uri)).filter((one) => one.title.startsWith(title))[index];
  if (!lens) throw new Error(`there is no lens ${title}`);
  return [lens.args[0], lens.args[1]];
}

export const relative = (uri: vscode.Uri) => vscode.workspace.asRelativePath(uri, false);

/** A preview over real files, for the suite that calls this; `name` tells it from others. */
export function previewFixture(name: string) {
  const scheme = `graft-proposal-${name}`;
  const scratch = vscode.Uri.joinPath(folder(), `scratch-${name}`);
  let preview: DiffPreview;
  let files = 0;
  /** What became of each message's blocks so far, by its turn. */
  const reviews = new Map<
    string,
    { blocks: readonly BlockOutcome[]; over: (decided: Decided) => void }
  >();
  const state = {
    /** Why files cannot be written; by the path that it names only that one, `*` for all. */
    refusal: null as FileError | null,
    review: "before" as "before" | "after",
    /** The texts before and after each change that reached a file. */
    applied: [] as (readonly [string | null, string | null])[],
  };

  /** A preview that keeps its proposals in the folder `kept`, where another one finds them. */
  function open(ownScheme: string, kept: string): DiffPreview {
    return new DiffPreview({
      logger,
      settings: () => ({ inline: "never", review: state.review }),
      memento,
      workspace: {
        writable: async ({ path }: FileRef) =>
          state.refusal && ["*", path].includes(state.refusal.path) ? state.refusal : null,
        resolve: async (path: string) =>
          ok({ path, uri: vscode.Uri.joinPath(folder(), path).toString() }),
        read: (file: FileRef, signal: AbortSignal) => new VscodeWorkspace(null).read(file, signal),
      },
      files: createVscodeWorkspaceFiles(new VscodeWorkspace(null), null),
      store: new ProposalStore(
        createVscodeSmallFiles(vscode.Uri.joinPath(scratch, kept)),
        logger,
        () => {
          throw new Error("the storage fails");
        },
        { host: hostNamed("one") },
      ),
      events: {
        applied: (_origin, { before, after }) => void state.applied.push([before, after]),
        decided: ({ turnId }, _path, changed, userDiff) => told(turnId, changed, userDiff),
        takenBack: (_origin, { before, after }) => void state.applied.push([after, before ?? ""]),
      },
      scheme: ownScheme,
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

  const diffs = () => proposalTabs((uri) => uri.scheme === scheme);

  suiteSetup(() => {
    preview = open(scheme, ".proposals");
  });

  suiteTeardown(async () => {
    preview.dispose();
    await vscode.workspace.fs.delete(scratch, { recursive: true });
  });

  teardown(async () => {
    Object.assign(state, { refusal: null, review: "before", applied: [] });
    await eventually("every review to end", () => preview.proposals.pendingPaths.length === 0);
    await eventually("every diff to close", () => diffs().length === 0);
    for (const document of vscode.workspace.textDocuments)
      if (document.isDirty && !document.isClosed) await document.save();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  const freshUri = (below = "") => vscode.Uri.joinPath(scratch, below, `file-${++files}.txt`);

  function reviewOf(uri: vscode.Uri, document: vscode.TextDocument | null): Review {
    const file = { path: relative(uri), uri: uri.toString() };
    const text = document?.getText() ?? "";
    const version = document?.version ?? 0;
    const snapshot = { file, exists: document !== null, text, version, languageId: "plaintext" };
    return preview.proposals.open(snapshot, {
      chatId: "chat",
      turnId: `turn-${files}`,
      callId: "call",
    });
  }

  /** The document in the diff of a file's proposal, once it is shown. */
  async function proposalOf(uri: vscode.Uri, inScheme = scheme): Promise<vscode.TextDocument> {
    const file = uri.path.slice(uri.path.lastIndexOf("/"));
    const { input } = await eventually(
      `the diff of ${file}`,
      () => proposalTabs((shown) => shown.scheme === inScheme && shown.path.endsWith(file))[0],
    );
    const shown =
      input instanceof vscode.TabInputTextDiff
        ? input.modified
        : input instanceof vscode.TabInputText
          ? input.uri
          : null;
    if (!shown) throw new Error("the proposal is not shown");
    return (await eventually(`the editor of ${file}`, () => editorsOf(shown)[0])).document;
  }

  /** What is decided in the message whose file was made last, as `block status`. */
  const decidedNow = () =>
    fates(reviews.get(`turn-${files}`) ?? { blocks: [] }).filter(
      (fate) => !fate.endsWith(" pending"),
    );

  /** Makes a file and starts its review. */
  async function begin(text = ORIGINAL, below = "") {
    const uri = freshUri(below);
    await writeText(uri, text);
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

  const onRecord = () =>
    eventually(
      "the message to be on record",
      () => (reviews.get(`turn-${files}`)?.blocks.length ?? 0) > 0,
    );

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
      (await lensesOn(proposed.uri)).some(({ title }) => title.startsWith("✗")),
    );
    await onRecord();
    return { done, proposed };
  }

  /** Completes the proposal, whether or not it is shown. */
  async function pend(review: Review, proposal: Proposal, stopped = false) {
    const done = propose(review, proposal, stopped);
    await onRecord();
    return { done };
  }

  /** What is known of the blocks of the file that was made last, now and later. */
  function known(): () => readonly string[] {
    const turnId = `turn-${files}`;
    return () => fates(reviews.get(turnId) ?? { blocks: [] });
  }

  return {
    /** There from the suite's set-up on. */
    get preview() {
      return preview;
    },
    ...{ scheme, scratch, state, open, diffs, freshUri, reviewOf, proposalOf },
    ...{ decidedNow, known, begin, propose, complete, pend },
  };
}
