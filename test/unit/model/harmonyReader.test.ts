import assert from "node:assert/strict";
import fc from "fast-check";
import { ChunkDecoder } from "../../../src/model/openai/chunkDecoder.ts";
import { withoutThinking } from "../../../src/model/thinking/thinkTagSplitter.ts";
import { collect } from "./collect.ts";

interface Row {
  readonly text?: string;
  readonly reasoning?: string;
  /** `name arguments` */
  readonly calls?: readonly string[];
}

const tools = ["read_file", "grep"].map((name) => ({ name, description: "", parameters: {} }));

function decoderOf(model: string): ChunkDecoder {
  return new ChunkDecoder({ messages: [], model, tools });
}

function read(
  content: readonly string[],
  model = "gpt-oss:20b",
  before: readonly object[] = [],
  finish = "stop",
): Required<Row> {
  const decoder = decoderOf(model);
  const chunk = (delta: object, finish_reason: string | null = null) =>
    decoder.push({ choices: [{ index: 0, delta, finish_reason }] });
  const parts = [
    ...before.flatMap((delta) => chunk(delta)),
    ...content.flatMap((text) => chunk({ content: text })),
    ...chunk({}, finish),
    ...decoder.finish(),
  ];
  const { text, reasoning, calls } = collect(parts);
  return { text, reasoning, calls: calls.map(({ name, args }) => `${name} ${args}`) };
}

const START = "<|start|>assistant";
const THOUGHT = "<|channel|>analysis<|message|>I look.<|end|>";
const JSON_PATH = '{"path":"a.ts"}';
const CALL = `<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>${JSON_PATH}<|call|>`;
const MADE = `read_file ${JSON_PATH}`;

/** https://github.com/openai/harmony/blob/main/docs/format.md, and what servers leave of it. */
const rows: readonly (readonly [what: string, answer: string, Row])[] = [
  [
    "thinking and an answer",
    `<|channel|>analysis<|message|>2 and 2.<|end|>\n${START}<|channel|>final<|message|>2 + 2 = 4.<|return|>`,
    { reasoning: "2 and 2.", text: "2 + 2 = 4." },
  ],
  [
    "the first message with its beginning",
    `${START}<|channel|>analysis<|message|>a<|end|>${START}<|channel|>final<|message|>b`,
    { reasoning: "a", text: "b" },
  ],
  [
    "white space first, and around the tokens",
    `\n${THOUGHT}\n${START} <|channel|> final <|message|>b<|return|>\n`,
    { reasoning: "I look.", text: "b" },
  ],
  [
    // https://github.com/ggml-org/llama.cpp/pull/15181
    "an answer without a header, as llama.cpp sends it",
    "<|channel|>analysis<|message|>plan<|end|>answer",
    { reasoning: "plan", text: "answer" },
  ],
  [
    "channels without an end between them",
    "<|channel|>analysis<|message|>plan<|channel|>final<|message|>answer",
    { reasoning: "plan", text: "answer" },
  ],
  ["an answer without thinking", "<|channel|>final<|message|>Yes.<|return|>", { text: "Yes." }],
  ["a message without a channel", `${START}<|message|>Yes.<|end|>`, { text: "Yes." }],
  [
    // https://github.com/NVIDIA/TensorRT-LLM/issues/9256
    "commentary for the user",
    '<|channel|>commentary<|message|>{\n  "path": "/"\n}<|end|>',
    { text: '{\n  "path": "/"\n}' },
  ],
  ["a call", THOUGHT + START + CALL, { reasoning: "I look.", calls: [MADE] }],
  ["a call alone", CALL, { calls: [MADE] }],
  [
    "a call whose stop token the server keeps",
    (THOUGHT + START + CALL).replace("<|call|>", ""),
    { reasoning: "I look.", calls: [MADE] },
  ],
  [
    // https://github.com/ollama/ollama/blob/main/harmony/harmonyparser_test.go
    "a recipient before the channel",
    `${START} to=functions.read_file<|channel|>commentary json<|message|>${JSON_PATH}<|call|>`,
    { calls: [MADE] },
  ],
  [
    "a call in the channel of thinking, without its kind",
    `<|channel|>analysis to=read_file<|message|>${JSON_PATH}<|call|>`,
    { calls: [MADE] },
  ],
  [
    "words before calls, and two of them",
    `${THOUGHT}${START}<|channel|>commentary<|message|>I read two.<|end|>${START}${CALL}${START}<|channel|>commentary to=functions.grep code<|message|>{}<|call|>`,
    { reasoning: "I look.", text: "I read two.", calls: [MADE, "grep {}"] },
  ],
  [
    "words and an answer, which stay apart",
    `<|channel|>commentary<|message|>First.<|end|>${START}<|channel|>final<|message|>Then.`,
    { text: "First.\n\nThen." },
  ],
  [
    "words that end with a code block, and a call",
    `<|channel|>commentary<|message|>So:\n\`\`\`\nx\n\`\`\`<|end|>${START}${CALL}`,
    { text: "So:\n```\nx\n```", calls: [MADE] },
  ],
  [
    "tokens in a call's arguments",
    `<|channel|>commentary to=functions.grep<|message|>{"q":"<|end|> or <|call|>"}<|call|>`,
    { calls: ['grep {"q":"<|end|> or <|call|>"}'] },
  ],
  ["text after complete arguments", `${CALL}Done.`, { calls: [MADE], text: "Done." }],
  [
    "a result that the model made up",
    `${CALL}<|start|>functions.read_file to=assistant<|channel|>commentary<|message|>x = 1<|end|>${START}<|channel|>final<|message|>It is 1.`,
    { calls: [MADE], reasoning: "x = 1", text: "It is 1." },
  ],
  [
    "a tool that is not there",
    "<|channel|>commentary to=functions.fly<|message|>{}<|call|>",
    { calls: ["fly {}"] },
  ],
  [
    "thinking that quotes the tokens",
    `<|channel|>analysis<|message|>A "<|end|>" ends it, \`<|channel|>final<|message|>\` begins.<|end|>${START}<|channel|>final<|message|>ok`,
    { reasoning: 'A "<|end|>" ends it, `<|channel|>final<|message|>` begins.', text: "ok" },
  ],
  [
    "an answer that quotes the tokens",
    `<|channel|>final<|message|>It ends with <|end|>, then <|channel|>final<|message|> begins.<|return|>`,
    { text: "It ends with <|end|>, then <|channel|>final<|message|> begins." },
  ],
  [
    "an answer that shows messages in a block",
    `<|channel|>final<|message|>\`\`\`\n<|end|>\n${START}${CALL}\n\`\`\`\nThat is one.<|return|>`,
    { text: `\`\`\`\n<|end|>\n${START}${CALL}\n\`\`\`\nThat is one.` },
  ],
  ["thinking that is cut", "<|channel|>analysis<|message|>a <|en", { reasoning: "a <|en" }],
];

