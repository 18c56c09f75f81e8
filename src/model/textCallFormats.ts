import type { ToolSpec } from "./message.ts";
import {
  answerCalls,
  CALL_KEYS,
  functionCall,
  gemmaCall,
  harmonyCall,
  invokeCalls,
  jsonCalls,
  mistralCalls,
  nestedFunctionCall,
  type ReadTextCalls,
  sectionCalls,
  taggedCalls,
} from "./textCallReaders.ts";

/** A way of writing calls as text. */
export interface TextCallFormat {
  /** What introduces it; "" where it is the whole answer. */
  readonly marker: string;
  /** What ends it; null where only the end of the answer does. */
  readonly close: string | null;
  /** What may follow the marker. */
  readonly first: readonly string[];
  /** True where the name of a tool may follow it, too. */
  readonly named: boolean;
  readonly read: ReadTextCalls;
}

const JSON_BEGINS = ["{", "["];

/** The JSON of an answer that is nothing but a call. */
export const ANSWER: TextCallFormat = between("", null, [], answerCalls);

const INVOKE_BEGINS = ["<invoke name=", "<｜DSML｜invoke name="];

/**
 * The formats with a marker, as the chat templates of these models have them. Those that name no page are read by the parsers of
 * https://github.com/vllm-project/vllm/tree/main/vllm/tool_parsers or
 * https://github.com/sgl-project/sglang/tree/main/python/sglang/srt/function_call.
 */
export const MARKED_FORMATS: readonly TextCallFormat[] = [
  // Hermes and Qwen (https://github.com/NousResearch/Hermes-Function-Calling), Granite 3.1 and 4, Qwen3-Coder, and GLM since 4.5.
  betweenTags("tool_call", [...JSON_BEGINS, "<function="], taggedCalls, true),
  // Llama 3 (https://github.com/meta-llama/llama-models/blob/main/models/llama3_3/prompt_format.md), and Qwen3-Coder where it leaves
  // out the tag around it (https://github.com/QwenLM/Qwen3-Coder/issues/475).
  between("<function=", "</function>", [], functionCall, true),
  // Llama 3, on the same page.
  between("<|python_tag|>", null, ["{"], jsonCalls),
  // Seed-OSS
  betweenTags("seed:tool_call", ["<function="], nestedFunctionCall),
  // Hunyuan, Jamba and MiniMax-M1
  betweenTags("tool_calls", JSON_BEGINS, jsonCalls),
  // Nemotron
  betweenTags("TOOLCALL", JSON_BEGINS, jsonCalls),
  // Phi-4-mini; Granite 3.0 does not close it.
  between("<|tool_call|>", "<|/tool_call|>", JSON_BEGINS, jsonCalls),
  // Cohere's Command
  between("<|START_ACTION|>", "<|END_ACTION|>", JSON_BEGINS, jsonCalls),
  // Gemma 4
  between("<|tool_call>", "<tool_call|>", ["call:"], gemmaCall),
  // Mistral: a list up to its tokenizer 7, names and arguments from 11 on
  // (https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/experimental/tools.py).
  between("[TOOL_CALLS]", null, JSON_BEGINS, mistralCalls, true),
  // gpt-oss: https://cookbook.openai.com/articles/openai-harmony
  ...["", "<|start|>assistant"].map((start) => between(`${start}<|channel|>commentary to=`, "<|call|>", ["functions."], harmonyCall, true)),
  // Kimi K2, which also writes the section in the singular, or leaves it out
  // (https://huggingface.co/moonshotai/Kimi-K2-Instruct/blob/main/docs/tool_call_guidance.md).
  betweenTokens("<|tool_calls_section_begin|>", ["<|tool_call_begin|>"], sectionCalls),
  betweenTokens("<|tool_call_section_begin|>", ["<|tool_call_begin|>"], sectionCalls),
  betweenTokens("<|tool_call_begin|>", ["functions."], (body, tools) => sectionCalls(`<|tool_call_begin|>${body}`, tools), true),
  // DeepSeek up to V3.1: https://github.com/sgl-project/sglang/pull/9446
  betweenTokens("<｜tool▁calls▁begin｜>", ["<｜tool▁call▁begin｜>"], sectionCalls),
  // DeepSeek V3.2 (https://huggingface.co/deepseek-ai/DeepSeek-V3.2/blob/main/encoding/encoding_dsv32.py), at times without its token
  // (https://huggingface.co/deepseek-ai/DeepSeek-V3.2/discussions/29); V4; and MiniMax-M2
  // (https://huggingface.co/MiniMaxAI/MiniMax-M2/blob/main/docs/tool_calling_guide.md).
  ...["function_calls", "｜DSML｜function_calls", "｜DSML｜tool_calls", "minimax:tool_call"].map((name) =>
    betweenTags(name, INVOKE_BEGINS, invokeCalls),
  ),
];

