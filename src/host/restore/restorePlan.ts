import { type ChangeJournal, changesSince } from "../../edits/history/changeJournal.ts";
import {
  type BlockedReason,
  type Restoration,
  restoration,
  type TextChange,
} from "../../edits/history/restoration.ts";
import { allowSecret, type FileError, type Workspace } from "../../ports/workspace.ts";
import { openDocument } from "../workspace/documentText.ts";
import { isStale } from "../workspace/isStale.ts";

/** What to restore: the files that changed from an agent turn on, or one of them. */
export interface RestoreTarget {
  readonly journal: ChangeJournal;
  readonly turnId: string;
  /** Workspace-relative, or null for every file. */
  readonly path: string | null;
}

/** Why a file cannot be restored. */
export type BlockReason =
  | { readonly code: "file-error"; readonly error: FileError }
  | { readonly code: "other-folders" | "proposal-pending" | "stale" }
  | { readonly code: "conflict"; readonly reason: BlockedReason };

/** What restoring would do to one file; `current` is its text, null for none. */
export interface PlannedFile {
  readonly target: RestoreTarget;
  readonly path: string;
  readonly uri: string;
  readonly current: string | null;
  /** The turns whose changes go. */
  readonly turnIds: ReadonlySet<string | null>;
  readonly restoration:
    | Exclude<Restoration, { readonly kind: "blocked" }>
    | { readonly kind: "blocked"; readonly reason: BlockReason };
}

/** Where files are looked up. */
export interface PlanSources {
  readonly workspace: Pick<Workspace, "trusted" | "resolve" | "read" | "writable">;
  /** The paths of files with pending proposals. */
  pendingPaths(): readonly string[];
}

/** Compares every file of the targets with its present text, sorted by path; changes nothing. */
export async function restorePlan(
  targets: readonly RestoreTarget[],
  sources: PlanSources,
): Promise<PlannedFile[]> {
  const files = new Map<string, PlannedFile>();
  for (const target of targets) {
    for (const [path, changes] of changesSince(
      await target.journal.all(),
      target.turnId,
      target.path,
    )) {
      const uri = changes[0]?.uri ?? "";
      const turnIds = new Set(changes.map(({ turnId }) => turnId));
      files.set(path, {
        target,
        path,
        uri,
        turnIds,
        ...(await planFile(path, uri, changes, sources)),
      });
    }
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function planFile(
  path: string,
  uri: string,
  changes: readonly TextChange[],
  { workspace, pendingPaths }: PlanSources,
): Promise<Pick<PlannedFile, "current" | "restoration">> {
  const blocked = (reason: BlockReason) => ({
    current: null,
    restoration: { kind: "blocked" as const, reason },
  });
  // The journal is a file like any other, so its paths are checked again.
  const file = await workspace.resolve(path);
  if (!file.ok) return blocked({ code: "file-error", error: file.error });
  if (file.value.uri !== uri) return blocked({ code: "other-folders" });
  const locked = await workspace.writable(file.value);
  if (locked) return blocked({ code: "file-error", error: locked });
  if (pendingPaths().includes(path)) return blocked({ code: "proposal-pending" });
  const open = openDocument(file.value.uri);
  if (open && (await isStale(open))) return blocked({ code: "stale" });
  const read = await workspace.read(allowSecret(file.value), new AbortController().signal);
  if (!read.ok && read.error.code !== "not-found")
    return blocked({ code: "file-error", error: read.error });
  const current = read.ok ? read.value.text : null;
  const found = restoration(changes, current);
  return found.kind === "blocked"
    ? blocked({ code: "conflict", reason: found.reason })
    : { current, restoration: found };
}
