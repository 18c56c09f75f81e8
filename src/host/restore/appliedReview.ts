import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { ChangeJournal, FileChange } from "../../edits/history/changeJournal.ts";
import { t } from "../localize.ts";
import { appliedMessage } from "./messages.ts";

/** The scheme of the texts that files had before the turn. */
const START_SCHEME = "graft-start";

const rememberedSchema = z.array(z.object({ uri: z.string(), turnId: z.string() }));

/** The list as it is stored. */
export type RememberedReview = z.infer<typeof rememberedSchema>;

/** A file with applied changes that the user has not reviewed. */
export interface AppliedFile {
  readonly path: string;
  readonly uri: vscode.Uri;
  readonly journal: ChangeJournal;
  /** The first turn whose change was not reviewed. */
  readonly turnId: string;
  /** The file's text before that turn, as a document; the text is null if there was no file. */
  readonly start: vscode.Uri;
  readonly startText: string | null;
  /** Set where the file was deleted, or moved `to` another path. */
  readonly operation?: { readonly to: string | null };
}

/**
 * Review after changes are applied: lists the changed files in the Source Control view and compares
 * them with their text before the turn, there and by quick diff in the editor. The section exists
 * only while there is something to review.
 */
export class AppliedReview implements Disposable {
  private readonly listening: Disposable;
  private readonly files = new Map<string, AppliedFile>();
  private readonly remember: (review: RememberedReview) => void;
  private section: {
    readonly control: vscode.SourceControl;
    readonly group: vscode.SourceControlResourceGroup;
  } | null = null;
  private lastStart = 0;
  private readonly changes = new Emitter<void>();
  /** Fires when the list or the text of a listed file has changed. */
  readonly onChanged = this.changes.on.bind(this.changes);

  /** `remember` stores the list for {@link bringBack} whenever it changes. */
  constructor(remember: (review: RememberedReview) => void) {
    this.remember = remember;
    const { workspace } = vscode;
    // The editor's undo brings back what was deleted or moved.
    const isGone = (uri: vscode.Uri) => this.files.get(uri.toString())?.operation !== undefined;
    this.listening = vscode.Disposable.from(
      workspace.registerTextDocumentContentProvider(START_SCHEME, {
        provideTextDocumentContent: (uri) =>
          this.all.find(({ start }) => start.toString() === uri.toString())?.startText ?? "",
      }),
      workspace.onDidChangeTextDocument(({ document }) => this.changed(document)),
      workspace.onDidDeleteFiles((event) => this.keep(event.files)),
      workspace.onDidRenameFiles(({ files }) => {
        this.keep([
          ...files.map(({ oldUri }) => oldUri),
          ...files.map(({ newUri }) => newUri).filter(isGone),
        ]);
      }),
      workspace.onDidCreateFiles(({ files }) => this.keep(files.filter(isGone))),
    );
  }

  /** The files to review, in the order of their first change. */
  get all(): readonly AppliedFile[] {
    return [...this.files.values()];
  }

  /** A turn's change reached a file. */
  add(change: FileChange, journal: ChangeJournal): void {
    const { path, turnId, before, after, uri, movedTo = null } = change;
    // The two changes of a renaming are listed as one.
    const isPlace =
      before === null &&
      this.all.some((file) => file.turnId === turnId && file.operation?.to === path);
    if (turnId === null || this.files.has(uri) || isPlace) return;
    const operation = after === null && { operation: { to: movedTo } };
    const start = vscode.Uri.from({
      scheme: START_SCHEME,
      path: `/${path}`,
      query: String(++this.lastStart),
    });
    this.files.set(uri, {
      path,
      uri: vscode.Uri.parse(uri, true),
      journal,
      turnId,
      start,
      startText: before,
      ...operation,
    });
    this.changedList();
  }

  /** Restores the list after a reload, as far as the journal knows the changes. */
  async bringBack(remembered: unknown, journal: ChangeJournal): Promise<void> {
    const parsed = rememberedSchema.safeParse(remembered);
    if (!parsed.success) return;
    const changes = await journal.all();
    for (const { uri, turnId } of parsed.data) {
      const own = changes.filter((one) => one.uri === uri && one.turnId === turnId);
      const [first, last] = [own[0], own.at(-1)];
      if (first && last) this.add({ ...last, before: first.before }, journal);
    }
  }

  /** Takes files off the list; all of them without an argument. */
  keep(uris: readonly vscode.Uri[] = this.all.map(({ uri }) => uri)): void {
    const kept = uris.flatMap((uri) => this.files.get(uri.toString()) ?? []);
    for (const { uri } of kept) this.files.delete(uri.toString());
    if (kept.length > 0) this.changedList();
  }

  /** Compares a file with its text before the turn; of one that is gone, shows that text. */
  async show(file: AppliedFile): Promise<void> {
    const { command, arguments: args } = comparison(file);
    await vscode.commands.executeCommand(command, ...args);
  }

  /** The changes that these turns made to a file were undone. */
  restored(uri: string, turnIds: ReadonlySet<string | null>): void {
    const file = this.files.get(uri);
    if (file && turnIds.has(file.turnId)) this.keep([file.uri]);
  }

  dispose(): void {
    this.files.clear();
    this.draw();
    this.listening.dispose();
  }

  private changed(document: vscode.TextDocument): void {
    const file = this.files.get(document.uri.toString());
    if (file && file.startText !== null && document.getText() === file.startText)
      this.keep([file.uri]);
    else if (file) this.changes.fire();
  }

  private changedList(): void {
    this.remember(this.all.map(({ uri, turnId }) => ({ uri: uri.toString(), turnId })));
    this.draw();
    this.changes.fire();
  }

  private draw(): void {
    void vscode.commands.executeCommand("setContext", "graft.appliedReview", this.files.size > 0);
    if (this.files.size === 0) {
      this.section?.group.dispose();
      this.section?.control.dispose();
      this.section = null;
      return;
    }
    this.section ??= this.createSection();
    // A new provider makes open editors ask again.
    this.section.control.quickDiffProvider = {
      provideOriginalResource: (uri) => this.files.get(uri.toString())?.start,
    };
    this.section.group.resourceStates = this.all.map((file) => ({
      resourceUri: file.uri,
      contextValue: "applied",
      decorations: {
        strikeThrough: file.operation !== undefined,
        tooltip: appliedMessage(t, file),
      },
      command: { title: t("Show Changes"), ...comparison(file) },
    }));
  }

  private createSection() {
    const control = vscode.scm.createSourceControl("graft", "Graft");
    control.inputBox.visible = false;
    // Applied files are no open work, so the view's icon shows no number.
    control.count = 0;
    const group = control.createResourceGroup("applied", t("Applied Changes"));
    group.hideWhenEmpty = true;
    return { control, group };
  }
}

/** The command that shows what was applied. */
function comparison({ start, uri, path, operation }: AppliedFile): {
  readonly command: string;
  readonly arguments: unknown[];
} {
  if (operation) return { command: "vscode.open", arguments: [start] };
  return {
    command: "vscode.diff",
    arguments: [start, uri, t("{path} (changes by Graft)", { path }), { preview: true }],
  };
}
