import assert from "node:assert/strict";
import { partUsers } from "../../../../src/tools/command/partNeeds.ts";
import type { PartText } from "../../../../src/tools/command/partText.ts";

function part(path: string, before: string, added: string, removed = "", scope = ""): PartText {
  const lines = (text: string) => (text === "" ? [] : text.split("\n"));
  return {
    ...{ path, line: 1, before },
    ...{ added: lines(added), removed: lines(removed), scope: lines(scope) },
  };
}

/** Who needs whom, as `0: 1 2`. */
const usersOf = (...parts: readonly PartText[]) =>
  partUsers(parts).map((users) => [...users].sort().join(" "));

describe("which parts of a proposal need which", () => {
  it("is found by a new function, its import and its call", () => {
    const before = "import { x } from './x';\nfunction y() {\n  return x();\n}\n";
    assert.deepEqual(
      usersOf(
        part("new.ts", "", "export function fresh() {\n  return 1;\n}"),
        part("a.ts", before, "import { fresh } from './new';"),
        part("a.ts", before, "  return x() + fresh();", "  return x();", "function y() {"),
        part("b.ts", "let z = 1;\n", "let z = 2;", "let z = 1;"),
      ),
      ["1 2", "2", "", ""],
    );
  });

  it("is found in an import over several lines", () => {
    const before = "import {\n  a,\n  b,\n} from './m';\na(b);\n";
    assert.deepEqual(
      usersOf(
        part("m.ts", "export const a = 1;\n", "export const fresh = 2;"),
        part("u.ts", before, "  fresh,", "", "import {"),
        part("u.ts", before, "a(fresh);", "a(b);"),
      ),
      ["1 2", "2", ""],
    );
  });

  it("is found in other languages", () => {
    assert.deepEqual(
      usersOf(
        part("shop/tax.py", "", "def tax(price):\n    return price * 2"),
        part("shop/cart.py", "import os\n", "from shop.tax import tax"),
        part("shop/cart.py", "import os\n", "    return total + tax(total)", "    return total"),
      ),
      ["1 2", "2", ""],
    );
    assert.deepEqual(
      usersOf(
        part("tax.go", "package shop\n", "func Tax(price int) int {\n\treturn price\n}"),
        part("cart.go", "package shop\n", "\treturn total + Tax(total)", "\treturn total"),
      ),
      ["1", ""],
    );
  });

  it("goes both ways where a function gets another name", () => {
    const [before, call] = ["export function old() {}\n", "import { old } from './m';\nold();\n"];
    assert.deepEqual(
      usersOf(
        part("m.ts", before, "export function fresh() {}", "export function old() {}"),
        part("u.ts", call, "import { fresh } from './m';", "import { old } from './m';"),
        part("u.ts", call, "fresh();", "old();"),
      ),
      ["1 2", "0 2", "0 1"],
    );
  });

  it("is nothing of names that were there, or stand in comments", () => {
    assert.deepEqual(
      usersOf(
        part("a.ts", "const known = 1;\n", "// fresh\nknown();"),
        part("b.ts", "known();\n", "const fresh = known;"),
      ),
      ["", ""],
    );
  });
});
