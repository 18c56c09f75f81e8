import type { ToolCall } from "../../src/model/message.ts";
import type { ToolContext, ToolOutcome } from "../../src/tools/tool.ts";
import { readCall } from "../../src/tools/toolArguments.ts";
import type { ToolRouter } from "../../src/tools/toolRouter.ts";

/** Runs a call as the agent does. */
export function runCall(
  router: ToolRouter,
  call: ToolCall,
  context: ToolContext,
): Promise<ToolOutcome> {
  return router.prepare(readCall(call)).run(context);
}
