import type { AcceptPlan } from "../../edits/review/reviewPlan.ts";
import { textWithLineEnds } from "../../edits/text/lineEnds.ts";
import type { FileError, FileRef, Workspace } from "../../ports/workspace.ts";
import {
  type DocumentChange,
  DocumentSync,
  type EditorDocument,
  type ForeignChange,
} from "../documents/documentSync.ts";
import type { EditorFiles } from "../documents/editorFiles.ts";

/** Why an accept did not go into the file. */
export interface FileProblem {
  readonly code: "cannot-open" | "stale" | "unencodable" | "not-applied" | "cannot-create";
}

/** What a file needs, and who hears of it. */
export interface OriginalFileOptions<D extends EditorDocument>
  extends Pick<
    EditorFiles<D>,
    "apply" | "openFile" | "isStale" | "onDisk" | "canHold" | "rewrite"
  > {
  log(message: string): void;
  /** Somebody other than Graft changed the file. */
  edited(change: ForeignChange): void;
  /** A document of the file is followed from now on. */
  opened(document: D): void;
  /** The review is over: no other document is followed. */
  isOver(): boolean;
}

/** Tells that a plan's edits are in the file, whose text they changed from `before`, null for none. */
export type Landed = (plan: AcceptPlan, before: string | null, after: string) => void;

/** The user's file under review: where it is, its document, and the accepts that go into it. */
export class OriginalFile<D extends EditorDocument> {
  /** Where it is; follows it when it is renamed. */
  file: FileRef;
  /** True once it is there to compare with. */
  exists: boolean;
  private readonly options: OriginalFileOptions<D>;
  private readonly lineEnd: "\n" | "\r\n";
  private readonly sync: DocumentSync<D>;
  /** An accept that is on its way into the file. */
  private change: Promise<unknown> | null = null;

  constructor(
    file: FileRef,
    exists: boolean,
    text: string,
    lineEnd: "\n" | "\r\n",
    options: OriginalFileOptions<D>,
  ) {
    this.file = file;
    this.exists = exists;
    this.lineEnd = lineEnd;
    this.options = options;
    this.sync = new DocumentSync<D>(text, lineEnd, options.apply, (change) =>
      options.edited(change),
    );
  }

  /** The text, as far as it is known who changed it. */
  get text(): string {
    return this.sync.text;
  }

  /** True while an accept is on its way into the file. */
  get isChanging(): boolean {
    return this.change !== null;
  }

  /**
   * Why it cannot be written now. Where its path leads to a protected file by now, its mark is
   * shown first.
   */
  async refusal(workspace: Pick<Workspace, "resolve" | "writable">): Promise<FileError | null> {
    const { path } = this.file;
    const now = await workspace.resolve(path);
    if (!now.ok) return now.error;
    if (now.value.versionControl && !this.file.versionControl)
      return { code: "version-control", path };
    if (now.value.protected && !this.file.protected) {
      this.file = now.value;
      return { code: "protected-meanwhile", path };
    }
    return workspace.writable(this.file);
  }

  /** Settles when no accept is on its way. */
  async idle(): Promise<void> {
    await this.change;
  }

  /** Opens the file's document and follows it. */
  async follow(): Promise<void> {
    if (!this.exists) return;
    try {
      const document = await this.options.openFile(this.file.uri);
      if (!this.options.isOver() && this.sync.document !== document) this.options.opened(document);
    } catch (error) {
      this.options.log(`${this.file.path} could not be opened for review: ${String(error)}`);
    }
  }

  /** Follows this document; `then` is called once nothing of an earlier one is on its way. */
  open(document: D, then: () => void): void {
    this.sync.open(document, "known", then);
  }

  /** It has another name or place. */
  async moved(file: FileRef): Promise<void> {
    this.file = file;
    this.sync.close(() => this.text);
    await this.follow();
  }

  /** The editor changed a document; false where it is not the file's. */
  documentChanged(document: D, change: DocumentChange): boolean {
    const isOwn = document === this.sync.document;
    if (isOwn) this.sync.documentChanged(change);
    return isOwn;
  }

  /** The editor let go of a document. */
  closed(document: D): void {
    if (document === this.sync.document) this.sync.close(() => this.text);
  }

  /** The text on the disk, or null where it cannot be read. */
  async onDisk(document: D): Promise<string | null> {
    const text = await this.options.onDisk(document);
    return text === null ? null : textWithLineEnds(text, this.lineEnd);
  }

  /**
   * Makes the edits of a plan, at the text that it is for: a plan is asked for again where the file
   * changed meanwhile. Gives what became of it; a plan without edits where there was nothing to do.
   * `mayChange` is waited for right before the file changes.
   */
  async accept(
    planned: () => AcceptPlan,
    isStopped: () => boolean,
    landed: Landed,
    mayChange: () => Promise<boolean> = async () => true,
  ): Promise<AcceptPlan | FileProblem> {
    for (let attempt = 0; attempt < 2 && !isStopped(); attempt++) {
      await this.follow();
      const { document } = this.sync;
      if (!document) return { code: "cannot-open" };
      if (await this.options.isStale(document)) return { code: "stale" };
      const added = () => planned().edits.map(({ newText }) => newText);
      if (!(await this.options.canHold(document, added))) return { code: "unencodable" };
      if (!(await mayChange())) break;
      this.sync.recheck();
      const plan = planned();
      const { edits, textBefore, textAfter } = plan;
      if (edits.length === 0) return plan;
      const edit = this.sync.edit(edits, textAfter, () => {
        const end = document.getText().includes("\r\n") ? "\r\n" : "\n";
        landed(plan, textWithLineEnds(textBefore, end), textWithLineEnds(textAfter, end));
      });
      if (await this.during(edit)) return plan;
    }
    return { code: "not-applied" };
  }

  /** Creates the file as a plan has it. */
  async create(plan: AcceptPlan, landed: Landed): Promise<AcceptPlan | FileProblem> {
    if (plan.edits.length === 0) return plan;
    if (
      !(await this.during(
        this.options.rewrite([{ uri: this.file.uri, before: null, after: plan.textAfter }]),
      ))
    )
      return { code: "cannot-create" };
    this.exists = true;
    landed(plan, null, plan.textAfter);
    await this.follow();
    return plan;
  }

  private during<T>(change: Promise<T>): Promise<T> {
    this.change = change;
    return change.finally(() => {
      this.change = null;
    });
  }
}
