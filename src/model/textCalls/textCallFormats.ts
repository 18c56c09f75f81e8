import * as z from "zod/mini";
import { parseJson } from "../../base/text/parseJson.ts";
import type { ToolSpec } from "../message.ts";

/** A call that a model wrote as text; `argsText` is a JSON object. */
export interface TextCall {
  readonly name: string;
  readonly argsText: string;
}

/** One way of writing calls as text. */
export interface TextCallFormat {
  /** What introduces the calls; "" for a whole answer. */
  readonly marker: string;
  /** What ends them; null when they run to the end of the answer. */
  readonly close: string | null;
  /** What the body can begin with, without white space. */
  begins(names: readonly string[]): readonly string[];
  /** Reads a whole body. Null unless it consists of calls of `tools`. */
  read(body: string, tools: readonly ToolSpec[]): readonly TextCall[] | null;
}

type Read = TextCallFormat["read"];

const objectSchema = z.record(z.string(), z.unknown());
const propertiesSchema = z.record(z.string(), z.looseObject({ type: z.optional(z.unknown()) }));

/** Keys of a call in JSON. With any other key, an answer in JSON is not a call. */
const CALL_KEYS: readonly string[] = ["name", "function", "type", "arguments", "parameters", "id", "index"];

// Sticky patterns that continue where the last match ended: a missing closing tag costs linear time.
const SECTION_CALL =
  /\s*<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?([\w.-]+)\s*(?:<｜tool▁sep｜>|\n)\s*(?:```json)?([\s\S]*?)(?:```\s*)?(?:<｜tool▁call▁end｜>|$)/y;
const INVOKE = /\s*<｜DSML｜invoke name="([^"]+)"\s*>([\s\S]*?)<\/｜DSML｜invoke>/y;
const INVOKE_PARAMETER =
  /\s*<｜DSML｜parameter name="(?<key>[^"]+)"(?:\s+string="(?<string>\w+)")?\s*>(?<value>[\s\S]*?)<\/｜DSML｜parameter>/y;
/** One line break on either side of the value belongs to the tags. */
const FUNCTION_PARAMETER = /\s*<parameter=(?<key>[^>\n]+)>\n?(?<value>[\s\S]*?)\n?<\/parameter>/y;

/** Python constants, as JSON. */
const PYTHON: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

