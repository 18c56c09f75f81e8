import * as vscode from "vscode";
import { type ChangeJournal, changesSince } from "../../edits/changeJournal.ts";
import { type Restoration, restoration, type TextChange } from "../../edits/restoration.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { isBehindDisk } from "../preview/isBehindDisk.ts";

/** What is to be restored: the files that changed from an agent turn on, or one of them. */
export interface RestoreTarget {
  readonly journal: ChangeJournal;
  readonly turnId: string;
  /** Workspace-relative, or null for every file. */
  readonly path: string | null;
}

/** What restoring would do to one file. `uri` is null where the file lies outside of the workspace now; `current` is its text, null for none. */
export interface PlannedFile {
  readonly target: RestoreTarget;
  readonly path: string;
  readonly uri: string | null;
  readonly current: string | null;
  /** The turns whose changes go. */
  readonly turnIds: ReadonlySet<string | null>;
  readonly restoration: Restoration;
}

/** Where files are looked up. */
export interface PlanSources {
  readonly workspace: Pick<Workspace, "resolve" | "read" | "writable">;
  /** The paths whose proposals wait for a decision. */
  pendingPaths(): readonly string[];
}

/** Looks at every file of the targets as it is now, sorted by path; changes nothing. */
export async function restorePlan(targets: readonly RestoreTarget[], sources: PlanSources, signal: AbortSignal): Promise<PlannedFile[]> {
  const files = new Map<string, PlannedFile>();
  for (const target of targets) {
    for (const [path, changes] of changesSince(await target.journal.all(), target.turnId, target.path)) {
      const uri = changes[0]?.uri ?? "";
      const turnIds = new Set(changes.map(({ turnId }) => turnId));
      files.set(path, { target, path, turnIds, ...(await planFile(path, uri, changes, sources, signal)) });
    }
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function planFile(
  path: string,
  uri: string,
  changes: readonly TextChange[],
  { workspace, pendingPaths }: PlanSources,
  signal: AbortSignal,
): Promise<Pick<PlannedFile, "uri" | "current" | "restoration">> {
  const blocked = (message: string) => ({
    uri: null,
    current: null,
    restoration: { kind: "blocked" as const, reason: { code: "unavailable" as const, message }, deletable: false },
  });
  // The record is a file like any other: what it names is confined to the workspace again.
  const file = await workspace.resolve(path);
  if (!file.ok) return blocked(file.error.message);
  if (file.value.uri !== uri) return blocked("the folders of this workspace are others now");
  const locked = await workspace.writable(file.value);
  if (locked) return blocked(locked.message);
  if (pendingPaths().includes(path)) return blocked("proposed changes to it wait for your decision");
  const open = vscode.workspace.textDocuments.find((document) => !document.isClosed && document.uri.toString() === uri);
  if (open && (await isBehindDisk(open))) return blocked("it has changed on disk, and the editor does not show it yet");
  const read = await workspace.read(file.value, signal);
  if (!read.ok && read.error.kind !== "not-found") return blocked(read.error.message);
  const current = read.ok ? read.value.text : null;
  return { uri: file.value.uri, current, restoration: restoration(changes, current) };
}
