import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod/mini";

const requestSchema = z.looseObject({
  tools: z.optional(z.array(z.looseObject({ name: z.string() }))),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

/** What the model does in one step. */
export type AnthropicStep =
  | { readonly tool: string; readonly input: object }
  | {
      readonly text: string;
      /** What it says after that, each when it settles, in pieces of a few letters. */
      readonly more?: readonly Promise<string>[];
    };

/** A server of Anthropic's messages API with a model whose steps are given. */
export interface AnthropicServer {
  readonly url: string;
  /** The messages of each request with tools, as JSON. */
  readonly heard: readonly string[];
  close(): Promise<void>;
}

/** Requests without tools, such as for a title, and for what the user may say next, get a word. */
export async function startAnthropicServer(
  steps: readonly AnthropicStep[],
): Promise<AnthropicServer> {
  const heard: string[] = [];
  const http = createServer(async (request, response) => {
    const body = requestSchema.safeParse(JSON.parse((await text(request)) || "{}")).data;
    if (!body || !request.url?.startsWith("/v1/messages") || request.url.includes("count_tokens"))
      return void response.setHeader("content-type", "application/json").end('{"input_tokens":1}');
    const isOwn = JSON.stringify(body.messages).includes("[SUGGESTION MODE");
    const isMain = (body.tools ?? []).length > 3 && !isOwn;
    const step = isMain ? steps[heard.length] : undefined;
    if (isMain) heard.push(JSON.stringify(body.messages));
    await answer(response, step ?? { text: "done" });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

async function answer(response: ServerResponse, step: AnthropicStep): Promise<void> {
  const send = (type: string, more: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  const usage = { input_tokens: 1, output_tokens: 1 };
  const isText = "text" in step;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const message = { id: "msg", type: "message", role: "assistant", model: "m", content: [], usage };
  send("message_start", { message: { ...message, stop_reason: null, stop_sequence: null } });
  const block = isText
    ? { type: "text", text: "" }
    : { type: "tool_use", id: `toolu_${crypto.randomUUID()}`, name: step.tool, input: {} };
  send("content_block_start", { index: 0, content_block: block });
  const piece = (delta: object) => send("content_block_delta", { index: 0, delta });
  if (isText) {
    piece({ type: "text_delta", text: step.text });
    for (const next of step.more ?? [])
      for (const text of (await next).match(/[\s\S]{1,7}/g) ?? [])
        piece({ type: "text_delta", text });
  } else piece({ type: "input_json_delta", partial_json: JSON.stringify(step.input) });
  send("content_block_stop", { index: 0 });
  const reason = isText ? "end_turn" : "tool_use";
  send("message_delta", { delta: { stop_reason: reason, stop_sequence: null }, usage });
  send("message_stop", {});
  response.end();
}
