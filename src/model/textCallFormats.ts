import * as z from "zod/mini";
import { jsonValues } from "./jsonValues.ts";
import type { ToolSpec } from "./message.ts";

/** A call that a model wrote as text; `argsText` is a JSON object. */
export interface TextCall {
  readonly name: string;
  readonly argsText: string;
}

/** A way of writing calls as text. */
export interface TextCallFormat {
  /** What introduces it; "" where it is the whole answer. */
  readonly marker: string;
  /** What ends it; null where only the end of the answer does. */
  readonly close: string | null;
  /** What must follow the marker; absent where that depends on the tools. */
  readonly first?: string;
}

/** The formats, as the chat templates of these models have them. */
export const textCallFormats = {
  /** Hermes and Qwen: https://github.com/NousResearch/Hermes-Function-Calling */
  tag: { marker: "<tool_call>", close: "</tool_call>" },
  /** Llama 3 and Qwen3-Coder: https://www.llama.com/docs/model-cards-and-prompt-formats/llama3_1/ */
  function: { marker: "<function=", close: "</function>" },
  /** Mistral: https://docs.mistral.ai/cookbooks/concept-deep-dive-tokenization-tool_calling */
  list: { marker: "[TOOL_CALLS]", close: null },
  /** Llama 3 */
  python: { marker: "<|python_tag|>", close: null },
  /** Kimi: https://huggingface.co/moonshotai/Kimi-K2-Instruct/blob/main/docs/tool_call_guidance.md */
  kimi: { marker: "<|tool_calls_section_begin|>", close: "<|tool_calls_section_end|>", first: "<|tool_call_begin|>" },
  /** DeepSeek: https://huggingface.co/deepseek-ai/DeepSeek-V3.1 */
  deepseek: { marker: "<｜tool▁calls▁begin｜>", close: "<｜tool▁calls▁end｜>", first: "<｜tool▁call▁begin｜>" },
  /** MiniMax: https://huggingface.co/MiniMaxAI/MiniMax-M2/blob/main/docs/tool_calling_guide.md */
  minimax: { marker: "<minimax:tool_call>", close: "</minimax:tool_call>", first: '<invoke name="' },
  /** JSON alone, bare or in a code block. */
  answer: { marker: "", close: null },
} as const satisfies Record<string, TextCallFormat>;

/** Whether a beginning can grow into a call. */
export type Lead = "no" | "maybe" | "yes";

/** A beginning longer than this, in UTF-16 units, is undecided no more. */
const LONGEST_LEAD = 400;

const callSchema = z.looseObject({
  name: z.optional(z.string()),
  tool: z.optional(z.string()),
  function: z.optional(z.union([z.string(), z.looseObject({ name: z.string(), arguments: z.optional(z.unknown()) })])),
  arguments: z.optional(z.unknown()),
  parameters: z.optional(z.unknown()),
});

const propertiesSchema = z.record(z.string(), z.looseObject({ type: z.optional(z.unknown()) }));

