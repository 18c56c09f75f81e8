import assert from "node:assert/strict";
import fc from "fast-check";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import { applyTo, codes, editBlock, statuses } from "../../../fakes/turns/applyTo.ts";

const CART = `export class Cart {
  items = [];

  /** Adds. */
  addItem(item) {
    const total = this.total();
    if (total > 10) {
      throw new Error("full");
    }
    this.items.push(item);
  }

  total() {
    let sum = 0;
    for (const item of this.items) {
      sum += item.price;
    }
    return sum;
  }
}

function other() {
  return 1;
}
`;

interface Case {
  readonly does: string;
  readonly blocks: readonly (readonly [address: string, body?: string])[];
  /** The first text becomes the second; none where nothing changes. */
  readonly changes?: readonly (readonly [from: string, to: string])[];
  readonly ends?: readonly (string | undefined)[];
}

const CASES: readonly Case[] = [
  {
    does: "replaces lines inside an element as written",
    blocks: [["ast-path:Cart-addItem:7:9", "    if (total > 20) return;"]],
    changes: [
      [
        '    if (total > 10) {\n      throw new Error("full");\n    }\n',
        "    if (total > 20) return;\n",
      ],
    ],
  },
  {
    does: "inserts before and after lines of an element",
    blocks: [
      ["ast-path:Cart-total:14:14:before", "    // Sums up."],
      ["ast-path:Cart-total:14:14:after", "    let count = 0;"],
    ],
    changes: [["    let sum = 0;\n", "    // Sums up.\n    let sum = 0;\n    let count = 0;\n"]],
  },
  {
    does: "removes lines, by operation or empty body",
    blocks: [["ast-path:Cart-addItem:7:9:remove"], ["ast-path:Cart-total:14:14", ""]],
    changes: [
      ['    if (total > 10) {\n      throw new Error("full");\n    }\n', ""],
      ["    let sum = 0;\n", ""],
    ],
  },
  {
    does: "counts on from the text shown when an earlier block changed lines above",
    blocks: [
      [
        "ast-path:Cart-addItem",
        "  addItem(item) {\n    a();\n    b();\n    this.items.push(item);\n  }\n\n  more() {}\n\n  last() {}",
      ],
      ["ast-path:Cart-total:16:16", "      sum += item.price * item.count;"],
    ],
    changes: [
      [
        CART.split("\n").slice(4, 11).join("\n"),
        "  addItem(item) {\n    a();\n    b();\n    this.items.push(item);\n  }\n\n  more() {}\n\n  last() {}",
      ],
      ["      sum += item.price;", "      sum += item.price * item.count;"],
    ],
  },
  {
    does: "takes the lines of an element's comment",
    blocks: [["ast-path:Cart-addItem:4:5", "  /** Adds an item. */\n  addItem(item, count) {"]],
    changes: [
      ["  /** Adds. */\n  addItem(item) {", "  /** Adds an item. */\n  addItem(item, count) {"],
    ],
  },
  {
    does: "takes lines of the whole file",
    blocks: [["ast-path:@file:23:23", "  return 2;"]],
    changes: [["  return 1;", "  return 2;"]],
  },
  {
    does: "refuses lines outside the element",
    blocks: [["ast-path:Cart-total:10:14", "x"]],
    ends: ["outside-element"],
  },
  {
    does: "finds the element as it was shown while half of a message does not parse",
    blocks: [
      ["ast-path:Cart-total:15:15", "    this.items.forEach((item) => {"],
      ["ast-path:Cart-total:16:16", "      sum += item.price * 2;"],
      ["ast-path:Cart-total:17:17", "    });"],
    ],
    changes: [
      [
        "    for (const item of this.items) {\n      sum += item.price;\n    }\n",
        "    this.items.forEach((item) => {\n      sum += item.price * 2;\n    });\n",
      ],
    ],
  },
  {
    does: "refuses lines beyond the file",
    blocks: [["ast-path:Cart-total:90:91", "x"]],
    ends: ["no-such-line"],
  },
  {
    does: "refuses lines that an earlier block changed, and keeps that block",
    blocks: [
      ["ast-path:Cart-addItem:6:7", "    if (this.total() > 10) {"],
      ["ast-path:Cart-addItem:7:9", "x"],
    ],
    changes: [
      [
        "    const total = this.total();\n    if (total > 10) {\n",
        "    if (this.total() > 10) {\n",
      ],
    ],
    ends: [undefined, "changed-by-earlier-block"],
  },
  {
    does: "refuses lines of an element that an earlier block rewrote",
    blocks: [
      ["ast-path:other", "function other() {\n  return 3;\n}"],
      ["ast-path:other:23:23", "  return 2;"],
    ],
    changes: [["  return 1;", "  return 3;"]],
    ends: [undefined, "changed-by-earlier-block"],
  },
  {
    does: "applies lines whose check fits",
    blocks: [['ast-path:Cart-total:16:16 "sum +="', "      sum -= item.price;"]],
    changes: [["sum += item", "sum -= item"]],
  },
  {
    does: "moves a block to the one place nearby that its check fits",
    blocks: [['ast-path:Cart-total:15:15 "sum+= item"', "      sum -= item.price;"]],
    changes: [["sum += item", "sum -= item"]],
  },
  {
    does: "moves the last line alone",
    blocks: [['ast-path:Cart-total:16:17 "sum +=" "sum +="', "      sum -= item.price;"]],
    changes: [["sum += item", "sum -= item"]],
  },
  {
    does: "refuses a check that fits nowhere near",
    blocks: [['ast-path:Cart-total:14:14 "let total"', "x"]],
    ends: ["checks-failed"],
  },
  {
    does: "refuses a check that fits two places near",
    blocks: [['ast-path:Cart-total:16:16 "}"', "x"]],
    ends: ["checks-failed"],
  },
  {
    does: "refuses a move out of the element",
    blocks: [['ast-path:Cart-total:15:15 "this.items.push"', "x"]],
    ends: ["outside-element"],
  },
  {
    does: "applies a whole element whose checks fit",
    blocks: [['ast-path:other "function other" "}"', "function other() {\n  return 2;\n}"]],
    changes: [["  return 1;", "  return 2;"]],
  },
  {
    does: "refuses a whole element whose check does not fit",
    blocks: [['ast-path:other "function another"', "function other() {}"]],
    ends: ["checks-failed"],
  },
  {
    does: "refuses nothing to insert",
    blocks: [["ast-path:Cart-total:14:14:after", ""]],
    ends: ["empty-body"],
  },
];

