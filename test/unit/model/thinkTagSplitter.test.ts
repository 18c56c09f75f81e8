import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type ContentPiece,
  ThinkTagSplitter,
} from "../../../src/model/thinking/thinkTagSplitter.ts";

interface Read {
  text: string;
  reasoning: string;
  /** What may be thinking of the text. */
  doubtful?: string;
}

function split(chunks: readonly string[], end: "whole" | "cut" = "whole"): Read {
  const splitter = new ThinkTagSplitter();
  const pieces: ContentPiece[] = [];
  for (const chunk of chunks) pieces.push(...splitter.push(chunk));
  pieces.push(...splitter.flush(end));
  const read: Read = { text: "", reasoning: "" };
  for (const { type, text } of pieces) {
    if (type === "may-be-reasoning") read.doubtful = read.text;
    else if (type !== "was-reasoning") read[type] += text;
    else {
      Object.assign(read, { text: "", reasoning: read.reasoning + read.text });
      delete read.doubtful;
    }
  }
  return read;
}

const DRAFT = "```ts a.ts#one\ndraft\n```\n";
const REAL = "```ts a.ts#two\nreal\n```\n";

/** Where an end stands, and in what. */
const PLACES: readonly [string, string, Read][] = [
  ...["alone on its line", "behind a tab", "behind blanks", "before the answer's first word"].map(
    (where, at): [string, string, Read] => {
      const [tag = "", answer = ""] = [
        ["</think>\n", "Yes"],
        ["\t</think>\n", "Yes"],
        ["     </think>\n", "Yes"],
        ["</think>", "Yes"],
      ][at] as [string, string];
      const reasoning = `No.\n${DRAFT}${tag.slice(0, tag.indexOf("<"))}`;
      return [`is ended ${where}`, `No.\n${DRAFT}${tag}${answer}`, { text: answer, reasoning }];
    },
  ),
  [
    "is ended in a draft whose fence never closes",
    `Maybe:\n\`\`\`ts a.ts#one\ndraft\n</think>\nHere:\n${REAL}`,
    { text: `Here:\n${REAL}`, reasoning: "Maybe:\n```ts a.ts#one\ndraft\n" },
  ],
  [
    "is ended there before a plain answer",
    "Maybe:\n```ts\ndraft\n</think>\nIt is 3.",
    { text: "It is 3.", reasoning: "Maybe:\n```ts\ndraft\n" },
  ],
  [
    "is ended where it mentions its beginning",
    `The <think> tag.\n${DRAFT}No.\n</think>\nYes`,
    { text: "Yes", reasoning: `The <think> tag.\n${DRAFT}No.\n` },
  ],
  [
    "is ended where it mentions a pair",
    `Is <think>x</think> one?\n${DRAFT}</think>\nYes`,
    { text: "Yes", reasoning: `Is <think>x</think> one?\n${DRAFT}` },
  ],
  [
    "may follow text, between tags on lines of their own",
    `I look.\n<think>\n${DRAFT}</think>\n${REAL}`,
    { text: `I look.\n${REAL}`, reasoning: `\n${DRAFT}` },
  ],
  ...[
    ["in code", "The `</think>` ends it."],
    ["in a sentence", "It now reads </think> there, too."],
    ["in parentheses", "The end (</think>) is text."],
    ["in a list", "- </think> is text"],
    ["in a table", "| </think> | text |"],
    ["of its beginning", "It has\n<think> in it."],
  ].map(([where = "", text = ""]): [string, string, Read] => [
    `is not what stands before a mention ${where}`,
    REAL + text,
    { text: REAL + text, reasoning: "" },
  ]),
  ...[
    ["behind a sentence", "Fine.</think>", "Done."],
    ["between sentences", "Fine. </think>", " Done."],
    ["at the end of a line of prose", "It is closed by </think>", "\nDone."],
    ["at the beginning of a line of prose", "It has\n</think>", " in it."],
    ["in indented code", "As here:\n\n    </think>", "\nDone."],
    ["whose beginning is mentioned behind a block", "Not <think>.\n</think>", "\nDone."],
  ].map(([where = "", before = "", after = ""]): [string, string, Read] => [
    `may be what stands before an end ${where}`,
    REAL + before + after,
    { text: REAL + before + after, reasoning: "", doubtful: REAL + before },
  ]),
  [
    "may have a second end, where the first is marked",
    `<think>a</think>${REAL}No.\n</think>\nYes`,
    {
      text: `${REAL}No.\n</think>\nYes`,
      reasoning: "a",
      doubtful: `${REAL}No.\n</think>`,
    },
  ],
  [
    "may have begun on a line of its own, without an end",
    `Hm.\n<think>\n${DRAFT}`,
    { text: `Hm.\n<think>\n${DRAFT}`, reasoning: "", doubtful: `Hm.\n<think>\n${DRAFT}` },
  ],
  [
    "is not left where the answer begins with its end",
    "</think>\nYes",
    { text: "Yes", reasoning: "" },
  ],
];

