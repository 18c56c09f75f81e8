import * as z from "zod/mini";

const contentSchema = z.optional(z.nullable(z.union([z.string(), z.array(z.looseObject({ text: z.optional(z.string()) }))])));

const requestSchema = z.object({
  model: z.optional(z.string()),
  stream: z.optional(z.nullable(z.boolean())),
  stream_options: z.optional(z.nullable(z.object({ include_usage: z.optional(z.boolean()) }))),
  messages: z.array(
    z.object({
      role: z.string(),
      content: contentSchema,
      tool_call_id: z.optional(z.string()),
      tool_calls: z.optional(
        z.nullable(z.array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))),
      ),
    }),
  ),
  tools: z.optional(z.nullable(z.array(z.object({ function: z.object({ name: z.string() }) })))),
});

/** A call of an earlier answer. */
export interface DemoCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** One message of the request; `callId` is set on a tool's result. */
export interface DemoMessage {
  readonly role: string;
  readonly text: string;
  readonly calls: readonly DemoCall[];
  readonly callId: string | null;
}

/** A chat completions request, as far as the demonstration looks at it. */
export interface DemoRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly messages: readonly DemoMessage[];
  readonly tools: ReadonlySet<string>;
}

/** Reads the JSON body of a request; null for anything else. */
export function parseDemoRequest(body: string): DemoRequest | null {
  const parsed = requestSchema.safeParse(parseJson(body));
  if (!parsed.success) return null;
  const { model, stream, stream_options, messages, tools } = parsed.data;
  return {
    model: model ?? "demo",
    stream: stream ?? false,
    includeUsage: stream_options?.include_usage ?? false,
    tools: new Set((tools ?? []).map((tool) => tool.function.name)),
    messages: messages.map((message) => ({
      role: message.role,
      text: contentText(message.content),
      callId: message.tool_call_id ?? null,
      calls: (message.tool_calls ?? []).map((call) => ({
        id: call.id,
        name: call.function.name,
        args: parseCallArguments(call.function.arguments),
      })),
    })),
  };
}

/** The arguments of a call; none where the text is not a JSON object. */
export function parseCallArguments(text: string): Readonly<Record<string, unknown>> {
  return argumentsSchema.safeParse(parseJson(text)).data ?? {};
}

const argumentsSchema = z.record(z.string(), z.unknown());

function contentText(content: z.infer<typeof contentSchema>): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
