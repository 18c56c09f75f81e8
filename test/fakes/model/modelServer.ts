import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import * as z from "zod/mini";

const contentPartSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("image_url"), image_url: z.strictObject({ url: z.string() }) }),
]);

/** A message's content as its text; a list of parts says where the images are. */
const contentSchema = z.pipe(
  z.union([z.string(), z.array(contentPartSchema)]),
  z.transform((content) =>
    typeof content === "string"
      ? content
      : content
          .map((part) => (part.type === "text" ? part.text : `<${part.image_url.url}>`))
          .join("\n"),
  ),
);

const wireMessageSchema = z.looseObject({
  role: z.string(),
  content: z.optional(z.nullable(contentSchema)),
  tool_call_id: z.optional(z.string()),
  tool_calls: z.optional(
    z.array(
      z.looseObject({
        id: z.string(),
        function: z.looseObject({ name: z.string(), arguments: z.string() }),
      }),
    ),
  ),
});

const wireRequestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(wireMessageSchema),
  tools: z.optional(
    z.array(z.looseObject({ type: z.string(), function: z.looseObject({ name: z.string() }) })),
  ),
});

/** The JSON body of a chat completions request, unknown fields kept. */
export type WireRequest = z.infer<typeof wireRequestSchema>;

/** One request that reached the server. */
export interface RecordedRequest {
  readonly body: WireRequest;
  readonly headers: IncomingHttpHeaders;
  /** True once the client went away before the answer was complete. */
  closedEarly: boolean;
  /** Settles when the connection's answer is over, completely or not. */
  readonly closed: Promise<void>;
}

/**
 * One answer of the model: reasoning first, then text, then tool calls, then more text, then the
 * finish reason, usage and `[DONE]`.
 */
export interface ModelStep {
  readonly text?: string;
  readonly reasoning?: string;
  /**
   * `args` is sent as it is when it is a string, else as JSON. Ids default to
   * `call_<request>_<position>`.
   */
  readonly toolCalls?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly args: unknown;
  }[];
  readonly textAfter?: string;
  /** Default `tool_calls` where there are calls, else `stop`; null sends none. */
  readonly finish?: string | null;
  /** How many tokens the server says the request had; default 100. */
  readonly promptTokens?: number;
  /** UTF-16 units in one delta of text, reasoning or arguments; default 16. */
  readonly chunkSize?: number;
  /** The text in exactly these deltas, in place of `text`. */
  readonly pieces?: readonly string[];
  /**
   * Settles when the chunk with this number may be sent; 0 holds the role only, 1 the first piece
   * of the text.
   */
  pace?(chunk: number): Promise<unknown>;
  /**
   * Sends this many chunks (the first one holds the role only), then nothing more until `resume`
   * settles or the client goes away. 0 withholds even the headers.
   */
  readonly stallAfter?: number;
  readonly resume?: Promise<unknown>;
  /** Destroys the connection after this many chunks; 0 answers nothing at all. */
  readonly dieAfter?: number;
  /** Anything but 200 answers with `body` instead of a stream. */
  readonly status?: number;
  /**
   * Answer body: for another status than 200 (default an OpenAI error object), or a whole raw body
   * for 200.
   */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Decides the answer to the request with the 0-based number `index`. */
export type ModelHandler = (request: RecordedRequest, index: number) => ModelStep;

/** An OpenAI-compatible server on the loopback interface. */
export interface ModelServer {
  /** The base URL, `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  /** The chat requests in the order they came. */
  readonly requests: readonly RecordedRequest[];
  /** Settles with the request of the 0-based number once it has arrived. */
  request(index: number): Promise<RecordedRequest>;
  close(): Promise<void>;
}

/**
 * Answers the first request with the first step, and so on; one request too many gets an error 500
 * that says so.
 */
export function scripted(steps: readonly ModelStep[]): ModelHandler {
  return (_request, index) =>
    steps[index] ?? {
      status: 500,
      body: JSON.stringify({
        error: { message: `The test's script has ${steps.length} steps only.` },
      }),
    };
}