/** The spellings of other models. */
const SPELLINGS: readonly (readonly [open: string, close: string])[] = [
  ["<think>", "</think>"],
  ["<THINK>", "</Think>"],
  ["<think >", "</think >"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["<seed:think>", "</seed:think>"],
  ["<mm:think>", "</mm:think>"],
  ["<think:opensource>", "</think:opensource>"],
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|inner_prefix|>", "<|inner_suffix|>"],
  ["<|channel>thought", "<channel|>"],
];

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
  const cases: readonly [string, string, Read][] = [
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
    ["may be all there is", "<think>never ends </thi", { text: "", reasoning: "never ends </thi" }],
    [
      "is not looked for inside the answer",
      "Write <think>x</think> there.",
      { text: "Write <think>x</think> there.", reasoning: "" },
    ],
    ["is not confused with other tags", "<thin>x", { text: "<thin>x", reasoning: "" }],
    ...LONE_ENDS,
    ...PLACES,
    ...SPELLINGS.flatMap(([open, close]): [string, string, Read][] => [
      [
        `may stand between ${open} and ${close}`,
        `${open}No.${close}Yes`,
        { text: "Yes", reasoning: "No." },
      ],
      [
        `may only have its end ${close}`,
        `${DRAFT}${close}\nYes`,
        { text: "Yes", reasoning: DRAFT },
      ],
    ]),
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

  it("is in doubt where an answer was cut off in a block with an end in it", () => {
    const text = "Here:\n```html a.html#x\n<a>\n</think>\n</a>";
    const doubtful = text.slice(0, -5);
    assert.deepEqual(split([...text], "cut"), { text, reasoning: "", doubtful });
  });

  it("holds no more than a million characters for a tag that only the end could explain", () => {
    for (const begin of ["```html\n</think>\n", "Hm.\n<think>\n"]) {
      const splitter = new ThinkTagSplitter();
      let length = 0;
      for (const piece of [begin, ...Array<string>(120).fill("x\n".repeat(5_000))])
        for (const { text } of splitter.push(piece)) length += text.length;
      assert.ok(length > 1_000_000);
    }
  });

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
      "```",
      "````ts\n",
      "~~~",
      "`",
      "\t",
      "    ",
      ".",
      "◁/thi",
      "nk▷",
      "</THINK >",
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 30 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (words, sizes) => {
          const content = words.join("");
          const chunks: string[] = [];
          for (let start = 0; start < content.length; ) {
            const size = sizes.next().value;
            chunks.push(content.slice(start, start + size));
            start += size;
          }
          for (const end of ["whole", "cut"] as const)
            assert.deepEqual(split(chunks, end), split([content], end));
          if (!/<\/?think|\[THINK|◁/i.test(content)) assert.equal(split([content]).text, content);
        },
      ),
    );
  });
});
