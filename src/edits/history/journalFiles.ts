import { type FileRef, readPath, type Workspace } from "../../ports/workspace.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import type { FileChange } from "./changeJournal.ts";

/** A file's text before and after a change. */
export type RecordedText = Pick<FileChange, "path" | "uri" | "before" | "after" | "movedTo">;

/** Maximum number of recorded files of a folder. */
const MAX_FILES = 200;

/**
 * The same files, with text changes recorded so that creating, moving and deleting can be reverted.
 * Not recorded are binary files, ignored files of a folder, and all but its first {@link MAX_FILES}
 * files.
 */
export function journalFiles(
  files: WorkspaceFiles,
  workspace: Pick<Workspace, "resolve" | "read">,
  record: (change: RecordedText) => void,
): WorkspaceFiles {
  const never = new AbortController().signal;

  /** The text at `path`: null where there is no file, undefined for anything but text. */
  async function textAt(path: string): Promise<string | null | undefined> {
    const stat = await files.stat(path);
    // The editor may still have the text of a file that is gone.
    if (!stat.ok && stat.error.code === "not-found") return null;
    const read = await readPath(workspace, path, never, true);
    if (read.ok) return read.value.text;
    return read.error.code === "not-found" ? null : undefined;
  }

  /**
   * The text files at `path`, which may be a folder, as paths below it ("" for the file itself)
   * with their texts.
   */
  async function textsBelow(path: string): Promise<ReadonlyMap<string, string>> {
    const stat = await files.stat(path);
    if (!stat.ok || stat.value.symlink) return new Map();
    const root = stat.value.file.path;
    const found =
      stat.value.kind === "file"
        ? null
        : await files.find({ folder: root, glob: null, limit: MAX_FILES }, never);
    const paths = found === null ? [root] : found.ok ? found.value.paths : [];
    const texts = new Map<string, string>();
    for (const each of paths) {
      const text = await textAt(each);
      if (typeof text === "string") texts.set(each.slice(root.length), text);
    }
    return texts;
  }

  async function recordAt(
    path: string,
    before: string | null,
    after: string | null,
    movedTo?: string,
  ): Promise<void> {
    const file = await workspace.resolve(path);
    if (file.ok)
      record({
        path: file.value.path,
        uri: file.value.uri,
        before,
        after,
        ...(movedTo !== undefined && { movedTo }),
      });
  }

  return {
    stat: (path) => files.stat(path),
    find: (search, signal) => files.find(search, signal),
    createDirectory: (path, asked) => files.createDirectory(path, asked),

    async createFile(path, text, overwrite, asked) {
      const before = await textAt(path);
      const created = await files.createFile(path, text, overwrite, asked);
      if (created.ok && before !== undefined) await recordAt(created.value.path, before, text);
      return created;
    },

    async delete(path, recursive, asked) {
      const texts = await textsBelow(path);
      const deleted = await files.delete(path, recursive, asked);
      if (deleted.ok)
        for (const [below, text] of texts) await recordAt(deleted.value.path + below, text, null);
      return deleted;
    },

    async rename(from, to, overwrite, asked) {
      const texts = await textsBelow(from);
      const source = await workspace.resolve(from);
      const replaced = await textAt(to);
      const moved = await files.rename(from, to, overwrite, asked);
      if (moved.ok && source.ok) await recordPut(moved.value, texts, replaced, source.value);
      return moved;
    },

    async copy(from, to, overwrite, asked) {
      const texts = await textsBelow(from);
      const replaced = await textAt(to);
      const copied = await files.copy(from, to, overwrite, asked);
      if (copied.ok) await recordPut(copied.value, texts, replaced, null);
      return copied;
    },
  };

  /**
   * Records that `texts` are now at `place`, where `replaced` was, and no longer at `source`, if
   * given.
   */
  async function recordPut(
    place: FileRef,
    texts: ReadonlyMap<string, string>,
    replaced: string | null | undefined,
    source: FileRef | null,
  ): Promise<void> {
    for (const [below, text] of texts) {
      if (source) await recordAt(source.path + below, text, null, place.path + below);
      if (replaced !== undefined)
        await recordAt(place.path + below, below === "" ? replaced : null, text);
    }
  }
}
