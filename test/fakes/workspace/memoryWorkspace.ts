import { err, ok } from "../../../src/base/result.ts";
import type { FileError, Workspace } from "../../../src/ports/workspace.ts";

/** Files in memory, for what needs a workspace and no disk. Lists and searches nothing. */
export function memoryWorkspace(
  files: ReadonlyMap<string, string>,
  locked: FileError | null = null,
): Workspace {
  return {
    trusted: true,
    folders: ["memory"],
    async resolve(path) {
      if (path.startsWith("..")) return err({ code: "outside-workspace", path });
      return ok({ path, uri: `memory:///${path}` });
    },
    async read(file) {
      const text = files.get(file.path);
      if (text === undefined) return err({ code: "not-found", path: file.path });
      return ok({ file, exists: true, text, version: 1, languageId: "" });
    },
    writable: async () => locked,
    list: async () => ok([]),
    search: async () => ok({ matches: [], truncated: false }),
  };
}
