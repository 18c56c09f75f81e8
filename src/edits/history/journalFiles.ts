import { type FileRef, readPath, type Workspace } from "../../ports/workspace.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import type { FileChange } from "./changeJournal.ts";

/** A file's text before and after a change. */
export type RecordedText = Pick<
  FileChange,
  "path" | "uri" | "before" | "after" | "movedTo" | "executable"
>;

/** A file as it was; `executable` is set for a program. */
interface KnownFile extends Pick<RecordedText, "executable"> {
  readonly text: string;
}

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
  const textAt = (path: string) => readText(files, workspace, path);
  const textsBelow = (path: string) => readTexts(files, workspace, path);

  async function recordAll(changes: readonly Omit<RecordedText, "uri">[]): Promise<void> {
    for (const change of changes) {
      const file = await workspace.resolve(change.path);
      if (file.ok) record({ ...change, path: file.value.path, uri: file.value.uri });
    }
  }

  return {
    stat: (path) => files.stat(path),
    find: (search, signal) => files.find(search, signal),
    createDirectory: (path, asked) => files.createDirectory(path, asked),

    setExecutable: (path, executable, asked) => files.setExecutable(path, executable, asked),

    async createFile(path, text, overwrite, asked) {
      const before = await textAt(path);
      const created = await files.createFile(path, text, overwrite, asked);
      if (created.ok && before !== undefined)
        await recordAll([{ path: created.value.path, before, after: text }]);
      return created;
    },

    async delete(path, recursive, asked) {
      const texts = await textsBelow(path);
      const deleted = await files.delete(path, recursive, asked);
      if (deleted.ok) await recordAll(changesByDeletion(deleted.value, texts));
      return deleted;
    },

    async rename(from, to, overwrite, asked) {
      const texts = await textsBelow(from);
      const source = await workspace.resolve(from);
      const replaced = await textAt(to);
      const moved = await files.rename(from, to, overwrite, asked);
      if (moved.ok && source.ok)
        await recordAll(changesByPut(moved.value, texts, replaced, source.value));
      return moved;
    },

    async copy(from, to, overwrite, asked) {
      const texts = await textsBelow(from);
      const replaced = await textAt(to);
      const copied = await files.copy(from, to, overwrite, asked);
      if (copied.ok) await recordAll(changesByPut(copied.value, texts, replaced, null));
      return copied;
    },
  };
}

function changesByDeletion(
  { path }: FileRef,
  texts: ReadonlyMap<string, KnownFile>,
): readonly Omit<RecordedText, "uri">[] {
  return [...texts].map(([below, { text, ...mode }]) => {
    return { path: path + below, before: text, after: null, ...mode };
  });
}

/** What changes where `texts` are put at `place` over `replaced`, and leave `source`, if given. */
function changesByPut(
  place: FileRef,
  texts: ReadonlyMap<string, KnownFile>,
  replaced: string | null | undefined,
  source: FileRef | null,
): readonly Omit<RecordedText, "uri">[] {
  return [...texts].flatMap(([below, { text, ...mode }]) => {
    const path = place.path + below;
    const from = { path: `${source?.path}${below}`, before: text, after: null };
    const gone = { ...from, movedTo: path, ...mode };
    const made = { path, before: below === "" ? (replaced ?? null) : null, after: text };
    return [...(source ? [gone] : []), ...(replaced === undefined ? [] : [made])];
  });
}

/** The text at `path`: null where there is no file, undefined for anything but text. */
async function readText(
  files: WorkspaceFiles,
  workspace: Pick<Workspace, "resolve" | "read">,
  path: string,
): Promise<string | null | undefined> {
  const stat = await files.stat(path);
  // The editor may still have the text of a file that is gone.
  if (!stat.ok && stat.error.code === "not-found") return null;
  const read = await readPath(workspace, path, new AbortController().signal, true);
  if (read.ok) return read.value.text;
  return read.error.code === "not-found" ? null : undefined;
}

/** The text files at `path`, which may be a folder, by their paths below it ("" for the file itself). */
async function readTexts(
  files: WorkspaceFiles,
  workspace: Pick<Workspace, "resolve" | "read">,
  path: string,
): Promise<ReadonlyMap<string, KnownFile>> {
  const stat = await files.stat(path);
  if (!stat.ok || stat.value.symlink) return new Map();
  const root = stat.value.file.path;
  const search = { folder: root, glob: null, limit: MAX_FILES };
  const found =
    stat.value.kind === "file" ? null : await files.find(search, new AbortController().signal);
  const paths = found === null ? [root] : found.ok ? found.value.paths : [];
  const texts = new Map<string, KnownFile>();
  for (const each of paths) {
    const text = await readText(files, workspace, each);
    if (typeof text !== "string") continue;
    const found = await files.stat(each);
    const isProgram = found.ok && found.value.executable;
    texts.set(each.slice(root.length), { text, ...(isProgram && { executable: true }) });
  }
  return texts;
}
