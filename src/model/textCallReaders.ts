import * as z from "zod/mini";
import { jsonValues } from "./jsonValues.ts";
import type { ToolSpec } from "./message.ts";

/** A call that a model wrote as text; `argsText` is a JSON object. */
export interface TextCall {
  readonly name: string;
  readonly argsText: string;
}

/** Reads a whole body, without marker and closing tag; null where it is not calls of `tools` and nothing else. */
export type ReadTextCalls = (body: string, tools: readonly ToolSpec[]) => readonly TextCall[] | null;

/** The keys of a call in JSON that can be the first one. */
export const CALL_KEYS: readonly string[] = ["name", "tool", "function", "type", "arguments", "parameters"];
const OTHER_KEYS: readonly string[] = ["id", "index", "tool_name", "tool_call_id"];

const objectSchema = z.record(z.string(), z.unknown());
const propertiesSchema = z.record(z.string(), z.looseObject({ type: z.optional(z.unknown()) }));

// Each of these is matched where the one before it ends, which keeps the cost linear where a closing tag is missing.
/** A call in a section of Kimi's (`functions.name:0`, arguments) or DeepSeek's (name, arguments; before V3.1 a type first, and a block of JSON). */
const SECTION_CALL =
  /\s*<[|｜]tool[_▁]call[_▁]begin[|｜]>\s*(?:function<｜tool▁sep｜>)?(?:functions\.)?([\w.-]+)(?::\d+)?\s*(?:<\|tool_call_argument_begin\|>|<｜tool▁sep｜>|\n)\s*(?:```json)?([\s\S]*?)(?:```\s*)?(?:<[|｜]tool[_▁]call[_▁]end[|｜]>|$)/y;
const INVOKE = /\s*<(?:｜DSML｜)?invoke name="([^"]+)"\s*>([\s\S]*?)<\/(?:｜DSML｜)?invoke>/y;
/** Key, value, and what tells a text from JSON. */
const INVOKE_PAIR =
  /\s*<(?:｜DSML｜)?parameter name="(?<key>[^"]+)"(?:\s+string="(?<string>\w+)")?\s*>(?<value>[\s\S]*?)<\/(?:｜DSML｜)?parameter>/y;
/** A line break on either side of the value belongs to the tags. */
const FUNCTION_PAIR = /\s*<parameter=(?<key>[^>\n]+)>\n?(?<value>[\s\S]*?)\n?<\/parameter>/y;
const TAG_PAIR = /\s*<arg_key>(?<key>[^<]+)<\/arg_key>\s*<arg_value>(?<value>[\s\S]*?)<\/arg_value>/y;

const PYTHON: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["True", true],
  ["False", false],
  ["None", null],
]);

/** JSON behind a marker: calls, or lists of them. One without arguments has none. */
export const jsonCalls: ReadTextCalls = (body, tools) => jsonCallsIn(body.replace(/(?:<\/s>|<\|\w+\|>)\s*$/, ""), tools, true);

