import assert from "node:assert/strict";
import fc from "fast-check";
import { ChangedText } from "../../../../src/edits/place/changedText.ts";
import { lineChange, linesOverlap } from "../../../../src/edits/place/lineChange.ts";
import { fileLines } from "../../../../src/edits/text/fileLines.ts";

import { lineDiff } from "../../../../src/edits/text/lineDiff.ts";
import { applyTo, editBlock, statuses } from "../../../fakes/turns/applyTo.ts";

const FIVE = "one\ntwo\nthree\nfour\nfive\n";

interface Case {
  readonly does: string;
  readonly before: string;
  readonly blocks: readonly (readonly [address: string, body?: string])[];
  readonly after: string;
}

const CASES: readonly Case[] = [
  {
    does: "replaces lines, both ends included",
    before: FIVE,
    blocks: [["2:3", "TWO"]],
    after: "one\nTWO\nfour\nfive\n",
  },
  {
    does: "deletes lines with an empty body",
    before: FIVE,
    blocks: [["2:3"]],
    after: "one\nfour\nfive\n",
  },
  {
    does: "deletes lines with remove",
    before: FIVE,
    blocks: [["2:3:remove"]],
    after: "one\nfour\nfive\n",
  },
  {
    does: "deletes lines with remove, whatever the body",
    before: FIVE,
    blocks: [["2:3:remove", "two"]],
    after: "one\nfour\nfive\n",
  },
  {
    does: "inserts before the first line of the address",
    before: FIVE,
    blocks: [["2:3:before", "x"]],
    after: "one\nx\ntwo\nthree\nfour\nfive\n",
  },
  {
    does: "inserts after the last line of the address",
    before: FIVE,
    blocks: [["2:3:after", "x"]],
    after: "one\ntwo\nthree\nx\nfour\nfive\n",
  },
  {
    does: "takes a body with another indent as it is written",
    before: "if a:\n    b()\n    c()\nd()\n",
    blocks: [["1:1"], ["2:3", "b()\nc()"]],
    after: "b()\nc()\nd()\n",
  },
  {
    does: "replaces by a blank line",
    before: FIVE,
    blocks: [["2:2", "\n"]],
    after: "one\n\n\nthree\nfour\nfive\n",
  },
  {
    does: "means the snapshot with every block",
    before: FIVE,
    blocks: [["4:4", "4a\n4b"], ["1:1"], ["2:2:after", "2b"]],
    after: "two\n2b\nthree\n4a\n4b\nfive\n",
  },
  {
    does: "puts what comes after a line before what comes before the next",
    before: FIVE,
    blocks: [
      ["3:3:before", "B"],
      ["2:2:after", "A"],
    ],
    after: "one\ntwo\nA\nB\nthree\nfour\nfive\n",
  },
  {
    does: "keeps the order of insertions at one place",
    before: FIVE,
    blocks: [
      ["2:2:after", "A"],
      ["2:2:after", "B"],
    ],
    after: "one\ntwo\nA\nB\nthree\nfour\nfive\n",
  },
  {
    does: "takes insertions at the edges of a replacement",
    before: FIVE,
    blocks: [
      ["2:3", "X"],
      ["2:2:before", "A"],
      ["3:3:after", "B"],
    ],
    after: "one\nA\nX\nB\nfour\nfive\n",
  },
  {
    does: "appends at the editor's empty last line",
    before: FIVE,
    blocks: [["6:6", "six"]],
    after: `${FIVE}six\n`,
  },
  {
    does: "appends behind the last line",
    before: FIVE,
    blocks: [["7:7", "six"]],
    after: `${FIVE}six\n`,
  },
  {
    does: "appends after the last line",
    before: FIVE,
    blocks: [["5:5:after", "six"]],
    after: `${FIVE}six\n`,
  },
  {
    does: "takes the editor's empty last line along",
    before: FIVE,
    blocks: [["5:6", "V"]],
    after: "one\ntwo\nthree\nfour\nV\n",
  },
  { does: "keeps a missing final newline", before: "a\nb", blocks: [["2:2", "B"]], after: "a\nB" },
  {
    does: "keeps a missing final newline when the last line goes",
    before: "a\nb",
    blocks: [["2:2"]],
    after: "a",
  },
  {
    does: "adds a line break first behind a last line without one",
    before: "a\nb",
    blocks: [["2:2:after", "c"]],
    after: "a\nb\nc",
  },
  {
    does: "appends to a file without a final newline",
    before: "a\nb",
    blocks: [["3:3", "c"]],
    after: "a\nb\nc",
  },
  { does: "fills an empty file", before: "", blocks: [["1:1", "a\nb"]], after: "a\nb\n" },
  { does: "empties a file", before: "a\nb\n", blocks: [["1:2"]], after: "" },
  {
    does: "empties a file without a final newline",
    before: "a\nb",
    blocks: [["1:2:remove"]],
    after: "",
  },
  {
    does: "keeps CRLF",
    before: "a\r\nb\r\nc\r\n",
    blocks: [["2:2", "x\ny"]],
    after: "a\r\nx\r\ny\r\nc\r\n",
  },
  {
    does: "keeps CRLF where lines are appended",
    before: "a\r\nb",
    blocks: [["2:2:after", "c"]],
    after: "a\r\nb\r\nc",
  },
  {
    does: "keeps the breaks of lines beside a change in a mixed file",
    before: "a\r\nb\nc\r\nd\n",
    blocks: [["2:2", "x\ny"]],
    after: "a\r\nx\ny\nc\r\nd\n",
  },
  {
    does: "gives an inserted line its neighbour's break",
    before: "a\r\nb\nc\n",
    blocks: [["1:1:after", "x"]],
    after: "a\r\nx\r\nb\nc\n",
  },
  {
    does: "keeps a byte order mark",
    before: "\uFEFFa\nb\n",
    blocks: [["1:1", "x"]],
    after: "\uFEFFx\nb\n",
  },
  {
    does: "does not move a body to another indent",
    before: "if x:\n    a\n    b\n",
    blocks: [["2:3", "b"]],
    after: "if x:\nb\n",
  },
  {
    does: "keeps trailing spaces and tabs of a body",
    before: "a\n",
    blocks: [["1:1", "\tx  \n  "]],
    after: "\tx  \n  \n",
  },
  {
    does: "counts a lone carriage return as the editor does",
    before: "a\rb\rc",
    blocks: [["2:2", "B"]],
    after: "a\rB\rc",
  },
];

