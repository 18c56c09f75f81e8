import { type ChangeJournal, changesSince } from "../../edits/history/changeJournal.ts";
import {
  type BlockedReason,
  type Restoration,
  restoration,
} from "../../edits/history/restoration.ts";
import type { TextChange } from "../../edits/history/retraced.ts";
import { allowSecret, type FileError, type Workspace } from "../../ports/workspace.ts";

/** What to restore: the files that changed from an agent turn on, or one of them. */
export interface RestoreTarget {
  readonly journal: ChangeJournal;
  readonly turnId: string;
  /** Workspace-relative, or null for every file. */
  readonly path: string | null;
}

/** Why a file cannot be restored. */
export type NotRestored =
  | { readonly code: "file-error"; readonly error: FileError }
  | { readonly code: "other-folders" | "proposal-pending" | "stale" }
  | { readonly code: "conflict"; readonly reason: BlockedReason };

/**
 * What restoring would do to one file; `current` is its text, null for none. With `mode` its text
 * stays.
 */
export interface PlannedFile {
  readonly path: string;
  readonly uri: string;
  readonly current: string | null;
  readonly restoration:
    | Exclude<Restoration, { readonly kind: "blocked" }>
    | { readonly kind: "mode"; readonly executable: boolean }
    | { readonly kind: "blocked"; readonly reason: NotRestored };
}

/** What is asked of the workspace and the editor. */
export interface RestorableFiles {
  readonly workspace: Pick<Workspace, "resolve" | "read" | "writable">;
  /** The paths of files with pending proposals. */
  pendingPaths(): readonly string[];
  /** Whether the editor shows an older text of the file at this URI than the disk has. */
  isStale(uri: string): Promise<boolean>;
}

/** Compares every file of the target with its present text, sorted by path; changes nothing. */
export async function restorePlan(
  { journal, turnId, path }: RestoreTarget,
  restorable: RestorableFiles,
): Promise<PlannedFile[]> {
  const pendingPaths = restorable.pendingPaths();
  const files: PlannedFile[] = [];
  for (const [changed, changes] of changesSince(await journal.all(), turnId, path)) {
    const uri = changes[0]?.uri ?? "";
    const planned = pendingPaths.includes(changed)
      ? blocked({ code: "proposal-pending" })
      : await planFile(changed, uri, changes, restorable);
    files.push({ path: changed, uri, ...planned });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

type Planned = Pick<PlannedFile, "current" | "restoration">;

function blocked(reason: NotRestored): Planned {
  return { current: null, restoration: { kind: "blocked", reason } };
}

async function planFile(
  path: string,
  uri: string,
  changes: readonly TextChange[],
  { workspace, isStale }: Pick<RestorableFiles, "workspace" | "isStale">,
): Promise<Planned> {
  // The journal is a file like any other, so its paths are checked again.
  const file = await workspace.resolve(path);
  if (!file.ok) return blocked({ code: "file-error", error: file.error });
  if (file.value.uri !== uri) return blocked({ code: "other-folders" });
  const locked = await workspace.writable(file.value);
  if (locked) return blocked({ code: "file-error", error: locked });
  if (await isStale(file.value.uri)) return blocked({ code: "stale" });
  const read = await workspace.read(allowSecret(file.value), new AbortController().signal);
  if (!read.ok && read.error.code !== "not-found")
    return blocked({ code: "file-error", error: read.error });
  const current = read.ok ? read.value.text : null;
  const found = restoration(changes, current);
  return found.kind === "blocked"
    ? blocked({ code: "conflict", reason: found.reason })
    : { current, restoration: found };
}

/** Why nothing was restored. */
export type RestoreProblem =
  | { readonly code: "untrusted" | "busy" | "no-record" | "nothing-left" | "changed-meanwhile" }
  /** The texts are as they were, the modes of these files not. */
  | { readonly code: "modes-kept"; readonly paths: readonly string[] }
  | {
      readonly code: "blocked";
      readonly files: readonly { readonly path: string; readonly reason: NotRestored }[];
    };
