import assert from "node:assert/strict";
import { applyTo, codes, editBlock } from "../../../fakes/turns/applyTo.ts";

const TEXT =
  "function total(items) {\n  const amount = sum(items);\n  log(amount);\n  return amount;\n}\n\nlog(total(items));\n";

describe("a letter that changes in a copied line", () => {
  const cases: readonly (readonly [
    does: string,
    address: string,
    body: string,
    code: string | undefined,
  ])[] = [
    [
      "is flagged where two are swapped",
      "2:4",
      "  const amount = sum(itmes);\n  log(amount);\n  return amount + 1;",
      "typo",
    ],
    [
      "is flagged where one is dropped",
      "ast-path:total",
      "function total(items) {\n  const amount = sum(items);\n  log(amunt);\n  return 1;\n}",
      "typo",
    ],
    [
      "is flagged where one is added",
      "2:4",
      "  const amount = summ(items);\n  log(amount);\n  return sum(amount);",
      undefined,
    ],
    [
      "is flagged in a word of four letters",
      "2:4",
      "  const amount = sum(items);\n  log(amouut);\n  return 1;",
      "typo",
    ],
    [
      "says nothing of a word that is there",
      "1:3",
      "function total(items) {\n  const items2 = sum(items);\n  log(total);",
      undefined,
    ],
    [
      "says nothing of a word that is renamed",
      "2:4",
      "  const amounts = sum(items);\n  log(amounts);\n  return amounts;",
      undefined,
    ],
    [
      "says nothing of the one line that changes",
      "2:2",
      "  const amounts = sum(items);",
      undefined,
    ],
    [
      "says nothing where the line stays as well",
      "2:2",
      "  const amount = sum(items);\n  const amoung = sum(items);\n  more();",
      undefined,
    ],
    [
      "is flagged in a line that is copied from elsewhere",
      "7:7:after",
      "log(totla(items));\nmore();",
      "typo",
    ],
    [
      "says nothing of another case",
      "2:4",
      "  const amount = sum(items);\n  log(Amount);\n  return 1;",
      undefined,
    ],
    [
      "says nothing of a changed number",
      "2:4",
      "  const amount = sum(items1);\n  log(amount);\n  return 1;",
      undefined,
    ],
  ];
  for (const [does, address, body, code] of cases) {
    it(does, async () =>
      assert.deepEqual(codes(await applyTo("a.js", TEXT, editBlock(address, body))), [code]),
    );
  }
});
