import assert from "node:assert/strict";
import fc from "fast-check";
import { type ContentPiece, ThinkTagSplitter } from "../../../src/model/openai/thinkTagSplitter.ts";

function split(chunks: readonly string[]): { text: string; reasoning: string } {
  const splitter = new ThinkTagSplitter();
  const pieces: ContentPiece[] = [];
  for (const chunk of chunks) pieces.push(...splitter.push(chunk));
  pieces.push(...splitter.flush());
  const join = (type: ContentPiece["type"]) =>
    pieces.map((piece) => (piece.type === type ? piece.text : "")).join("");
  return { text: join("text"), reasoning: join("reasoning") };
}

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
          if (!/<think|\[THINK/.test(content)) assert.equal(split([content]).text, content);
        },
      ),
    );
  });
});
