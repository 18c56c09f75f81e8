import assert from "node:assert/strict";
import fc from "fast-check";
import { TextCallScanner, type TextPiece } from "../../../src/model/textCalls/textCallScanner.ts";

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

const deepseek = "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>grep<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>";

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
  ["a call behind a sentence on its line", `I look. <tool_call>${json}</tool_call>`, [call], "I look. "],
  ["a call behind a space", ` <tool_call>${json}</tool_call>\n`, [call], " "],
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
    "DeepSeek V3.2: texts as they are, all else as JSON",
    'Well.\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">1\n</｜DSML｜parameter>\n<｜DSML｜parameter name="lines" string="false">[1, 2]</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="grep">\n{"text": "x"}\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    ['read_file {"path":"1\\n","lines":[1,2]}', 'grep {"text":"x"}'],
    "Well.\n\n",
  ],
  [
    "DeepSeek V4",
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="grep">\n<｜DSML｜parameter name="text" string="true">x</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls><｜end▁of▁sentence｜>',
    ['grep {"text":"x"}'],
    "",
  ],
  [
    "Qwen3-Coder without its opening tag",
    "I look.\n\n<function=read_file>\n<parameter=path>\na.ts\n</parameter>\n<parameter=lines>\nNone\n</parameter>\n</function>\n</tool_call>",
    ['read_file {"path":"a.ts","lines":null}'],
    "I look.\n\n",
  ],
  ["Mistral without its arguments' marker", '[TOOL_CALLS]grep{"text":"x"}</s>', ['grep {"text":"x"}'], ""],
  ["a call that a colon leads to", `Let me look:\n\n<tool_call>${json}</tool_call>\n`, [call], "Let me look:\n\n"],
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
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>fly<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
  ],
  ["words about a section", "It begins with <｜tool▁calls▁begin｜> and holds calls; <｜DSML｜tool_calls> is another one."],
  ["JSON with words behind it", `${json}\n\nThat would be the call.`],
  ["a package file", '```json\n{"name": "my-app", "version": "1.0.0"}\n```\n'],
  ["a package file that is named like a tool", '```json\n{"name": "grep", "version": "1.0.0"}\n```\n'],
  ["JSON that is no call", '{"names": ["read_file"]}'],
  ["arguments that are no object", '<tool_call>{"name":"grep","arguments":[1]}</tool_call>'],
  ["a call that is not complete", '<tool_call>{"name":"grep","arguments":{"text":"x'],
  ["a comparison", "a <t and b[0] <function of c [TOOL"],
  ["Python behind the marker", "<|python_tag|>print(1)"],
  ["nothing but fences", "```\n```\n```"],
  ["a sentence about a call", `Qwen writes <tool_call>${json}</tool_call> for it.`],
  ["a sentence that begins with one", `<tool_call>${json}</tool_call> is how Qwen writes it.\n`],
  ["one in another script", `如下<tool_call>${json}</tool_call>，完毕。`],
  ["one between special tokens", `DeepSeek writes ${deepseek} for it.`],
  ["one in quotation marks", `It wrote "${deepseek}".`],
  ["an example that a colon leads to", `A call is written like this:\n\n<tool_call>\n${json}\n</tool_call>\n\nThe server reads it.`],
  ["a quotation", `> <tool_call>${json}</tool_call>\n> ${deepseek}\n`],
  ["a table", `| DeepSeek | ${deepseek} |\n`],
  ["a comment", `// ${deepseek}\n`],
  ["a numbered list", `1. <tool_call>${json}</tool_call>\n`],
  ["a list", `- <tool_call>${json}</tool_call>\n`],
  ["code that is indented", `So:\n\n    <tool_call>${json}</tool_call>\n    ${deepseek}\n`],
  ["a code span", `\`${deepseek}\` and \`\`<tool_call>${json}</tool_call>\`\``],
  ["a JSON file that has more keys than a call", '```json\n{"name": "grep", "arguments": {}, "scripts": {}}\n```\n'],
  ["a JSON file with an address", `\`\`\`json:1:3\n${json}\n\`\`\`\n`],
  ...["", " ", "   "].flatMap((indent): [string, string][] =>
    ["```ts:3:9", "~~~~markdown:1:1", "````md:Guide-Calls"].map((opener) => [
      `a block of edit mode: ${indent}${opener}`,
      `I change it.\n${indent}${opener}\n# Calls\n\n\`\`\`json\n${json}\n\`\`\`\n\n<tool_call>${json}</tool_call>\n\n${deepseek}\n\n[TOOL_CALLS]grep{}\n${indent}${/[`~]+/.exec(opener)?.[0]}\n\nDone.`,
    ]),
  ),
  ["a block of edit mode that is not closed", `\`\`\`ts:3:9\n<tool_call>${json}</tool_call>\n${deepseek}\n[TOOL_CALLS]grep{}`],
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

  it("are not looked for in a code block where those are the content of a file", () => {
    const block = `\`\`\`json\n${json}\n\`\`\`\n`;
    const scanner = new TextCallScanner(tools, true);
    const pieces = [...scanner.push("`"), ...scanner.push(block.slice(1)), ...scanner.end(true)];
    assert.equal(pieces.map((piece) => (piece.type === "text" ? piece.text : "☎")).join(""), block);
    assert.deepEqual(new TextCallScanner(tools, false).push(block), []);
  });

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
      "<｜DSML｜tool_calls>",
      "</s>",
      ":\n",
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

  it("are read in a time that grows with their length alone, where tags are not closed", () => {
    for (const [begin, tag, end] of [
      ["<function=grep>", "<parameter=a>", "</function>"],
      ["<｜DSML｜tool_calls>", '<｜DSML｜invoke name="grep"><｜DSML｜parameter name="a">', "</｜DSML｜invoke></｜DSML｜tool_calls>"],
    ] as const) {
      const answer = begin + tag.repeat(50_000) + end;
      assert.equal(read([answer]).text, answer);
    }
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
