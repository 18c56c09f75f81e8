import type { Tool } from "../../src/tools/tool.ts";
import type { MessageEnd } from "../../src/turns/streamRegistry.ts";
import { testTool } from "./testTool.ts";

/** What a request of {@link listeningTool} received. */
export interface Heard {
  text: string;
  readonly messages: string[];
  readonly ends: MessageEnd[];
  disposed: number;
}

/**
 * What it says at a message's end: what to tell the model, null for nothing, and whether it is over
 * with that.
 */
interface Decision {
  readonly report: string | null;
  readonly ended: boolean;
}

/**
 * A tool whose call receives the stream after it returned, as edit mode does; `decide` says what it
 * reports at each message's end.
 */
export function listeningTool(
  decide: (heard: Heard, end: MessageEnd, signal: AbortSignal) => Promise<Decision>,
): {
  readonly tool: Tool;
  readonly heard: Heard;
} {
  const heard: Heard = { text: "", messages: [], ends: [], disposed: 0 };
  const tool = testTool(
    "listen",
    async (_text, { callId, streams }) => {
      const registration = streams.register(callId, {
        messageStart: () => {
          heard.text = "";
        },
        text: (delta) => {
          heard.text += delta;
        },
        async messageEnd(end, signal) {
          heard.messages.push(heard.text);
          heard.ends.push(end);
          const { report, ended } = await decide(heard, end, signal);
          if (ended) registration.dispose();
          return report;
        },
        dispose: () => {
          heard.disposed += 1;
        },
      });
      return { ok: true, output: "Listening." };
    },
    "write",
  );
  return { tool, heard };
}
