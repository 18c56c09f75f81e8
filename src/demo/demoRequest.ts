import * as z from "zod/mini";

const requestSchema = z.object({
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.optional(z.nullable(z.string())),
      tool_calls: z.optional(z.array(z.object({ function: z.object({ name: z.string(), arguments: z.string() }) }))),
    }),
  ),
  tools: z.optional(z.array(z.object({ function: z.object({ name: z.string() }) }))),
});
const argumentsSchema = z.object({ file_path: z.string() });

/** Rules and summaries are no requests. */
const ENCLOSED = /^\[[^\n]*\]\n[\s\S]*?\n\[End of [^\n]*\]$/gm;
/** How a request without tools tells a call: its arguments are JSON. */
const LAST_RESULT = /^Result of edit_mode \{(?![\s\S]*^Result of edit_mode \{)[\s\S]*/m;
const TOLD_CALL = /^Result of edit_mode (\{.*\}):$/gm;

/** A chat completions request, as far as the script looks at it. */
export interface DemoRequest {
  readonly tools: ReadonlySet<string>;
  /** The newest user message, without the workspace's rules. */
  readonly said: string;
  /** The names of the tools called since then. */
  readonly called: ReadonlySet<string>;
  /** The answer before `said`; "" at the start of a conversation. */
  readonly answer: string;
  /** The files of all calls, newest first. */
  readonly paths: readonly string[];
}

/** Reads the JSON body of a request; null for anything else. */
export function parseDemoRequest(body: string): DemoRequest | null {
  const parsed = requestSchema.safeParse(parseJson(body));
  if (!parsed.success) return null;
  const messages = parsed.data.messages.map(({ role, content, tool_calls: calls = [] }) => ({
    role,
    text: (content ?? "").replace(role === "user" ? ENCLOSED : "", "").trim(),
    calls: calls.map((call) => call.function),
  }));
  const at = messages.findLastIndex(({ role, text }) => role === "user" && text !== "");
  const told = messages.flatMap(({ text, calls }) => [
    ...calls.map((call) => call.arguments),
    ...[...text.matchAll(TOLD_CALL)].map((match) => match[1] ?? ""),
  ]);
  const tools = new Set(parsed.data.tools?.map((tool) => tool.function.name));
  const text = messages[at]?.text ?? "";
  return {
    tools,
    said: tools.size === 0 ? text.replace(LAST_RESULT, "") : text,
    called: new Set(messages.slice(at + 1).flatMap(({ calls }) => calls.map(({ name }) => name))),
    answer: messages.slice(0, Math.max(at, 0)).findLast(({ role }) => role === "assistant")?.text ?? "",
    paths: told.flatMap((json) => argumentsSchema.safeParse(parseJson(json)).data?.file_path ?? []).reverse(),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
