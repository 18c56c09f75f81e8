import assert from "node:assert/strict";
import { hasUnreadCall } from "../../../../src/agent/loop/unreadCalls.ts";

const tools = ["read_file", "list_directory"].map((name) => ({
  name,
  description: "",
  parameters: {},
}));
const json = '{"name": "read_file", "arguments": {"file_path": "a.ts"}}';

const left: readonly (readonly [family: string, answer: string])[] = [
  ["Hermes and Qwen", `Let me look. <tool_call>\n${json}\n</tool_call>`],
  ["Qwen3-Coder", "<function=read_file>\n<parameter=file_path>\na.ts\n</parameter>\n</function>"],
  ["Llama", `<|python_tag|>${json}`],
  ["Mistral", `[TOOL_CALLS] [${json}]`],
  ["DeepSeek", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{}"],
  [
    "Kimi",
    "<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{}",
  ],
  ["gpt-oss", "<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{}"],
  ["MiniMax", '<minimax:tool_call>\n<invoke name="read_file">'],
  ["JSON alone", json],
  ["JSON in a block", `\`\`\`json\n${json}\n\`\`\``],
  [
    "Graft, with another word or in a block",
    "```\n<call 0123456789ab read_file>\n{}\n</call 0123456789ab>\n```",
  ],
];

const others: readonly (readonly [what: string, answer: string])[] = [
  [
    "a block that shows one",
    `The template writes:\n\`\`\`\n<tool_call>${json}</tool_call>\n\`\`\`\n`,
  ],
  ["code in a sentence", "Qwen writes `<tool_call>` around read_file calls."],
  ["a quotation", `> <tool_call>${json}</tool_call>`],
  ["a call of a tool that is not there", '<tool_call>{"name": "fly", "arguments": {}}</tool_call>'],
  ["JSON of another kind", '{"name": "read_file"}'],
  ["prose", "I read the file with read_file."],
];

describe("an answer in text", () => {
  for (const [family, answer] of left)
    it(`seems to hold a call: ${family}`, () => assert.equal(hasUnreadCall(answer, tools), true));
  for (const [what, answer] of others)
    it(`holds no call: ${what}`, () => assert.equal(hasUnreadCall(answer, tools), false));
  it("is looked at in a time that grows with its length alone", () => {
    for (const text of ["<tool_call>", "`", "> ", "[TOOL_CALLS]", "    ", "```\n"])
      hasUnreadCall(text.repeat(200_000), tools);
  });
});