describe("lines inside an element", () => {
  for (const { does, blocks, changes = [], ends } of CASES) {
    it(does, async () => {
      const expected = changes.reduce((text, [from, to]) => {
        assert.ok(text.includes(from), "the case itself is wrong");
        return text.replace(from, () => to);
      }, CART);
      for (const eol of ["\n", "\r\n"]) {
        const message = blocks.map(([address, body]) => editBlock(address, body)).join("\n");
        const result = await applyTo("cart.ts", CART.replaceAll("\n", eol), message);
        assert.deepEqual(codes(result), ends ?? blocks.map(() => undefined));
        assert.equal(result.text, expected.replaceAll("\n", eol));
      }
    });
  }

  it("says where a moved block went", async () => {
    const result = await applyTo(
      "cart.ts",
      CART,
      editBlock('ast-path:Cart-total:15:15 "sum +="', "      sum -= item.price;"),
    );
    assert.deepEqual(result.blocks[0]?.adjustments, [
      { code: "moved", to: { start: 16, end: 16 } },
    ]);
    assert.match(result.report, /applied\. Its checks fit lines 16-16/);
  });

  it("gives what line mode gives, in any order and any pieces", async () => {
    const lines = CART.split("\n");
    const body = fc.array(fc.constantFrom("  x();", "", "    // note", "y"), {
      minLength: 1,
      maxLength: 3,
    });
    const change = fc.record({
      start: fc.integer({ min: 5, max: 11 }),
      length: fc.nat({ max: 2 }),
      body,
      op: fc.constantFrom("", ":remove"),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (raw, chunk, checked) => {
          const chosen: { start: number; end: number; body: string[]; op: string }[] = [];
          for (const { start, length, body: own, op } of raw) {
            const end = Math.min(start + length, 11);
            if (chosen.every((other) => end < other.start || other.end < start))
              chosen.push({ start, end, body: own, op });
          }
          const check = (line: number) => ` "${lines[line - 1]?.trim()}"`;
          const blocks = chosen.map(({ start, end, body: own, op }) => {
            const checks = checked ? check(start) + check(end) : "";
            return [
              `:${start}:${end}${op}${checks}`,
              op === "" ? own.join("\n") || " " : "",
            ] as const;
          });
          const inner = await applyTo(
            "cart.ts",
            CART,
            blocks.map(([at, text]) => editBlock(`ast-path:@file${at}`, text)).join(""),
            "ast",
            chunk,
          );
          const plain = await applyTo(
            "cart.ts",
            CART,
            blocks.map(([at, text]) => editBlock(at.slice(1), text)).join(""),
            "lines",
          );
          assert.deepEqual(
            statuses(inner),
            plain.blocks.map(({ status }) => status),
          );
          assert.equal(inner.text, plain.text);
        },
      ),
      { numRuns: campaignRuns(60, 150) },
    );
  });
});