/** Whether an answer that begins so may be nothing but a call in JSON: its first key is that of a call, and its name that of a tool. */
export function answerLead(text: string, tools: readonly ToolSpec[]): Lead {
  return capped(text, (lead) => {
    const block = /^\s*```[\w-]{0,20}[ \t]*\n/.exec(lead);
    if (block) return objectLead(lead.slice(block[0].length), tools);
    if (/^\s*(?:`{1,2}|```[\w-]{0,20}[ \t]*)$/.test(lead)) return "maybe";
    return objectLead(lead, tools);
  });
}

/** Whether what follows the marker of `format` may be a call of one of `tools`. */
export function bodyLead(format: TextCallFormat, text: string, tools: readonly ToolSpec[]): Lead {
  return capped(text, (lead) => {
    const body = format === textCallFormats.function ? lead : lead.trimStart();
    if (body === "") return "maybe";
    if (format.first !== undefined) return within(body, format.first);
    const first = body.charAt(0);
    if (format !== textCallFormats.function && first === "{") return "yes";
    if (format === textCallFormats.python) return "no";
    if ((format === textCallFormats.list || format === textCallFormats.tag) && first === "[") return "yes";
    if (format === textCallFormats.tag && first === "<") return within(body, textCallFormats.function.marker);
    const name = /^[\w.-]*/.exec(body)?.[0] ?? "";
    if (name.length < body.length) return tools.some((tool) => tool.name === name) ? "yes" : "no";
    return tools.some((tool) => tool.name.startsWith(name)) ? "maybe" : "no";
  });
}

/** The calls in a whole body, without marker and closing tag; null where it is not calls of `tools` and nothing else. */
export function textCallsIn(format: TextCallFormat, body: string, tools: readonly ToolSpec[]): readonly TextCall[] | null {
  switch (format) {
    case textCallFormats.tag: {
      const inner = /^\s*<function=([\s\S]*)<\/function>\s*$/.exec(body)?.[1];
      return inner !== undefined ? one(functionCall(inner, tools)) : (jsonCalls(body, tools, "{}") ?? one(taggedArguments(body, tools)));
    }
    case textCallFormats.function:
      return one(functionCall(body, tools));
    case textCallFormats.list:
      return jsonCalls(body, tools, "{}") ?? namedCalls(body, tools);
    case textCallFormats.python:
      return jsonCalls(body.replace(/<\|(?:eom_id|eot_id)\|>\s*$/, ""), tools, "{}");
    case textCallFormats.kimi:
    case textCallFormats.deepseek:
      return allCalls(body, SECTION_CALL, (name, args) => textCall(name, args, tools));
    case textCallFormats.minimax:
      return allCalls(body, /<invoke name="([^"]+)">([\s\S]*?)<\/invoke>/g, (name, args) =>
        parameterCall(name, args, /<parameter name="([^"]+)">([\s\S]*?)<\/parameter>/g, tools),
      );
    default:
      return jsonCalls(/^\s*```[\w-]*[ \t]*\n([\s\S]*?)\s*```\s*$/.exec(body)?.[1] ?? body, tools, null);
  }
}

/** A call in a section of Kimi's (`functions.name:0`, arguments) or DeepSeek's (name, arguments; before V3.1 a type first, and a block of JSON). */
const SECTION_CALL =
  /<[|｜]tool[_▁]call[_▁]begin[|｜]>\s*(?:function<｜tool▁sep｜>)?(?:functions\.)?([\w.-]+)(?::\d+)?\s*(?:<\|tool_call_argument_begin\|>|<｜tool▁sep｜>|\n)\s*(?:```json)?([\s\S]*?)(?:```\s*)?<[|｜]tool[_▁]call[_▁]end[|｜]>/g;

/** Each call that `pattern` finds by name and arguments; null where one is no call, or where there is anything else. */
function allCalls(body: string, pattern: RegExp, read: (name: string, args: string) => TextCall | null): readonly TextCall[] | null {
  if (body.replace(pattern, "").trim() !== "") return null;
  const calls = [...body.matchAll(pattern)].map(([, name = "", args = ""]) => read(name, args));
  return calls.length > 0 && calls.every((call) => call !== null) ? calls : null;
}

function capped(text: string, decide: (lead: string) => Lead): Lead {
  const verdict = decide(text.slice(0, LONGEST_LEAD));
  return verdict === "maybe" && text.length >= LONGEST_LEAD ? "no" : verdict;
}

function within(text: string, whole: string): Lead {
  if (text.startsWith(whole)) return "yes";
  return whole.startsWith(text) ? "maybe" : "no";
}

function objectLead(text: string, tools: readonly ToolSpec[]): Lead {
  const opened = /^\s*(?:\[\s*)?(?:\{\s*)?/.exec(text)?.[0] ?? "";
  if (opened.length === text.length) return "maybe";
  if (!opened.includes("{")) return "no";
  const [key = "", word = "", closed] = /^"([a-z]*)("?)/.exec(text.slice(opened.length)) ?? [];
  if (key === "") return "no";
  const rest = text.slice(opened.length + key.length);
  if (closed === "") return rest === "" && KEYS.some((known) => known.startsWith(word)) ? "maybe" : "no";
  if (!KEYS.includes(word)) return "no";
  const colon = /^\s*:?\s*/.exec(rest)?.[0] ?? "";
  if (colon.length === rest.length) return "maybe";
  if (!colon.includes(":")) return "no";
  const value = rest.slice(colon.length);
  if (word === "arguments" || word === "parameters") return "yes";
  if (word === "function" && value.startsWith("{")) return "yes";
  const [quoted = "", content = "", end] = /^"([^"]*)("?)/.exec(value) ?? [];
  if (quoted === "") return "no";
  const names = word === "type" ? ["function"] : tools.map(({ name }) => name);
  if (end === "") return names.some((name) => name.startsWith(content)) ? "maybe" : "no";
  return names.includes(content) ? "yes" : "no";
}

/** The first key of a call in JSON. */
const KEYS = ["name", "tool", "function", "type", "arguments", "parameters"];

/** `without` are the arguments of a call that has none; null where it is then no call. */
function jsonCalls(text: string, tools: readonly ToolSpec[], without: string | null): readonly TextCall[] | null {
  const values = jsonValues(text)?.flatMap((value) => (Array.isArray(value) ? value : [value])) ?? [];
  const calls = values.map((value) => jsonCall(value, tools, without));
  return calls.length > 0 && calls.every((call) => call !== null) ? calls : null;
}

function jsonCall(value: unknown, tools: readonly ToolSpec[], without: string | null): TextCall | null {
  const parsed = z.safeParse(callSchema, value);
  if (!parsed.success) return null;
  const { function: fn, ...call } = parsed.data;
  const name = call.name ?? call.tool ?? (typeof fn === "object" ? fn.name : fn) ?? "";
  const args = call.arguments ?? call.parameters ?? (typeof fn === "object" ? fn.arguments : undefined);
  const argsText = args === undefined ? without : typeof args === "string" ? args : JSON.stringify(args);
  return argsText === null ? null : textCall(name, argsText, tools);
}

/** `name>{json}`, or `name>` and a tag for each parameter. */
function functionCall(body: string, tools: readonly ToolSpec[]): TextCall | null {
  const end = body.indexOf(">");
  if (end < 0) return null;
  const name = body.slice(0, end).trim();
  const rest = body
    .slice(end + 1)
    .replace(/<\/function>\s*$/, "")
    .trim();
  if (rest.startsWith("{")) return textCall(name, rest, tools);
  return parameterCall(name, rest, /<parameter=([^>\n]+)>([\s\S]*?)<\/parameter>/g, tools);
}

/** GLM: the name, then a tag for each key and value. */
function taggedArguments(body: string, tools: readonly ToolSpec[]): TextCall | null {
  const name = /^\s*([\w.-]+)/.exec(body);
  if (!name) return null;
  const pairs = /<arg_key>([^<]+)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g;
  return parameterCall(name[1] ?? "", body.slice(name[0].length), pairs, tools);
}

function parameterCall(name: string, text: string, pairs: RegExp, tools: readonly ToolSpec[]): TextCall | null {
  if (text.replace(pairs, "").trim() !== "") return null;
  const tool = tools.find((each) => each.name === name);
  const properties = z.safeParse(propertiesSchema, tool?.parameters.properties);
  const args = [...text.matchAll(pairs)].map(([, key = "", value = ""]) => {
    const type = properties.success ? properties.data[key.trim()]?.type : undefined;
    return [key.trim(), parameterValue(value, type)];
  });
  return textCall(name, JSON.stringify(Object.fromEntries(args)), tools);
}

/** A text as it stands between its tags, where the tool takes a text; else the JSON that it is. */
function parameterValue(text: string, type: unknown): unknown {
  const value = text.replace(/^\n|\n$/g, "");
  if (type === "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Mistral's later form: `name[ARGS]{json}`, several behind one another, each with the marker or without it. */
function namedCalls(body: string, tools: readonly ToolSpec[]): readonly TextCall[] | null {
  const calls = body.split(textCallFormats.list.marker).map((each) => {
    const [, name = "", args = ""] = /^\s*([\w.-]+)(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?\s*(\{[\s\S]*\})\s*$/.exec(each) ?? [];
    return textCall(name, args, tools);
  });
  return calls.every((call) => call !== null) ? calls : null;
}

function one(call: TextCall | null): readonly TextCall[] | null {
  return call === null ? null : [call];
}

function textCall(name: string, argsText: string, tools: readonly ToolSpec[]): TextCall | null {
  if (!tools.some((tool) => tool.name === name)) return null;
  const values = jsonValues(argsText);
  const [value] = values ?? [];
  const isObject = values?.length === 1 && typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? { name, argsText: argsText.trim() } : null;
}