/** JSON that is the whole answer, bare or in a code block; `functools` stands before that of Phi-4-mini. It must be a call, with arguments and nothing else. */
export const answerCalls: ReadTextCalls = (body, tools) => {
  const text = body.trim();
  const block = /^```[\w-]*[ \t]*\n([\s\S]*)```$/.exec(text)?.[1];
  return jsonCallsIn(block ?? text.replace(/^functools(?=\[)/, ""), tools, false);
};

/** What stands between the tags of Hermes: JSON; Qwen3-Coder's function; or GLM's name with a tag for each key and value. */
export const taggedCalls: ReadTextCalls = (body, tools) => {
  if (/^\s*<function=/.test(body)) return nestedFunctionCall(body, tools);
  const name = /^\s*([\w.-]+)/.exec(body);
  return name ? one(parameterCall(name[1] ?? "", body.slice(name[0].length), TAG_PAIR, tools)) : jsonCalls(body, tools);
};

/** A function between tags of its own. */
export const nestedFunctionCall: ReadTextCalls = (body, tools) => {
  const inner = /^\s*<function=([\s\S]*<\/function>)\s*$/.exec(body)?.[1];
  return inner === undefined ? null : functionCall(inner, tools);
};

/** `name>{json}`, or `name>` and a tag for each parameter. */
export const functionCall: ReadTextCalls = (body, tools) => {
  const end = body.indexOf(">");
  if (end < 0) return null;
  const name = body.slice(0, end).trim();
  const rest = body
    .slice(end + 1)
    .replace(/<\/function>\s*$/, "")
    .trim();
  return one(rest.startsWith("{") ? textCall(name, rest, tools) : parameterCall(name, rest, FUNCTION_PAIR, tools));
};

/** A list in JSON, or Mistral's later form: `name[ARGS]{json}`, several behind one another, each with the marker or without it. */
export const mistralCalls: ReadTextCalls = (body, tools) => {
  const named = /^\s*([\w.-]+)(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?\s*(\{[\s\S]*\})\s*(?:<\/s>\s*)?$/;
  return jsonCalls(body, tools) ?? every(body.split("[TOOL_CALLS]").map((each) => textCall(...pairOf(named.exec(each)), tools)));
};

/** Names and arguments between special tokens. */
export const sectionCalls: ReadTextCalls = (body, tools) => allCalls(body, SECTION_CALL, (name, args) => textCall(name, args, tools));

/** Tags for each call and each of its parameters, or JSON in place of those. */
export const invokeCalls: ReadTextCalls = (body, tools) =>
  allCalls(body, INVOKE, (name, args) =>
    args.trimStart().startsWith("{") ? textCall(name, args, tools) : parameterCall(name, args, INVOKE_PAIR, tools),
  );

/** `functions.name <|constrain|>json<|message|>{json}`; `json` is at times glued to the name. */
export const harmonyCall: ReadTextCalls = (body, tools) => {
  const [name, args] = pairOf(
    /^\s*(?:functions\.)?([\w.-]+)\s*(?:<\|constrain\|>)?\s*(?:json)?\s*<\|message\|>([\s\S]*?)(?:<\|\w+\|>\s*)?$/.exec(body),
  );
  return one(textCall(name, args, tools) ?? textCall(name.replace(/json$/, ""), args, tools));
};

/** `call:name{key:<|"|>text<|"|>,other:1}` */
export const gemmaCall: ReadTextCalls = (body, tools) => {
  const [name, args] = pairOf(/^\s*call:([\w.-]+)\s*(\{[\s\S]*\})\s*$/.exec(body));
  const json = args.replace(
    /<\|"\|>([\s\S]*?)<\|"\|>|([{,]\s*)([\w.$-]+)(?=\s*:)/g,
    (_, text: string | undefined, before: string, key: string) =>
      text === undefined ? before + JSON.stringify(key) : JSON.stringify(text),
  );
  return one(textCall(name, json, tools));
};

/** Each call that `pattern` finds by name and arguments; null where one is no call, or where there is anything else. */
function allCalls(body: string, pattern: RegExp, read: (name: string, args: string) => TextCall | null): readonly TextCall[] | null {
  const matches = matchesIn(body, pattern);
  return matches && every(matches.map((match) => read(...pairOf(match))));
}

/** The matches that a text consists of; null where it holds anything else. */
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

/** `marked`: a marker has told that these are calls. */
function jsonCallsIn(text: string, tools: readonly ToolSpec[], marked: boolean): readonly TextCall[] | null {
  const values = jsonValues(text)?.flatMap((value) => (Array.isArray(value) ? value : [value])) ?? [];
  return every(values.map((value) => jsonCall(value, tools, marked)));
}

function jsonCall(value: unknown, tools: readonly ToolSpec[], marked: boolean): TextCall | null {
  const call = z.safeParse(objectSchema, value).data;
  if (!call || (!marked && Object.keys(call).some((key) => !CALL_KEYS.includes(key) && !OTHER_KEYS.includes(key)))) return null;
  const inner = z.safeParse(objectSchema, call.function).data;
  const name = [call.name, call.tool, call.tool_name, inner?.name, call.function].find((each) => typeof each === "string") ?? "";
  const args = call.arguments ?? call.parameters ?? inner?.arguments ?? (marked ? {} : null);
  return args === null ? null : textCall(name, typeof args === "string" ? args : JSON.stringify(args), tools);
}

function parameterCall(name: string, text: string, pairs: RegExp, tools: readonly ToolSpec[]): TextCall | null {
  const matches = matchesIn(text, pairs);
  if (!matches) return null;
  const tool = tools.find((each) => each.name === name);
  const properties = z.safeParse(propertiesSchema, tool?.parameters.properties);
  const args = matches.map(({ groups }) => {
    const { key = "", value = "", string } = { string: undefined, ...groups };
    const type = properties.success ? properties.data[key.trim()]?.type : undefined;
    const isText = string === undefined ? [type].flat().every((each) => each === "string" || each === "null") : string === "true";
    return [key.trim(), isText ? value : parameterValue(value)];
  });
  return textCall(name, JSON.stringify(Object.fromEntries(args)), tools);
}

/** What a parameter that takes more than text is set to: JSON, or a constant of Python's, or else the text. */
function parameterValue(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    const constant = PYTHON.get(value.trim());
    return constant === undefined ? value : constant;
  }
}

function pairOf(match: RegExpExecArray | null): [string, string] {
  return [match?.[1] ?? "", match?.[2] ?? ""];
}

function one(call: TextCall | null): readonly TextCall[] | null {
  return every([call]);
}

function every(calls: readonly (TextCall | null)[]): readonly TextCall[] | null {
  return calls.length > 0 && calls.every((call) => call !== null) ? calls : null;
}

function textCall(name: string, argsText: string, tools: readonly ToolSpec[]): TextCall | null {
  if (!tools.some((tool) => tool.name === name)) return null;
  const values = jsonValues(argsText);
  const [value] = values ?? [];
  const isObject = values?.length === 1 && typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? { name, argsText: argsText.trim() } : null;
}
