import type { TurnEventBody } from "../../src/turns/turnEvent.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";

/** A turn with a running tool. */
export function running(
  name: string,
  input: object,
  ...more: readonly TurnEventBody[]
): TurnScript {
  const script = new TurnScript().ask("Go on");
  script.add(
    { type: "tool-call-start", callId: "c", name },
    { type: "tool-call", callId: "c", name, argsText: JSON.stringify(input), input },
    { type: "tool-start", callId: "c" },
    ...more,
  );
  return script;
}

/** The call is over, and with it its question. */
export function resultOf(callId: string): TurnEventBody & { readonly type: "tool-result" } {
  return { type: "tool-result", callId, status: "success", output: "", error: null, durationMs: 5 };
}