const readJsonCalls: Read = (body, tools) => {
  const text = body.replace(/(?:<\/s>|<\|\w+\|>)\s*$/, "");
  const value = parseJson(text) ?? text.split(/(?<=\})[\s;]*(?=\{\s*")/).map(parseJson);
  return every([value].flat().map((each) => jsonCall(each, tools, true)));
};

const readAnswer: Read = (body, tools) => {
  const text = body.trim();
  const value = parseJson(/^```[\w-]*[ \t]*\n([\s\S]*)```$/.exec(text)?.[1] ?? text);
  return every([value].flat().map((each) => jsonCall(each, tools, false)));
};

const readFunction: Read = (body, tools) => {
  const [, name = "", rest = ""] = /^\s*([^>]*)>([\s\S]*?)(?:<\/function>\s*)?$/.exec(body) ?? [];
  return every([namedCall(name.trim(), rest, FUNCTION_PARAMETER, tools)]);
};

const readTagged: Read = (body, tools) => {
  const inner = /^\s*<function=([\s\S]*<\/function>)\s*$/.exec(body)?.[1];
  return inner === undefined ? readJsonCalls(body, tools) : readFunction(inner, tools);
};

/** A JSON list, or since tokenizer 11 `name[ARGS]{json}`, several with or without the marker between them. */
const readMistral: Read = (body, tools) => {
  const named = /^\s*([\w.-]+)(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?\s*(\{[\s\S]*\})\s*(?:<\/s>\s*)?$/;
  const calls = body.split("[TOOL_CALLS]").map((each) => named.exec(each));
  return readJsonCalls(body, tools) ?? every(calls.map((match) => textCall(match?.[1] ?? "", match?.[2] ?? "", tools)));
};

const readSection: Read = (body, tools) =>
  every(matchesIn(body, SECTION_CALL)?.map(([, name = "", args = ""]) => textCall(name, args, tools)) ?? []);

const readInvokes: Read = (body, tools) =>
  every(matchesIn(body, INVOKE)?.map(([, name = "", args = ""]) => namedCall(name, args, INVOKE_PARAMETER, tools)) ?? []);

/** An answer that is one call in JSON, bare or in a code block. */
export const WHOLE_ANSWER: TextCallFormat = format("", null, answerBegins, readAnswer);

/** The formats that begin with a marker. */
export const MARKED_FORMATS: readonly TextCallFormat[] = [
  // Hermes and Qwen: https://github.com/NousResearch/Hermes-Function-Calling
  format("<tool_call>", "</tool_call>", () => ["{", "[", "<function="], readTagged),
  // Qwen3-Coder without the tag around it (https://github.com/QwenLM/Qwen3-Coder/issues/475), and Llama 3.
  format("<function=", "</function>", (names) => names.map((name) => `${name}>`), readFunction),
  // Llama 3: https://github.com/meta-llama/llama-models/blob/main/models/llama3_3/prompt_format.md
  format("<|python_tag|>", null, () => ["{"], readJsonCalls),
  // Mistral: https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/experimental/tools.py
  format("[TOOL_CALLS]", null, (names) => ["[", "{", ...names.flatMap((name) => [`${name}[`, `${name}{`])], readMistral),
  // DeepSeek up to V3.1: https://github.com/sgl-project/sglang/pull/9446
  format("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", () => ["<｜tool▁call▁begin｜>"], readSection),
  // DeepSeek V3.2 and V4: https://huggingface.co/deepseek-ai/DeepSeek-V3.2/blob/main/encoding/encoding_dsv32.py
  format("<｜DSML｜function_calls>", "</｜DSML｜function_calls>", () => ["<｜DSML｜invoke"], readInvokes),
  format("<｜DSML｜tool_calls>", "</｜DSML｜tool_calls>", () => ["<｜DSML｜invoke"], readInvokes),
];

function answerBegins(names: readonly string[]): readonly string[] {
  const named = names.flatMap((name) => [`{"name":"${name}"`, `{"function":"${name}"`]);
  const starts = [...named, '{"type":"function"', '{"function":{', '{"arguments":', '{"parameters":'];
  return [...starts, ...starts.map((start) => `[${start}`)];
}

function format(marker: string, close: string | null, begins: TextCallFormat["begins"], read: Read): TextCallFormat {
  return { marker, close, begins, read };
}

/** The matches a text consists of; null if it contains anything else. */
function matchesIn(text: string, pattern: RegExp): readonly RegExpExecArray[] | null {
  const whole = text.trimEnd();
  const matches: RegExpExecArray[] = [];
  for (let at = 0; at < whole.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const match = pattern.exec(whole);
    if (!match) return null;
    matches.push(match);
  }
  return matches;
}

/** Without a marker, only a call with arguments and no unknown keys counts. */
function jsonCall(value: unknown, tools: readonly ToolSpec[], marked: boolean): TextCall | null {
  const call = z.safeParse(objectSchema, value).data;
  if (!call || (!marked && Object.keys(call).some((key) => !CALL_KEYS.includes(key)))) return null;
  const inner = z.safeParse(objectSchema, call.function).data;
  const name = [call.name, inner?.name, call.function].find((each) => typeof each === "string") ?? "";
  const args = call.arguments ?? call.parameters ?? inner?.arguments ?? (marked ? {} : null);
  return args === null ? null : textCall(name, typeof args === "string" ? args : JSON.stringify(args), tools);
}

/** A call whose arguments are JSON, or one tag for each parameter. */
function namedCall(name: string, text: string, parameter: RegExp, tools: readonly ToolSpec[]): TextCall | null {
  if (text.trimStart().startsWith("{")) return textCall(name, text, tools);
  const tool = tools.find((each) => each.name === name);
  const properties = z.safeParse(propertiesSchema, tool?.parameters.properties).data;
  const args = matchesIn(text, parameter)?.map(({ groups = {} }) => {
    const { key = "", value = "", string } = groups;
    const type = properties?.[key.trim()]?.type;
    const isText = string === undefined ? [type].flat().every((each) => each === "string" || each === "null") : string === "true";
    return [key.trim(), isText ? value : parameterValue(value)];
  });
  return args ? textCall(name, JSON.stringify(Object.fromEntries(args)), tools) : null;
}

/** JSON, or a Python constant, or else the text. */
function parameterValue(value: string): unknown {
  const read = parseJson(PYTHON.get(value.trim()) ?? value);
  return read === undefined ? value : read;
}

function textCall(name: string, argsText: string, tools: readonly ToolSpec[]): TextCall | null {
  const known = tools.some((tool) => tool.name === name);
  return known && z.safeParse(objectSchema, parseJson(argsText)).success ? { name, argsText: argsText.trim() } : null;
}

function every(calls: readonly (TextCall | null)[]): readonly TextCall[] | null {
  return calls.length > 0 && calls.every((call) => call !== null) ? calls : null;
}