/** The chunk objects that a step streams, in order. */
export function stepChunks(step: ModelStep, index: number): readonly unknown[] {
  const size = step.chunkSize ?? 16;
  const base = {
    id: `chatcmpl-${index}`,
    object: "chat.completion.chunk",
    created: 0,
    model: "test-model",
  };
  const delta = (value: unknown) => ({
    ...base,
    choices: [{ index: 0, delta: value, finish_reason: null }],
  });
  const chunks: unknown[] = [delta({ role: "assistant", content: "" })];
  for (const text of pieces(step.reasoning ?? "", size))
    chunks.push(delta({ reasoning_content: text }));
  for (const text of step.pieces ?? pieces(step.text ?? "", size))
    chunks.push(delta({ content: text }));
  const calls = step.toolCalls ?? [];
  for (const [position, call] of calls.entries()) {
    const id = call.id ?? `call_${index}_${position}`;
    const args = typeof call.args === "string" ? call.args : JSON.stringify(call.args);
    chunks.push(
      delta({
        tool_calls: [
          { index: position, id, type: "function", function: { name: call.name, arguments: "" } },
        ],
      }),
    );
    for (const text of pieces(args, size))
      chunks.push(delta({ tool_calls: [{ index: position, function: { arguments: text } }] }));
  }
  for (const text of pieces(step.textAfter ?? "", size)) chunks.push(delta({ content: text }));
  const finish =
    step.finish === undefined ? (calls.length > 0 ? "tool_calls" : "stop") : step.finish;
  if (finish !== null)
    chunks.push({ ...base, choices: [{ index: 0, delta: {}, finish_reason: finish }] });
  chunks.push({
    ...base,
    choices: [],
    usage: {
      prompt_tokens: step.promptTokens ?? 100,
      completion_tokens: 20,
      total_tokens: (step.promptTokens ?? 100) + 20,
    },
  });
  return chunks;
}

/**
 * Starts a server whose answers `handler` decides; a list of steps is a script. Everything but POST
 * …/chat/completions gets an error 404.
 */
export async function startModelServer(
  handler: ModelHandler | readonly ModelStep[],
): Promise<ModelServer> {
  const decide = typeof handler === "function" ? handler : scripted(handler);
  const requests: RecordedRequest[] = [];
  const waiting = new Map<number, (request: RecordedRequest) => void>();
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // A web worker host asks from a page of another origin.
    for (const what of ["origin", "headers", "methods"])
      response.setHeader(`access-control-allow-${what}`, "*");
    // `*` does not cover this one:
    // https://fetch.spec.whatwg.org/#cors-non-wildcard-request-header-name
    response.appendHeader("access-control-allow-headers", "authorization");
    if (incoming.method === "OPTIONS") {
      response.writeHead(204).end();
      return;
    }
    if (incoming.method !== "POST" || !incoming.url?.endsWith("/v1/chat/completions")) {
      response
        .writeHead(404, { "content-type": "application/json" })
        .end('{"error":{"message":"no such path"}}');
      return;
    }
    const closed = new Promise<void>((resolve) => response.once("close", resolve));
    let text = "";
    for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
    const request: RecordedRequest = {
      body: wireRequestSchema.parse(JSON.parse(text)),
      headers: incoming.headers,
      closedEarly: false,
      closed,
    };
    const index = requests.push(request) - 1;
    const step = decide(request, index);
    const dies = step.dieAfter !== undefined;
    response.once("close", () => {
      if (!response.writableFinished && !dies) request.closedEarly = true;
    });
    waiting.get(index)?.(request);
    await send(step, index, response, closed);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The test server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    request(index) {
      const known = requests[index];
      return known ? Promise.resolve(known) : new Promise((resolve) => waiting.set(index, resolve));
    },
    async close() {
      const ended = once(server, "close");
      server.close();
      server.closeAllConnections();
      await ended;
    },
  };
}

async function send(
  step: ModelStep,
  index: number,
  response: ServerResponse,
  closed: Promise<void>,
): Promise<void> {
  const stall = () => Promise.race([closed, step.resume ?? closed]);
  if (step.dieAfter === 0) {
    response.destroy();
    return;
  }
  if (step.stallAfter === 0) await stall();
  if (response.destroyed) return;
  const status = step.status ?? 200;
  if (status !== 200 || step.body !== undefined) {
    const type = status === 200 ? "text/event-stream" : "application/json";
    const body =
      step.body ??
      JSON.stringify({
        error: { message: `The test answers with status ${status}.`, type: "test_error" },
      });
    response.writeHead(status, { "content-type": type, ...step.headers }).end(body);
    return;
  }
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    ...step.headers,
  });
  response.flushHeaders();
  for (const [sent, chunk] of stepChunks(step, index).entries()) {
    if (sent === step.dieAfter) {
      response.destroy();
      return;
    }
    if (sent > 0 && sent === step.stallAfter) await stall();
    if (step.pace) await Promise.race([closed, step.pace(sent)]);
    if (response.destroyed) return;
    const flushed = new Promise((resolve) =>
      response.write(`data: ${JSON.stringify(chunk)}\n\n`, resolve),
    );
    await Promise.race([flushed, closed]);
  }
  response.end("data: [DONE]\n\n");
}

/** A text in pieces of at most `size` UTF-16 units. */
export function pieces(text: string, size: number): readonly string[] {
  const result: string[] = [];
  for (let start = 0; start < text.length; start += size)
    result.push(text.slice(start, start + size));
  return result;
}
