import type { FileSnapshot } from "../../../src/ports/workspace.ts";

/** A snapshot of a file that is nowhere; `text` null for one that does not exist. */
export function fileSnapshot(path: string, text: string | null): FileSnapshot {
  return {
    file: { path, uri: `test:///${path}` },
    exists: text !== null,
    text: text ?? "",
    version: 1,
    languageId: "",
  };
}
