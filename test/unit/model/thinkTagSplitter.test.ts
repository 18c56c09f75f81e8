import assert from "node:assert/strict";
import fc from "fast-check";
import { type ContentPiece, ThinkTagSplitter } from "../../../src/model/openai/thinkTagSplitter.ts";

function split(chunks: readonly string[]): { text: string; reasoning: string } {
  const splitter = new ThinkTagSplitter();
  const pieces: ContentPiece[] = [];
  for (const chunk of chunks) pieces.push(...splitter.push(chunk));
  pieces.push(...splitter.flush());
  const read = { text: "", reasoning: "" };
  for (const { type, text } of pieces) {
    if (type !== "was-reasoning") read[type] += text;
    else Object.assign(read, { text: "", reasoning: read.reasoning + read.text });
  }
  return read;
}

/** Thinking that has only its end, and ends that are text. */
const LONE_ENDS: readonly [string, string, { text: string; reasoning: string }][] = [
  ["may have only its end", "No.\n</think>\n\nanswer", { text: "answer", reasoning: "No.\n" }],
  ["may have its only end in a line", "No.</think>Yes", { text: "Yes", reasoning: "No." }],
  ["may have another kind of end", "No.\n</thinking>Yes", { text: "Yes", reasoning: "No.\n" }],
  [
    "may hold a block before its only end",
    "```ts\nx\n```\nNo.\n</think>\nyes",
    { text: "yes", reasoning: "```ts\nx\n```\nNo.\n" },
  ],
  [
    "is ended where only a far backtick would make the tag code",
    `a \`b</think>${"x".repeat(3_000)}\``,
    { text: `${"x".repeat(3_000)}\``, reasoning: "a `b" },
  ],
  ["may have two ends", "a\n</think>\nb\n</think>\nc", { text: "c", reasoning: "a\nb\n" }],
  ...[
    ["in a code block", "```html\nx\n</think>\n```\ny"],
    ["in a nested code block", "````md\n```js\n</think>\n```\n</think>\n````\ny"],
    ["in a block of tildes", "~~~\n</think>\n~~~\ny"],
    ["in a block in a list", "- x\n  ```\n  </think>\n  ```\ny"],
    ["in code in a line", "The tag `</think>` ends it."],
    ["in longer code in a line", "The tag `` `</think>` `` ends it."],
    ["in quotes", 'The tag "</think>" ends it.'],
    ["in indented code", "x\n\n    </think>\ny"],
    ["of a pair", "Write <think>x</think> there."],
    ["far into a line", `${"x".repeat(3_000)}</think>y`],
    ["in each of many pairs on a line", `a ${"<think>x</think>".repeat(2_000)}`],
  ].map(([where = "", text = ""]): [string, string, { text: string; reasoning: string }] => [
    `is not ended by a tag ${where}`,
    text,
    { text, reasoning: "" },
  ]),
  [
    "that is marked is not ended again by a mention",
    "<think>a</think>The tag </think> ends it.",
    { text: "The tag </think> ends it.", reasoning: "a" },
  ],
];

describe("thinking between tags", () => {
  const cases: readonly [string, string, { text: string; reasoning: string }][] = [
    [
      "is separated from the answer",
      "<think>plan</think>\n\nanswer",
      { text: "answer", reasoning: "plan" },
    ],
    [
      "may follow white space",
      "\n <think>plan</think>answer",
      { text: "answer", reasoning: "plan" },
    ],
    [
      "keeps the indent of the answer's first line",
      "<think>p</think>\n\n  code",
      { text: "  code", reasoning: "p" },
    ],
    [
      "may come in several blocks",
      "<think>a</think>\n<think>b</think>\nc",
      { text: "c", reasoning: "ab" },
    ],
    ["may be marked in other ways", "[THINK]a < b[/THINK]c", { text: "c", reasoning: "a < b" }],
    [
      "is not a channel, which is shown as it is",
      "<|channel|>analysis<|message|>plan<|end|>answer",
      { text: "<|channel|>analysis<|message|>plan<|end|>answer", reasoning: "" },
    ],
    ["may be all there is", "<think>never ends </thi", { text: "", reasoning: "never ends </thi" }],
    [
      "is not looked for inside the answer",
      "Write <think>x</think> there.",
      { text: "Write <think>x</think> there.", reasoning: "" },
    ],
    ["is not confused with other tags", "<thin>x", { text: "<thin>x", reasoning: "" }],
    ...LONE_ENDS,
    [
      "takes no white space from an answer without it",
      "\n\n  x",
      { text: "\n\n  x", reasoning: "" },
    ],
  ];
  for (const [what, content, expected] of cases) {
    it(what, () => {
      assert.deepEqual(split([content]), expected);
      assert.deepEqual(split([...content]), expected);
    });
  }

  it("reads the same for every cut, and loses nothing of an answer without tags", () => {
    const word = fc.constantFrom(
      "<think>",
      "</think>",
      "<thinking>",
      "</thinking>",
      "<th",
      "</",
      "\n",
      " ",
      "a",
      "<",
      "[THINK]",
    );
    fc.assert(
      fc.property(
        fc.array(word),
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (words, sizes) => {
          const content = words.join("");
          const chunks: string[] = [];
          for (let start = 0; start < content.length; ) {
            const size = sizes.next().value;
            chunks.push(content.slice(start, start + size));
            start += size;
          }
          assert.deepEqual(split(chunks), split([content]));
          if (!/<\/?think|\[THINK/.test(content)) assert.equal(split([content]).text, content);
        },
      ),
    );
  });
});
