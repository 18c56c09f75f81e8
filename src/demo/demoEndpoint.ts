import type { Syntax } from "../syntax/syntaxTypes.ts";
import { completionStream, wholeCompletion } from "./completionStream.ts";
import { parseDemoRequest } from "./demoRequest.ts";
import { demoScript } from "./demoScript.ts";

/** What the demonstration needs; `delayMs` is the pause between two chunks, 12 unless told. */
export interface DemoOptions {
  readonly syntax: Syntax;
  readonly delayMs?: number;
}

/**
 * An OpenAI-compatible endpoint without a network: a `fetch` that answers chat completions by a script (no AI) that knows a few
 * requests on TypeScript, JavaScript and Python files. It works through the tools the request offers and writes real edit blocks.
 */
export function createDemoFetch({ syntax, delayMs = 12 }: DemoOptions): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/models"))
      return json(200, { object: "list", data: [{ id: "demo", object: "model", created: 0, owned_by: "graft" }] });
    if (!pathname.endsWith("/chat/completions")) return json(404, errorBody(`The demonstration has no ${pathname}.`));
    if (request.method !== "POST") return json(405, errorBody("Chat completions are asked for with POST."));
    const parsed = parseDemoRequest(await request.text());
    if (!parsed) return json(400, errorBody("This is not a chat completions request."));
    const answer = await demoScript(parsed, syntax, request.signal);
    request.signal.throwIfAborted();
    if (!parsed.stream) return json(200, wholeCompletion(answer, parsed.model));
    const body = completionStream(answer, { model: parsed.model, includeUsage: parsed.includeUsage, delayMs }, request.signal);
    return new Response(body, {
      status: 200,
      headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
    });
  };
}

function errorBody(message: string): object {
  return { error: { message, type: "invalid_request_error", code: null } };
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}
