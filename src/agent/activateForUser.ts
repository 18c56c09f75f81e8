import { newId } from "../base/ids.ts";
import { untilAborted } from "../base/untilAborted.ts";
import type { EditMode } from "../edits/editMode.ts";
import type { ToolContext } from "../tools/tool.ts";
import { cancelledResult } from "../tools/toolRouter.ts";
import type { TurnError } from "./agentLoop.ts";
import { emitToolResult } from "./runToolCall.ts";

/**
 * Turns on edit mode for a file the user named, as if the model had called the tool: the call and its result are on record, and the
 * result is what the model is told about the file. The error, if any, ends the turn.
 */
export async function activateForUser(editMode: EditMode, path: string, context: Omit<ToolContext, "callId">): Promise<TurnError | null> {
  const { emit, signal } = context;
  const { name } = editMode.tool;
  const callId = newId("call");
  const input = { file_path: path };
  emit({ type: "tool-call", callId, name, argsText: JSON.stringify(input), input });
  emit({ type: "tool-start", callId });
  const startedAt = Date.now();
  const activated = await untilAborted(editMode.activate(input, { ...context, callId }), signal);
  const result = activated.ok ? activated.value : cancelledResult(name);
  emitToolResult(emit, callId, result, { executionTimeMs: Date.now() - startedAt, retriesUsed: 0 });
  return result.ok ? null : { kind: result.error.category, message: result.error.message, retryable: false };
}
