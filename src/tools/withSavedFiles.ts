import type { DiskGap, SavedFiles } from "../ports/savedFiles.ts";
import { failed } from "./messages.ts";
import {
  type PreparedCall,
  type QuestionDetails,
  type Tool,
  type ToolContext,
  type ToolResult,
  withCalls,
} from "./tool.ts";

/**
 * A tool that works on the files on the disk. Accepted changes are saved before each call that
 * `looks` at them, the approval question names the pending and the unsaved files, and the result
 * says what was not on the disk.
 */
export function withSavedFiles(
  tool: Tool,
  files: SavedFiles,
  looks: (call: PreparedCall) => boolean = () => true,
): Tool {
  return withCalls(tool, (call) => {
    if (!looks(call)) return call;
    return {
      ...call,
      details: async (signal) => ({ ...(await call.details?.(signal)), ...filesBeside(files) }),
      run: (context) => onSavedFiles(tool.name, files, context, () => call.run(context)),
    };
  });
}

/** The files that a call would not see as they are in the chat or the editor. */
export function filesBeside(files: SavedFiles): QuestionDetails {
  const [pendingFiles, unsavedFiles] = [files.pending(), files.unsaved()];
  return {
    ...(pendingFiles.length > 0 && { pendingFiles }),
    ...(unsavedFiles.length > 0 && { unsavedFiles }),
  };
}

/** Runs a call once accepted changes are saved; its result says what was not on the disk. */
export async function onSavedFiles(
  tool: string,
  files: SavedFiles,
  { signal }: Pick<ToolContext, "signal">,
  run: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const unsaved = await files.saveAccepted(signal);
  if (signal.aborted) return failed("cancelled", { tool, begun: false });
  const gap: DiskGap = { pending: files.pending(), ...unsaved };
  const result = await run();
  return Object.values(gap).some(({ length }) => length > 0) ? { ...result, gap } : result;
}
