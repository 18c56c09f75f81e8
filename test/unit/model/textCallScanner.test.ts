import assert from "node:assert/strict";
import fc from "fast-check";
import { TextCallScanner, type TextPiece } from "../../../src/model/textCallScanner.ts";

const text = { type: "object", properties: { path: { type: "string" }, lines: { type: "array" }, text: { type: "string" } } };
const tools = ["read_file", "read_files", "grep"].map((name) => ({ name, description: "", parameters: text }));

interface Read {
  readonly text: string;
  /** `name arguments`. */
  readonly calls: readonly string[];
  /** The text, with a mark where each call stood. */
  readonly order: string;
}

function read(pieces: readonly string[], complete = true): Read {
  const scanner = new TextCallScanner(tools);
  const found: TextPiece[] = [...pieces.flatMap((piece) => scanner.push(piece)), ...scanner.end(complete)];
  return {
    text: found.map((piece) => (piece.type === "text" ? piece.text : "")).join(""),
    calls: found.flatMap((piece) => (piece.type === "call" ? [`${piece.name} ${piece.argsText}`] : [])),
    order: found.map((piece) => (piece.type === "text" ? piece.text : "☎")).join(""),
  };
}

const json = '{"name": "read_file", "arguments": {"path": "a.ts"}}';
const call = 'read_file {"path":"a.ts"}';

const recognised: readonly (readonly [what: string, answer: string, calls: readonly string[], text: string])[] = [
  ["Hermes and Qwen: tags around JSON", `Let me look.\n<tool_call>\n${json}\n</tool_call>`, [call], "Let me look.\n"],
  [
    "two in a row",
    `<tool_call>${json}</tool_call>\n<tool_call>{"name":"grep","arguments":{}}</tool_call>\nThen we see.`,
    [call, "grep {}"],
    "Then we see.",
  ],
  ["a closing tag that is missing at the end", `<tool_call>\n${json}\n`, [call], ""],
  [
    "a closing tag inside of an argument",
    '<tool_call>{"name":"grep","arguments":{"text":"</tool_call>"}}</tool_call>',
    ['grep {"text":"</tool_call>"}'],
    "",
  ],
  ["`parameters` and a list", '<tool_call>[{"name":"grep","parameters":{"text":"x"}}]</tool_call>', ['grep {"text":"x"}'], ""],
  ["Llama 3: the name in the tag", 'I look.<function=read_file>{"path": "a.ts"}</function>', [call], "I look."],
  [
    "Qwen3-Coder: a tag for each parameter",
    "<tool_call>\n<function=read_file>\n<parameter=path>\na.ts\n</parameter>\n<parameter=lines>\n[1, 2]\n</parameter>\n</function>\n</tool_call>",
    ['read_file {"path":"a.ts","lines":[1,2]}'],
    "",
  ],
  [
    "a text that looks like a number stays a text",
    "<function=grep>\n<parameter=text>\n12\n</parameter>\n</function>",
    ['grep {"text":"12"}'],
    "",
  ],
  [
    "GLM: keys and values",
    "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.ts</arg_value>\n</tool_call>",
    ['read_file {"path":"a.ts"}'],
    "",
  ],
  [
    "Kimi: a section of calls",
    'I look.<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a.ts"}<|tool_call_end|><|tool_call_begin|>functions.grep:1<|tool_call_argument_begin|>{"text": "x"}<|tool_call_end|><|tool_calls_section_end|>',
    [call, 'grep {"text":"x"}'],
    "I look.",
  ],
  [
    "DeepSeek since V3.1",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path":"a.ts"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>grep<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [call, "grep {}"],
    "",
  ],
  [
    "DeepSeek before: a type, and a block of JSON",
    'Well.\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path":"a.ts"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [call],
    "Well.\n",
  ],
  [
    "MiniMax: tags for the call and for each parameter",
    '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">a.ts</parameter>\n<parameter name="lines">[1, 2]</parameter>\n</invoke>\n<invoke name="grep">\n</invoke>\n</minimax:tool_call>',
    ['read_file {"path":"a.ts","lines":[1,2]}', "grep {}"],
    "",
  ],
  [
    "a section without its end, at the end",
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a.ts"}<|tool_call_end|>',
    [call],
    "",
  ],
  ["Mistral: a list behind a marker", `[TOOL_CALLS] [${json}, {"name":"grep","arguments":{}}]`, [call, "grep {}"], ""],
  [
    "Mistral: names and arguments",
    'Well.[TOOL_CALLS]grep[ARGS]{"text":"x"}[TOOL_CALLS]grep[ARGS]{}',
    ['grep {"text":"x"}', "grep {}"],
    "Well.",
  ],
  ["Llama 3: a marker before JSON", '<|python_tag|>{"name":"grep","parameters":{"text":"x"}}<|eom_id|>', ['grep {"text":"x"}'], ""],
  [
    "Llama 3: several, with semicolons",
    '<|python_tag|>{"name":"grep","parameters":{}}; {"name":"grep","parameters":{}}',
    ["grep {}", "grep {}"],
    "",
  ],
  ["a block of JSON as the whole answer", `\n\`\`\`json\n${json}\n\`\`\`\n`, [call], ""],
  ["bare JSON as the whole answer", json, [call], ""],
  ["OpenAI's own form", '[{"type":"function","function":{"name":"grep","arguments":"{\\"text\\":\\"x\\"}"}}]', ['grep {"text":"x"}'], ""],
  ["text behind a call", `<tool_call>${json}</tool_call>\n\nDone.`, [call], "Done."],
];

