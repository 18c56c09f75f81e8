import type { DiskGap, SavedFiles } from "../ports/savedFiles.ts";
import { failed } from "./messages.ts";
import { type PreparedCall, type Tool, withCalls } from "./tool.ts";

/**
 * A tool that works on the files on the disk. Accepted changes are saved before each call that `looks` at them, the approval question
 * names the pending and the unsaved files, and the result says what was not on the disk.
 */
export function withSavedFiles(tool: Tool, files: SavedFiles, looks: (call: PreparedCall) => boolean = () => true): Tool {
  return withCalls(tool, (call) => {
    if (!looks(call)) return call;
    const [pendingFiles, unsavedFiles] = [files.pending(), files.unsaved()];
    return {
      ...call,
      ...(pendingFiles.length > 0 && { pendingFiles }),
      ...(unsavedFiles.length > 0 && { unsavedFiles }),
      async run(context) {
        const unsaved = await files.saveAccepted(context.signal);
        if (context.signal.aborted) return failed("cancelled", { tool: tool.name, begun: false });
        const gap: DiskGap = { pending: files.pending(), ...unsaved };
        const result = await call.run(context);
        return Object.values(gap).some(({ length }) => length > 0) ? { ...result, gap } : result;
      },
    };
  });
}
