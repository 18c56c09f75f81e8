import type { Stats } from "node:fs";

/**
 * What tells whether a file is the same as before: its kind and what the system says of it. Of a
 * folder only its permissions. "" stands for no file, or one that must be looked at again.
 */
export type Mark = string;

/** A path as the user has it and as the copy has it. */
export interface MarkPair {
  readonly source: Mark;
  readonly copy: Mark;
}

/** By path, relative to the folder, what both had when they were last made the same. */
export type CopyManifest = Map<string, MarkPair>;

export const NOTHING: MarkPair = { source: "", copy: "" };

/**
 * The mark of a file. The time of its last change of any kind is part of it, which no program can
 * set.
 */
export function markOf(stats: Stats): Mark {
  const { size, mtimeMs, ctimeMs, ino, mode } = stats;
  if (stats.isDirectory()) return `folder ${mode}`;
  if (stats.isSymbolicLink()) return `link ${mtimeMs} ${ctimeMs} ${ino}`;
  if (stats.isFile()) return `file ${size} ${mtimeMs} ${ctimeMs} ${ino} ${mode}`;
  return `other ${ctimeMs} ${ino}`;
}

/** True for the mark of a folder. */
export function isFolderMark(mark: Mark): boolean {
  return mark.startsWith("folder");
}

/** False for pipes, sockets and devices, which are never copied, and for nothing. */
export function isCopied(mark: Mark): boolean {
  return mark !== "" && !mark.startsWith("other");
}

/**
 * What makes a path of the copy like the user's: `leave` where commands changed it and that is
 * kept.
 */
export type CopyStep = "none" | "leave" | "make" | "remove";

/** Decides by what both are now and were last, and by whether commands' changes are kept. */
export function copyStep(now: MarkPair, last: MarkPair, isKept: boolean): CopyStep {
  const isChanged = now.copy !== last.copy;
  if (isChanged && isKept) return "leave";
  const source = isCopied(now.source) ? now.source : "";
  if (!isChanged && source === last.source && (source !== "" || now.copy === "")) return "none";
  if (source !== "") return "make";
  return now.copy === "" ? "none" : "remove";
}