const unrecognised: readonly (readonly [what: string, answer: string])[] = [
  ["an answer about such tags", "Models write `<tool_call>{}</tool_call>`, or <tool_call> without a call."],
  ["a call in a code block", `For example:\n\n\`\`\`xml\n<tool_call>${json}</tool_call>\n\`\`\`\n\nThat is all.`],
  ["a call in a code block with longer fences", `~~~~\n~~~\n<tool_call>${json}</tool_call>\n~~~~\n`],
  ["an unknown tool", '<tool_call>{"name":"fly","arguments":{}}</tool_call>'],
  ["an unknown tool by its tag", "<function=fly>{}</function>"],
  [
    "a section that calls an unknown tool",
    "<|tool_calls_section_begin|><|tool_call_begin|>functions.fly:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
  ],
  ["words about a section", "It begins with <｜tool▁calls▁begin｜> and holds calls; <minimax:tool_call> is another one."],
  ["JSON with words behind it", `${json}\n\nThat would be the call.`],
  ["a package file", '```json\n{"name": "my-app", "version": "1.0.0"}\n```\n'],
  ["a package file that is named like a tool", '```json\n{"name": "grep", "version": "1.0.0"}\n```\n'],
  ["JSON that is no call", '{"names": ["read_file"]}'],
  ["arguments that are no object", '<tool_call>{"name":"grep","arguments":[1]}</tool_call>'],
  ["a call that is not complete", '<tool_call>{"name":"grep","arguments":{"text":"x'],
  ["a comparison", "a <t and b[0] <function of c [TOOL"],
  ["Python behind the marker", "<|python_tag|>print(1)"],
  ["nothing but fences", "```\n```\n```"],
];

describe("calls written as text", () => {
  for (const [what, answer, calls, rest] of recognised) {
    it(`are recognised: ${what}`, () => {
      const found = read([answer]);
      assert.deepEqual(
        found.calls.map((each) => each.replace(/: (?=["[{])/g, ":")),
        calls,
      );
      assert.equal(found.text, rest);
    });
  }

  for (const [what, answer] of unrecognised) {
    it(`are not seen in ${what}`, () => assert.deepEqual(read([answer]), { text: answer, calls: [], order: answer }));
  }

  it("are text where the answer broke off", () => {
    for (const [, answer] of recognised.slice(2, 3)) assert.deepEqual(read([answer], false).calls, []);
    assert.equal(read([json], false).text, json);
  });

  it("are found wherever the answer is cut into pieces, and no text is lost", () => {
    const fragment = fc.constantFrom(
      ...recognised.map(([, answer]) => answer),
      ...unrecognised.map(([, answer]) => answer),
      "<tool_call>",
      "</tool_call>",
      "<function=grep>",
      "</function>",
      "[TOOL_CALLS]",
      "```",
      "`",
      "\n",
      " ",
      "x",
      "{",
      '{"name":',
      '"grep"',
      "<",
      "[",
    );
    const answer = fc.array(fragment, { maxLength: 8 }).map((fragments) => fragments.join(""));
    fc.assert(
      fc.property(
        answer,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        (whole, cuts, complete) => {
          const pieces: string[] = [];
          for (let at = 0, turn = 0; at < whole.length; turn++) {
            const size = cuts[turn % cuts.length] ?? 1;
            pieces.push(whole.slice(at, at + size));
            at += size;
          }
          const found = read([whole], complete);
          assert.deepEqual(read(pieces, complete), found);
          if (found.calls.length === 0) assert.equal(found.text, whole);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("cost no more a piece the longer the answer is", () => {
    // Counted, not timed: a body of many pieces is looked at as a whole at its end only.
    const scanner = new TextCallScanner(tools);
    const pieces = [
      "<tool_call>",
      '{"name":"grep","arguments":{"text":"',
      ...new Array<string>(200_000).fill("abcd"),
      '"}}',
      "</tool_call>",
    ];
    const found = [...pieces.flatMap((piece) => scanner.push(piece)), ...scanner.end(true)];
    assert.equal(found.length, 1);
  });
});