/** Answers that only quote tokens. */
const quoted: readonly string[] = [
  `The format is ${THOUGHT}${START}<|channel|>final<|message|>b`,
  `\`${CALL}\``,
  `\`\`\`\n${THOUGHT}\n\`\`\``,
  `> ${CALL}`,
  "<|channel|> names a channel.",
  "<|channel|>",
  "<|channel|>news<|message|>Here it is.",
  "<|start|> begins a message.\n<|message|> its text.",
  "<|start|>assistant begins one, and <|end|> ends it.",
  `<|end|>${THOUGHT}`,
  "<|message|>Hello",
  `<${"x".repeat(400)}`,
  `<|start|>assistant ${"x".repeat(400)}<|message|>`,
];

describe("gpt-oss' channels in text", () => {
  for (const [what, answer, { text = "", reasoning = "", calls = [] }] of rows)
    it(`are read, in any chunking: ${what}`, () => {
      const expected = { text, reasoning, calls };
      assert.deepEqual(read([answer]), expected);
      assert.deepEqual(read([...answer]), expected);
      const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
      fc.assert(
        fc.property(cuts, (lengths) => assert.deepEqual(read(cut(answer, lengths)), expected)),
        { numRuns: 10, seed: 1 },
      );
    });
  for (const answer of quoted)
    it(`are text where an answer quotes them: ${JSON.stringify(answer).slice(0, 60)}`, () => {
      const expected = { text: answer, reasoning: "", calls: [] };
      assert.deepEqual(read([answer]), expected);
      assert.deepEqual(read([...answer]), expected);
    });

  const shown: readonly (readonly [string, Required<Row>])[] = [
    ["of another model", read([THOUGHT + START + CALL], "atlas-large")],
    [
      "where the server sends the thinking apart",
      read([START + CALL], "openai/gpt-oss-120b", [{ reasoning: "I look." }]),
    ],
    [
      "where the server sends calls apart",
      read([START + CALL], "gpt-oss", [
        { tool_calls: [{ index: 0, id: "1", function: { name: "grep", arguments: "{}" } }] },
      ]),
    ],
  ];
  for (const [where, { text, calls }] of shown)
    it(`show a call as it is written ${where}`, () => {
      assert.ok(text.endsWith(CALL), text);
      assert.ok(!calls.includes(MADE));
    });

  it("end no call where the answer broke off", () => {
    const decoder = decoderOf("gpt-oss");
    const parts = [
      ...decoder.push({ choices: [{ delta: { content: CALL.slice(0, -12) } }] }),
      ...decoder.breakOff(),
    ];
    assert.ok(parts.some(({ type }) => type === "tool-call-start"));
    assert.ok(!parts.some(({ type }) => type === "tool-call-end"));
  });

  it("are left out of an answer whose blocks are applied", () =>
    assert.deepEqual(withoutThinking(`${THOUGHT}${START}<|channel|>final<|message|>b<|return|>`), {
      said: "b",
      doubtful: 0,
    }));

  it("are read in a time that grows with the answer's length alone", () => {
    for (const text of [
      "<|end|>",
      '"}<|end|>',
      "<|start|>",
      "<",
      "\n",
      "<|channel|>final",
      "`<|end|>`",
    ])
      for (const begin of [
        "<|channel|>analysis<|message|>",
        "<|channel|>final<|message|>",
        CALL.split("{")[0] ?? "",
      ])
        read([`${begin}{"a":"${text.repeat(5_000)}`]);
  });
});

function cut(text: string, lengths: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}
