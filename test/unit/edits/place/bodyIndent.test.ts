import assert from "node:assert/strict";
import { applyTo, editBlock } from "../../../fakes/turns/applyTo.ts";

const SPACES = "class A:\n    x = 1\n    def f(self):\n        pass\n";
const TABS = "class A:\n\tx = 1\n\tdef f(self):\n\t\tpass\n";

/** A file, an element without a member to go by, a member, and what the element becomes. */
const CASES: readonly (readonly [
  what: string,
  path: string,
  text: string,
  address: string,
  body: string,
  after: string,
])[] = [
  [
    "spaces, with one line of a tab",
    "a.py",
    `${SPACES}if x:\n\ty()\nclass E: pass\n`,
    "E:append",
    "z = 1",
    "class E:\n    pass\n    z = 1\n",
  ],
  [
    "tabs, with one line of spaces",
    "a.py",
    `${TABS}if x:\n  y()\nclass E: pass\n`,
    "E:append",
    "z = 1",
    "class E:\n\tpass\n\tz = 1\n",
  ],
  [
    "steps of 4, with one of 2",
    "a.py",
    `if x:\n  y()\n${SPACES}class E: pass\n`,
    "E:append",
    "z = 1",
    "class E:\n    pass\n    z = 1\n",
  ],
  [
    "steps of 2, with aligned arguments",
    "a.ts",
    "function f(a: A,\n           b: B) {\n  g();\n  if (a) {\n    h();\n  }\n}\nclass E {}\n",
    "E:append",
    "x = 1;",
    "class E {\n  x = 1;\n}\n",
  ],
  [
    "steps of 4, of which only the second is seen",
    "a.ts",
    "/**\n  * A.\n  */\nclass A {\n    f() {\n        g();\n    }\n}\nclass E {}\n",
    "E:append",
    "x = 1;",
    "class E {\n    x = 1;\n}\n",
  ],
  [
    "nothing indented",
    "a.py",
    "class E: pass\n",
    "E:append",
    "z = 1",
    "class E:\n    pass\n    z = 1\n",
  ],
  [
    "a line of a tab in a file of spaces",
    "a.py",
    `${SPACES}if x:\n\tclass E: pass\n`,
    "E:append",
    "z = 1",
    "\tclass E:\n\t\tpass\n\t\tz = 1\n",
  ],
  [
    "a line of spaces in a file of tabs",
    "a.py",
    `${TABS}if x:\n  class E: pass\n`,
    "E:append",
    "z = 1",
    "  class E:\n    pass\n    z = 1\n",
  ],
];

describe("AST mode, the first member's indent", () => {
  for (const [what, path, text, address, body, after] of CASES) {
    it(`${path}: ${what}`, async () => {
      const message = await applyTo(path, text, editBlock(`ast-path:${address}`, body));
      assert.ok(message.text.endsWith(after), message.text + message.report);
    });
  }
});