describe("line mode", () => {
  for (const { does, before, blocks, after } of CASES) {
    it(does, async () => {
      const message = blocks.map(([address, body]) => editBlock(address, body)).join("\nText.\n");
      const result = await applyTo("notes.txt", before, message);
      assert.deepEqual(
        result.blocks.filter(({ status }) => status !== "applied"),
        [],
      );
      assert.equal(result.text, after);
    });
  }

  it("keeps the indent of lines below those that an earlier block has moved", async () => {
    const before = "f {\n    a();\n\n    b();\n    c();\n}\n";
    const result = await applyTo(
      "a.ts",
      before,
      editBlock("2:2", "  x();") + editBlock("4:4", "  y();"),
    );
    assert.equal(result.text, "f {\n  x();\n\n  y();\n    c();\n}\n");
    // Also where it repeats some of them.
    const nested = "f {\n    if (x) {\n      a();\n    }\n\n    b();\n    c();\n    d();\n}\n";
    const unwrapped = await applyTo(
      "a.ts",
      nested,
      editBlock("2:4", "  a();") + editBlock("6:7", "  y();\n  c();"),
    );
    assert.equal(unwrapped.text, "f {\n  a();\n\n  y();\n  c();\n    d();\n}\n");
  });

  it("counts no line after the final line break", async () => {
    const result = await applyTo("notes.txt", FIVE, editBlock('1:1 "one"', "ONE"));
    assert.equal(result.lineCount, 5);
    assert.equal(result.report, "File 'notes.txt' has been updated. It now has 5 lines.");
  });

  it("refuses overlapping blocks and names both", async () => {
    const message = [editBlock("1:3", "x"), editBlock("3:4", "y"), editBlock("5:5", "z")].join("");
    const result = await applyTo("notes.txt", FIVE, message);
    assert.deepEqual(statuses(result), ["refused", "refused", "applied"]);
    for (const { code } of result.blocks.slice(0, 2)) assert.equal(code, "overlap");
    assert.equal(result.text, "one\ntwo\nthree\nfour\nz\n");
  });

  it("refuses every block of a chain of overlaps", async () => {
    const message = [editBlock("1:2", "x"), editBlock("2:3", "y"), editBlock("3:4", "z")].join("");
    const result = await applyTo("notes.txt", FIVE, message);
    assert.deepEqual(statuses(result), ["refused", "refused", "refused"]);
    assert.equal(result.text, FIVE);
  });

  it("takes a block for a file of 1 MB, and a block of as many lines", async () => {
    const row = "1,2,3\n";
    const table = row.repeat(170_000);
    const one = await applyTo(
      "a.csv",
      table,
      editBlock("150000:150000", "4,5,6"),
      "lines",
      1_000_000,
    );
    assert.equal(one.text, `${row.repeat(149_999)}4,5,6\n${row.repeat(20_000)}`);
    const all = await applyTo(
      "a.csv",
      "a\n",
      editBlock("1:1", table.slice(0, -1)),
      "lines",
      1_000_000,
    );
    assert.equal(all.text, table);
  });

  it("refuses an insertion into replaced lines", async () => {
    const result = await applyTo(
      "notes.txt",
      FIVE,
      editBlock("1:4", "x") + editBlock("2:2:after", "y"),
    );
    assert.equal(result.text, FIVE);
  });

  it("can write any change of a file as blocks, byte for byte", async () => {
    const text = fc.array(fc.constantFrom("a", "b", "", "  c", "}", "// d"), {
      minLength: 2,
      maxLength: 15,
    });
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        async (before, after, eol, final) => {
          const lines = (part: readonly string[]) => [...part.slice(0, -1), part.at(-1) || "end"];
          const join = (part: readonly string[]) => lines(part).join(eol) + (final ? eol : "");
          const plain = (part: readonly string[]) =>
            lines(part)
              .map((line) => `${line}\n`)
              .join("");
          const blocks = lineDiff(plain(before), plain(after)).map(
            ({ beforeLines, afterLines }) => {
              const body = lines(after).slice(afterLines.start, afterLines.end);
              const { start, end } = beforeLines;
              const address =
                start < end
                  ? `${start + 1}:${end}`
                  : start > 0
                    ? `${start}:${start}:after`
                    : "1:1:before";
              return ["```x:", address, "\n", ...body.map((line) => `${line}\n`), "```\n"].join("");
            },
          );
          const result = await applyTo("a.txt", join(before), blocks.join(""));
          if (blocks.length > 0) assert.equal(result.text, join(after));
        },
      ),
    );
  });

  it("gives the same text as splicing arrays of lines", () => {
    const line = fc.constantFrom("a", "b", "", "  c");
    const file = fc.tuple(
      fc.array(line, { maxLength: 10 }),
      fc.boolean(),
      fc.constantFrom("\n" as const, "\r\n" as const),
    );
    const change = fc.record({
      start: fc.nat({ max: 10 }),
      length: fc.nat({ max: 3 }),
      lines: fc.array(line, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(file, fc.array(change, { maxLength: 4 }), ([lines, final, eol], raw) => {
        // A last blank line without a break is no line of its own.
        const terminated = final || lines.at(-1) === "";
        const text = lines.length === 0 ? "" : lines.join(eol) + (terminated ? eol : "");
        const changes = raw
          .map(({ start, length, lines: body }) => ({
            start,
            end: Math.min(start + length, lines.length),
            lines: body,
            after: false,
          }))
          .filter(({ start, end }) => start <= end)
          .filter((one, index, all) =>
            all.every((other, at) => at >= index || !linesOverlap(one, other)),
          );
        const parsed = fileLines(text);
        const placed = changes.map((one) => lineChange(parsed, one, one.lines));
        const changed = new ChangedText(parsed, placed);
        const result = changed.text;
        const found = changed.ranges();
        const ranges = placed.map((one) => found.get(one));
        const expected = [...lines];
        const inOrder = changes.map((one, index) => ({ ...one, index }));
        inOrder.sort(
          (a, b) => b.start - a.start || b.end - b.start - (a.end - a.start) || b.index - a.index,
        );
        for (const { start, end, lines: body } of inOrder)
          expected.splice(start, end - start, ...body);
        const joined = expected.join("\n");
        const withEnd =
          expected.length > 0 && (terminated || lines.length === 0) ? `${joined}\n` : joined;
        assert.equal(result.replaceAll("\r\n", "\n"), withEnd);
        changes.forEach(({ lines: body }, index) => {
          const range = ranges[index] ?? { start: 0, end: 0 };
          const own = result.slice(range.start, range.end).replaceAll("\r\n", "\n");
          const written = body.map((one) => `${one}\n`).join("");
          assert.ok(own === written || own === written.slice(0, -1));
        });
        if (eol === "\r\n" && text.includes("\r\n")) assert.doesNotMatch(result, /(?<!\r)\n/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("an insertion beside another", () => {
  for (const [does, first, second, text] of [
    ["after the same line", "2:2:after", "2:2:after", "one\ntwo\nx\ny\nthree\nfour\nfive\n"],
    ["before the same line", "2:2:before", "2:2:before", "one\nx\ny\ntwo\nthree\nfour\nfive\n"],
    ["after and before one line", "1:1:after", "2:2:before", "one\nx\ny\ntwo\nthree\nfour\nfive\n"],
    ["after a replaced line", "2:2", "2:2:after", "one\nx\ny\nthree\nfour\nfive\n"],
    ["before a replaced line", "2:2:before", "2:2", "one\nx\ny\nthree\nfour\nfive\n"],
  ] as const) {
    it(`keeps both ${does}`, async () => {
      const result = await applyTo("a.txt", FIVE, editBlock(first, "x") + editBlock(second, "y"));
      assert.deepEqual(statuses(result), ["applied", "applied"]);
      assert.equal(result.text, text);
    });
  }
});