function between(marker: string, close: string | null, first: readonly string[], read: ReadTextCalls, named = false): TextCallFormat {
  return { marker, close, first, named, read };
}

function betweenTags(name: string, first: readonly string[], read: ReadTextCalls, named?: boolean): TextCallFormat {
  return between(`<${name}>`, `</${name}>`, first, read, named);
}

function betweenTokens(marker: string, first: readonly string[], read: ReadTextCalls, named?: boolean): TextCallFormat {
  return between(marker, marker.replace("begin", "end"), first, read, named);
}

/** Whether a beginning can grow into a call. */
export type Lead = "no" | "maybe" | "yes";

/** A beginning longer than this, in UTF-16 units, is undecided no more. */
const LONGEST_LEAD = 400;

/**
 * Whether an answer that begins so may be nothing but a call in JSON: its first key is that of a call, and its name that of a tool. The
 * JSON may stand in a code block, unless `blocksAreContent`.
 */
export function answerLead(text: string, tools: readonly ToolSpec[], blocksAreContent: boolean): Lead {
  return capped(text, (lead) => {
    if (blocksAreContent && /^\s*`/.test(lead)) return "no";
    const block = /^\s*```[\w-]{0,20}[ \t]*\n/.exec(lead);
    if (block) return objectLead(lead.slice(block[0].length), tools);
    if (/^\s*(?:`{1,2}|```[\w-]{0,20}[ \t]*)$/.test(lead)) return "maybe";
    const named = lead.trimStart();
    const functools = named === "" ? "no" : within(named, "functools[");
    return functools === "yes"
      ? objectLead(named.slice("functools".length), tools)
      : functools === "maybe"
        ? "maybe"
        : objectLead(lead, tools);
  });
}

/** Whether what follows the marker of `format` may be a call of one of `tools`. */
export function bodyLead(format: TextCallFormat, text: string, tools: readonly ToolSpec[]): Lead {
  return capped(text, (lead) => {
    const body = lead.trimStart();
    const name = /^[\w.-]*/.exec(body)?.[0] ?? "";
    const verdicts = format.first.map((first) => within(body, first));
    for (const tool of format.named ? tools : []) {
      // `json` may be glued to it.
      for (const known of format.read === harmonyCall ? [tool.name, `${tool.name}json`] : [tool.name])
        if (name === body ? known.startsWith(name) : known === name) verdicts.push(name === body ? "maybe" : "yes");
    }
    return verdicts.includes("yes") ? "yes" : verdicts.includes("maybe") ? "maybe" : "no";
  });
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
  const [whole, key = "", value] = /^\s*(?:\[\s*)?\{\s*"(\w+)"\s*:\s*(?:"([^"]*)"|\{)/.exec(text) ?? [];
  if (whole === undefined) return /^\s*(?:\[\s*)?(?:\{\s*(?:"\w*(?:"\s*(?::\s*(?:"[^"]*)?)?)?)?)?$/.test(text) ? "maybe" : "no";
  if (value === undefined) return ["function", "arguments", "parameters"].includes(key) ? "yes" : "no";
  if (key === "type") return value === "function" ? "yes" : "no";
  return CALL_KEYS.includes(key) && (/^[ap]/.test(key) || tools.some(({ name }) => name === value)) ? "yes" : "no";
}
