import assert from "node:assert/strict";
import fc from "fast-check";
import {
  newCallNonce,
  TextCallScanner,
  type TextPiece,
  writtenCall,
} from "../../../src/model/textCalls/textCallScanner.ts";

const nonce = "0123456789ab";

interface Read {
  readonly text: string;
  /** `name arguments`; with a `…` where the call did not end. */
  readonly calls: readonly string[];
  /** The text, with a mark where each call stood. */
  readonly order: string;
}

function read(pieces: readonly string[], complete = true): Read {
  const scanner = new TextCallScanner(nonce);
  const found: TextPiece[] = [
    ...pieces.flatMap((piece) => scanner.push(piece)),
    ...scanner.end(complete),
  ];
  const calls: string[] = [];
  let open = "";
  for (const piece of found) {
    if (piece.type === "call-start") open = `${piece.name} `;
    else if (piece.type === "call-arguments") open += piece.text;
    else if (piece.type === "call-end") calls.push(open.trim());
    if (piece.type === "call-end") open = "";
  }
  if (open !== "") calls.push(`${open.trim()}…`);
  return {
    text: found.map((piece) => (piece.type === "text" ? piece.text : "")).join(""),
    calls,
    order: found
      .map((piece) => (piece.type === "text" ? piece.text : piece.type === "call-start" ? "☎" : ""))
      .join(""),
  };
}

const json = '{"path":"a.ts"}';
const call = writtenCall(nonce, "read_file", json);
const made = `read_file ${json}`;

const calls: readonly (readonly [
  what: string,
  answer: string,
  calls: readonly string[],
  order: string,
])[] = [
  ["after a sentence", `Let me look.\n${call}`, [made], "Let me look.\n☎"],
  ["several in a row", `${call}\n${call}\nThen we see.`, [made, made], "☎☎Then we see."],
  [
    "on one line",
    `<call ${nonce} read_file>${json}</call ${nonce}><call ${nonce} grep>{}</call ${nonce}>`,
    [made, "grep {}"],
    "☎☎",
  ],
  ["indented a little", `  ${call}`, [made], "☎"],
  ["with CRLF", `Look.\r\n${call.replaceAll("\n", "\r\n")}\r\nSo.`, [made], "Look.\r\n☎So."],
  ["without its end, in a complete answer", `<call ${nonce} read_file>${json}`, [made], "☎"],
  [
    "with another call in its arguments",
    writtenCall(nonce, "grep", '{"q":"</call> <call x y>"}'),
    ['grep {"q":"</call> <call x y>"}'],
    "☎",
  ],
  ["after a code block", `\`\`\`js\nx\n\`\`\`\n${call}`, [made], "```js\nx\n```\n☎"],
];

const families = [
  '<tool_call>{"name":"read_file","arguments":{"path":"a.ts"}}</tool_call>',
  "<function=read_file><parameter=path>a.ts</parameter></function>",
  '<|python_tag|>{"name":"read_file","parameters":{}}',
  '[TOOL_CALLS][{"name":"read_file","arguments":{}}]',
  "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>grep<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
  "<|channel|>commentary to=functions.read_file<|message|>{}<|call|>",
  '{"name":"read_file","arguments":{"path":"a.ts"}}',
];

const texts: readonly (readonly [what: string, answer: string])[] = [
  ...families.map((answer): readonly [string, string] => [
    `another family's call: ${answer.slice(0, 20)}`,
    answer,
  ]),
  [
    "a call with another request's word",
    `Look.\n${writtenCall("ba9876543210", "read_file", json)}\n`,
  ],
  ["the word in capitals", call.replaceAll(nonce, nonce.toUpperCase())],
  ["a part of the word", `${writtenCall(nonce.slice(0, -1), "read_file", json)}`],
  ["the middle of a line", `Write ${call}`],
  ["a quotation", `> ${call.replaceAll("\n", "\n> ")}`],
  ["indented code", `    ${call}`],
  ["a list", `- ${call}`],
  ["a code block", `\`\`\`\n${call}\n\`\`\`\n`],
  ["a code block that is not closed", `~~~~markdown:1:1\n${call}\n`],
  [
    "a block in a block",
    `\`\`\`\`md:3:9\n# Calls\n\n\`\`\`xml\n${call}\n\`\`\`\n${call}\n\`\`\`\`\n`,
  ],
  ["a call without a name", `<call ${nonce} >{}</call ${nonce}>`],
  ["a name that is too long", writtenCall(nonce, "x".repeat(200), "{}")],
  ["the end alone", `</call ${nonce}>`],
  ["the beginning of a tag", `<call ${nonce} read_fi`],
];

