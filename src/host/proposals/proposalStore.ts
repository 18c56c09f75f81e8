import * as vscode from "vscode";
import * as z from "zod/mini";
import { SerialQueue } from "../../base/serialQueue.ts";
import { reviewRecordSchema } from "../../edits/review/reviewRecord.ts";
import type { Logger } from "../../ports/logger.ts";
import { orNull } from "../workspace/unlessMissing.ts";

const fileSchema = z.object({ path: z.string(), uri: z.string() });
const originSchema = z.object({ chatId: z.string(), turnId: z.string(), callId: z.string() });
const entryFields = {
  /** Its own name. */
  id: z.string(),
  /** When it began, in milliseconds since 1970. */
  begunAt: z.number(),
  file: fileSchema,
};

const operationSchema = z.object({
  ...entryFields,
  to: z.nullable(fileSchema),
  /** The file's size and time when the operation was proposed. */
  state: z.string(),
  origin: originSchema,
  blockId: z.string(),
});

const textSchema = z.object({
  ...entryFields,
  exists: z.boolean(),
  blocks: z.readonly(z.array(z.object({ origin: originSchema, blockId: z.string() }))),
  review: reviewRecordSchema,
});

/** A proposal as it is kept over a restart. */
export type StoredProposal = z.infer<typeof textSchema>;

/** A file operation as it is kept over a restart. */
export type StoredOperation = z.infer<typeof operationSchema>;

/** Keeps the pending proposals of a workspace, each in a file of its own. */
export class ProposalStore {
  private readonly folder: vscode.Uri;
  private readonly logger: Logger;
  /** What is still to be written, by id. */
  private readonly unwritten = new Map<string, () => StoredProposal | StoredOperation | null>();
  private readonly queue = new SerialQueue();

  constructor(folder: vscode.Uri, logger: Logger) {
    this.folder = folder;
    this.logger = logger;
  }

  /** All proposals that were kept, oldest first; damaged ones are left out. */
  async load(): Promise<readonly (StoredProposal | StoredOperation)[]> {
    const names = (await orNull(vscode.workspace.fs.readDirectory(this.folder))) ?? [];
    const stored: (StoredProposal | StoredOperation)[] = [];
    for (const [name] of names) {
      if (!name.endsWith(".json")) continue;
      try {
        const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.folder, name));
        stored.push(z.union([operationSchema, textSchema]).parse(JSON.parse(new TextDecoder().decode(bytes))));
      } catch (error) {
        this.logger.warn(`The proposal ${name} cannot be read: ${String(error)}`);
      }
    }
    return stored.sort((a, b) => a.begunAt - b.begunAt);
  }

  /**
   * Writes what `proposal` gives when its turn comes, and all that is asked for meanwhile as one; null removes it. Settles when it is
   * written, or could not be.
   */
  keep(id: string, proposal: () => StoredProposal | StoredOperation | null): Promise<void> {
    this.unwritten.set(id, proposal);
    return this.queue.run(() => this.write(id));
  }

  /** Settles when everything is written. */
  idle(): Promise<void> {
    return this.queue.idle();
  }

  private async write(id: string): Promise<void> {
    const latest = this.unwritten.get(id);
    if (!latest) return;
    this.unwritten.delete(id);
    const uri = vscode.Uri.joinPath(this.folder, `${id}.json`);
    try {
      const proposal = latest();
      if (!proposal) {
        await orNull(vscode.workspace.fs.delete(uri));
        return;
      }
      // A crash while it is written leaves the one before.
      const fresh = vscode.Uri.joinPath(this.folder, `${id}.new`);
      await vscode.workspace.fs.writeFile(fresh, new TextEncoder().encode(JSON.stringify(proposal)));
      await vscode.workspace.fs.rename(fresh, uri, { overwrite: true });
    } catch (error) {
      this.logger.error(`A proposal cannot be kept over a restart: ${String(error)}`);
    }
  }
}
