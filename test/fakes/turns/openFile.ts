import type { OpenFile } from "../../../src/edits/answer/openSessions.ts";
import { fileSnapshot } from "../workspace/fileSnapshot.ts";

/** The only file in edit mode, for blocks with an address. */
export function openFile(path: string, text: string): OpenFile {
  return {
    file: fileSnapshot(path, text).file,
    baseText: text,
    awaitsPlain: false,
    namesElement: () => false,
    holds: () => true,
  };
}
