import { err, ok } from "../../base/result.ts";
import type { WriteAccepted } from "../../edits/review/autoReviewer.ts";
import { type FileSnapshot, missingFile, type Workspace } from "../../ports/workspace.ts";

/** The file of one task, in memory. Nothing else can be read, and nothing reaches the disk. */
export interface TaskFile {
  readonly workspace: Workspace;
  readonly write: WriteAccepted;
  /** Its text now. */
  text(): string;
}

/** A file at `path` with this text. */
export function taskFile(path: string, text: string): TaskFile {
  let version = 1;
  let now = text;
  const file = { path, uri: `task:///${path}` };
  const snapshot = (): FileSnapshot => ({ file, exists: true, text: now, version, languageId: "" });
  const isIt = (wanted: string) => wanted.replace(/^\.?\//, "") === path;
  return {
    text: () => now,
    workspace: {
      trusted: true,
      folders: ["task"],
      resolve: async (wanted) =>
        isIt(wanted) ? ok(file) : ok({ path: wanted, uri: `task:///${wanted}` }),
      read: async (wanted) =>
        isIt(wanted.path) ? ok(snapshot()) : err({ code: "not-found", path: wanted.path }),
      writable: async () => null,
      list: async () => ok([]),
      search: async () => ok({ matches: [], truncated: false }),
    },
    async write(of, changed) {
      if (!isIt(of.file.path)) return err({ code: "not-found", path: of.file.path });
      now = changed;
      version += 1;
      return ok(missingFile(file));
    },
  };
}
