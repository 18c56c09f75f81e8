import assert from "node:assert/strict";
import type { Tool, ToolOutcome } from "../../../src/tools/tool.ts";
import { toolResultText } from "../../../src/tools/toolResultText.ts";
import { createToolRouter } from "../../../src/tools/toolRouter.ts";
import type { TurnEventBody } from "../../../src/turns/turnEvent.ts";
import { allowAll } from "../../fakes/allowAll.ts";
import { runCall } from "../../fakes/runCall.ts";

/** Calls tools as the model does. */
export interface ToolHarness {
  /** Every event that the calls emitted. */
  readonly events: TurnEventBody[];
  /** The result as the model reads it. */
  call(name: string, args?: object, signal?: AbortSignal): Promise<string>;
  /** The error's code; null for a success. */
  code(name: string, args?: object, signal?: AbortSignal): Promise<string | null>;
  run(name: string, args?: object, signal?: AbortSignal): Promise<ToolOutcome>;
}

export function toolHarness(tools: readonly Tool[]): ToolHarness {
  const router = createToolRouter(tools, allowAll);
  const events: TurnEventBody[] = [];
  const streams = { register: () => assert.fail("these tools do not listen") };
  const run: ToolHarness["run"] = (name, args = {}, signal = new AbortController().signal) => {
    const context = {
      turnId: "t",
      callId: "c",
      signal,
      emit: (event: TurnEventBody) => events.push(event),
      streams,
    };
    return runCall(router, { callId: "c", name, argsText: JSON.stringify(args) }, context);
  };
  return {
    events,
    run,
    call: async (...call) => toolResultText(await run(...call)),
    async code(...call) {
      const outcome = await run(...call);
      return outcome.ok ? null : (outcome.error.code ?? "");
    },
  };
}