/** Cuts a text into pieces of these sizes, over and over. */
function cut(whole: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < whole.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(whole.slice(at, at + size));
    at += size;
  }
  return pieces;
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const word = fc.constantFrom(
  ...[...calls, ...texts].map(([, answer]) => answer),
  ...[
    "<call ",
    `<call ${nonce}`,
    `</call ${nonce}>`,
    "</call",
    `${nonce} `,
    "read_file>",
    "{}",
    "```",
    "~~~",
    "\n",
    "\r\n",
    " ",
    "> ",
    "x",
    "<",
  ],
);
const answers = fc.array(word, { maxLength: 8 }).map((words) => words.join(""));

describe("calls written as text", () => {
  for (const [what, answer, expected, order] of calls) {
    it(`are read ${what}`, () => {
      const found = read([answer]);
      assert.deepEqual(
        found.calls.map((each) => each.replace(/\s+(?=\{)/, " ")),
        expected,
      );
      assert.equal(found.order, order);
    });
  }

  for (const [what, answer] of texts) {
    it(`are not seen in ${what}`, () =>
      assert.deepEqual(read([answer]), { text: answer, calls: [], order: answer }));
  }

  it("have no end where the answer broke off in them", () => {
    assert.deepEqual(read([`<call ${nonce} read_file>{"pa`], false).calls, ['read_file {"pa…']);
  });

  it("are read as they arrive", () => {
    const scanner = new TextCallScanner(nonce);
    assert.deepEqual(scanner.push("Look.\n"), [{ type: "text", text: "Look.\n" }]);
    assert.deepEqual(scanner.push(`<call ${nonce} grep>{"q`), [
      { type: "call-start", name: "grep" },
      { type: "call-arguments", text: '{"q' },
    ]);
  });

  it("are found wherever the answer is cut into pieces, and no text is lost", () => {
    fc.assert(
      fc.property(answers, sizes, fc.boolean(), (whole, cuts, complete) => {
        const found = read([whole], complete);
        assert.deepEqual(read(cut(whole, cuts), complete), found);
        if (found.calls.length === 0) assert.equal(found.text, whole);
      }),
      { numRuns: 3_000 },
    );
  });

  it("are never seen in a text without the request's word, however it is cut", () => {
    const other = fc
      .oneof(answers, fc.string(), fc.constantFrom(...families))
      .map((text) => text.replaceAll(nonce, newCallNonce()));
    fc.assert(
      fc.property(
        fc.array(other, { maxLength: 4 }),
        sizes,
        fc.boolean(),
        (parts, cuts, complete) => {
          const whole = parts.join("\n").replaceAll(nonce, "");
          assert.deepEqual(read(cut(whole, cuts), complete), {
            text: whole,
            calls: [],
            order: whole,
          });
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("cost no more a piece the longer the answer is", () => {
    const scanner = new TextCallScanner(nonce);
    const many = [
      `<call ${nonce} grep>{"q":"`,
      ...new Array<string>(200_000).fill("<cal"),
      `"}</call ${nonce}>`,
    ];
    const found = [...many.flatMap((piece) => scanner.push(piece)), ...scanner.end(true)];
    assert.equal(found.filter(({ type }) => type === "call-end").length, 1);
  });
});
