import { err, ok } from "../../base/result.ts";
import {
  changesMode,
  type FileOperation,
  type PendingProposal,
  type Reviewer,
  type ReviewOrigin,
} from "../../ports/review.ts";
import {
  type DirectoryEntry,
  directoriesFirst,
  type FileRef,
  type TextMatch,
  type TextSearch,
  type Workspace,
} from "../../ports/workspace.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import { searchTexts } from "../../tools/search/searchTexts.ts";

/** The pending deletions and moves, by the files they take away and by the places they fill. */
function operations(reviewer: Reviewer) {
  const all = (reviewer.operations?.pending ?? []).filter((operation) => !changesMode(operation));
  const bySource = new Map(all.map((operation) => [operation.file.path, operation]));
  return {
    all,
    /** Where a file would go; null where it would be deleted. */
    placeOf: ({ path }: FileRef) => bySource.get(path)?.to,
    /** What is in a place: the file that is to go there, where it is now. */
    sourceOf: ({ uri }: FileRef) => all.find(({ to }) => to?.uri === uri)?.file ?? null,
    /** A path as it would be; none where it would be deleted. */
    pathAfter: (path: string) => {
      const operation = bySource.get(path);
      return operation ? (operation.to?.path ?? []) : path;
    },
  };
}

/**
 * The workspace with all pending proposals in place of their files, whoever made them: edits begin
 * at the text that reads show. A file that is proposed to be renamed has both names: it is listed
 * under the new one and edited where it is. A read says how many of its changes are not the
 * reader's own, by `isOwn`.
 */
export function proposedWorkspace(
  workspace: Workspace,
  reviewer: Reviewer,
  isOwn: (origin: ReviewOrigin) => boolean = () => true,
): Workspace {
  return {
    get trusted() {
      return workspace.trusted;
    },
    get folders() {
      return workspace.folders;
    },
    async resolve(path) {
      const file = await workspace.resolve(path);
      return file.ok ? ok(operations(reviewer).sourceOf(file.value) ?? file.value) : file;
    },
    writable: (file) => workspace.writable(file),
    async list(path, signal) {
      const [listed, folder] = [
        await workspace.list(path, signal),
        await workspace.resolve(/^\.?\/?$/.test(path) ? "." : path),
      ];
      const { all } = operations(reviewer);
      if (!listed.ok || !folder.ok || all.length === 0) return listed;
      return ok(entriesAfter(listed.value, folder.value, all));
    },
    async read(file, signal) {
      const to = operations(reviewer).placeOf(file);
      if (to === null) return err({ code: "deletion-proposed", path: file.path });
      const renamed = to && { renamedTo: to.path };
      const read = await workspace.read(file, signal);
      const proposal = reviewer.pending(file);
      if (!read.ok && (read.error.code === "secret" || read.error.code === "untrusted-secret"))
        return read;
      if (!proposal) return read.ok ? ok({ ...read.value, ...renamed }) : read;
      const languageId = read.ok ? read.value.languageId : "";
      const { text, hunks } = proposal;
      const now = { file, exists: true, text, version: 0, languageId, pending: hunks.length };
      const ofOthers = hunks.filter((chats) => chats.length > 0 && !chats.some(isOwn)).length;
      return ok({ ...now, ...renamed, ...(ofOthers > 0 && { ofOthers }) });
    },
    async search(query, signal) {
      const proposals = reviewer.allPending();
      const { all, pathAfter } = operations(reviewer);
      const found = await workspace.search(query, signal);
      if (!found.ok || proposals.length + all.length === 0) return found;
      const now = await withProposals(found.value.matches, proposals, query);
      const matches = now.flatMap((match) =>
        [pathAfter(match.path)].flat().map((path) => ({ ...match, path })),
      );
      const shown = matches.slice(0, query.limit);
      const places = new Set(proposals.flatMap(({ file }) => pathAfter(file.path)));
      const proposed = [...new Set(shown.map(({ path }) => path))].filter((path) =>
        places.has(path),
      );
      const unsearched = (found.value.unsearched ?? []).filter(
        ({ path }) => !shown.some((match) => match.path === path),
      );
      return ok({
        matches: shown,
        truncated: found.value.truncated || matches.length > query.limit,
        ...(unsearched.length > 0 && { unsearched }),
        ...(proposed.length > 0 && { proposed }),
      });
    },
  };
}

function entriesAfter(
  entries: readonly DirectoryEntry[],
  folder: FileRef,
  all: readonly FileOperation[],
): DirectoryEntry[] {
  const gone = new Set(all.flatMap(({ file }) => nameIn(folder, file)));
  const come = all.flatMap(({ to }) => (to ? nameIn(folder, to) : []));
  return [
    ...entries.filter(({ name }) => !gone.has(name)),
    ...come.map((name): DirectoryEntry => ({ name, kind: "file" })),
  ].sort(directoriesFirst);
}

/** What a search finds with proposals in place of their files. */
async function withProposals(
  found: readonly TextMatch[],
  proposals: readonly PendingProposal[],
  query: TextSearch,
): Promise<readonly TextMatch[]> {
  // Which new files a glob selects is only known on the disk.
  const onDisk = new Set(found.map(({ path }) => path));
  const proposed = await searchTexts(
    (async function* () {
      for (const { file, text } of proposals)
        if (!file.secret) yield { text, path: async () => file.path };
    })(),
    query,
  );
  const paths = new Set(proposals.map(({ file }) => file.path));
  const more = proposed.ok
    ? proposed.value.matches.filter(({ path }) => query.include === null || onDisk.has(path))
    : [];
  return [...found.filter(({ path }) => !paths.has(path)), ...more];
}

/** The files as they would be after pending operations, selected by where they are now. */
export function proposedWorkspaceFiles(
  files: WorkspaceFiles,
  workspace: Workspace,
  reviewer: Reviewer,
): WorkspaceFiles {
  return {
    ...files,
    async stat(path) {
      const { placeOf, sourceOf } = operations(reviewer);
      const file = await workspace.resolve(path);
      if (file.ok && placeOf(file.value) === null) return err({ code: "deletion-proposed", path });
      return files.stat((file.ok && sourceOf(file.value)?.path) || path);
    },
    async find(search, signal) {
      const found = await files.find(search, signal);
      const { pathAfter } = operations(reviewer);
      return found.ok
        ? ok({ ...found.value, paths: found.value.paths.flatMap(pathAfter).sort() })
        : found;
    },
  };
}

function nameIn({ path: folder }: FileRef, { path }: FileRef): string[] {
  const slash = path.lastIndexOf("/");
  return path.slice(0, Math.max(0, slash)) === folder ? [path.slice(slash + 1)] : [];
}
