import { type ListServer, startListServer } from "./listServer.ts";
import { type ModelStep, stepChunks } from "./modelServer.ts";

/**
 * Starts a server that lists models by `routes` and answers each question with the next step, the
 * last one again and again.
 */
export function startFullServer(
  routes: Parameters<typeof startListServer>[0],
  steps: readonly ModelStep[],
  port = 0,
): Promise<ListServer> {
  let asked = 0;
  const answer = () => {
    const step = steps[Math.min(asked++, steps.length - 1)] ?? {};
    const events = [...stepChunks(step, asked).map((chunk) => JSON.stringify(chunk)), "[DONE]"];
    return {
      status: 200,
      text: events.map((event) => `data: ${event}\n\n`).join(""),
      headers: { "content-type": "text/event-stream" },
    };
  };
  return startListServer({ ...routes, "POST /v1/chat/completions": answer }, port);
}
