import assert from "node:assert/strict";
import { applyTo, codes, editBlock, statuses } from "../../../fakes/turns/applyTo.ts";

const CLASS =
  "class A {\n  a() {\n    return 1;\n  }\n\n  b() {\n    return 2;\n  }\n\n  c() {\n    return 3;\n  }\n}\n";
/** The class as a model writes it that only thinks of `b`. */
const REWRITTEN = CLASS.replace("return 2;", "return 20;").trimEnd();

/** Blocks that come one after the other, and what becomes of the last one. */
const EARLIER: readonly (readonly [
  name: string,
  blocks: readonly (readonly [address: string, body: string])[],
  outcome: string,
])[] = [
  [
    "a member that an earlier block changed comes back as it was",
    [
      ["ast-path:A-a", "a() {\n  return 10;\n}"],
      ["ast-path:A", REWRITTEN],
    ],
    "refused changed-by-earlier-block",
  ],
  [
    "a member that an earlier block removed comes back",
    [
      ["ast-path:A-a:remove", ""],
      ["ast-path:A", REWRITTEN],
    ],
    "refused changed-by-earlier-block",
  ],
  [
    "a member that an earlier block added is not there",
    [
      ["ast-path:A:append", "d() {\n  return 4;\n}"],
      ["ast-path:A", REWRITTEN],
    ],
    "refused changed-by-earlier-block",
  ],
  [
    "lines that an earlier block changed come back as they were",
    [
      ["ast-path:A-a:3:3", "    return 10;"],
      ["ast-path:A-a", "a() {\n  return 1;\n}"],
    ],
    "refused changed-by-earlier-block",
  ],
  [
    "the earlier change is in it",
    [
      ["ast-path:A-a", "a() {\n  return 10;\n}"],
      ["ast-path:A", REWRITTEN.replace("return 1;", "return 10;")],
    ],
    "applied",
  ],
  [
    "the earlier change goes on in it",
    [
      ["ast-path:A-a", "a() {\n  return 10;\n}"],
      ["ast-path:A", REWRITTEN.replace("return 1;", "return 11;")],
    ],
    "applied",
  ],
  [
    "it is for the same element",
    [
      ["ast-path:A-a", "a() {\n  return 10;\n}"],
      ["ast-path:A-a", "a() {\n  return 1; // as before\n}"],
    ],
    "applied",
  ],
];

/** A body for `@imports`, and what it loses of those that are there. */
const IMPORTS: readonly (readonly [path: string, text: string, body: string, code?: string])[] = [
  ["a.py", "import os\nfrom a import b\n\n\nprint(os.name, b)\n", "import json", "loses-members"],
  ["a.py", "import os.path\n\nprint(os.path.sep)\n", "import json", "loses-members"],
  ["a.py", "import os\nimport sys\n\nprint(sys.argv)\n", "import sys\nimport json"],
  ["a.py", "from a import (\n    b,\n    c as d,\n)\n\nd()\n", "from a import b", "loses-members"],
  ["a.ts", 'import { a } from "./a";\n\na();\n', 'import { b } from "./b";', "loses-members"],
  ["a.ts", 'import { a } from "./a";\n\na();\n', 'import { a } from "./b";'],
  ["a.ts", 'import { a } from "./a";\n\nexport {};\n', 'import { b } from "./b";'],
  ["a.ts", 'import "./side";\n\nexport {};\n', 'import { b } from "./b";', "loses-members"],
  [
    "a.go",
    'package a\n\nimport (\n\t"fmt"\n\tx "a/b/v2"\n)\n\nfunc F() { fmt.Println(x.Y) }\n',
    'import "os"',
    "loses-members",
  ],
  ["A.java", "import a.List;\n\nclass A { List x; }\n", "import a.Set;", "loses-members"],
  ["a.kt", "import a.b as c\n\nfun f() = c()\n", "import d.e", "loses-members"],
  ["a.rs", "use a::{b, c::{d}};\n\nfn f() { d(); }\n", "use a::b;", "loses-members"],
  ["a.php", "<?php\n\nuse A\\B;\n\nnew B;\n", "use C\\D;", "loses-members"],
  ["a.c", "#include <stdio.h>\n\nint x;\n", "#include <string.h>", "loses-members"],
  ["a.c", "#include <stdio.h>\n\nint x;\n", "#include <stdio.h>\n#include <string.h>"],
  ["a.rb", "require 'a'\n\nx = 1\n", "require 'b'", "loses-members"],
];

/** Blocks and the text they leave. */
const WRITTEN: readonly (readonly [
  name: string,
  path: string,
  text: string,
  address: string,
  body: string,
  after: string,
])[] = [
  ...(
    [
      ["a.ts", "", 'import { a } from "./a";', "export function f() {}\n"],
      ["a.py", "", "import os", "def f():\n    pass\n"],
      ["a.go", "package a\n\n", 'import "os"', "func F() {}\n"],
      ["A.java", "package a;\n\n", "import b.C;", "class A {}\n"],
      ["a.rs", "", "use a::b;", "fn f() {}\n"],
      ["a.c", "", "#include <a.h>", "int x;\n"],
      ["a.php", "<?php\n\n", "use A\\B;", "new B;\n"],
    ] as const
  ).flatMap(([path, head, line, rest]) =>
    ["@imports", "@imports:append", "@imports:prepend"].map(
      (address) =>
        [
          `the first import of ${path} by ${address} stands apart`,
          ...[path, head + rest, `ast-path:${address}`, line, `${head}${line}\n\n${rest}`],
        ] as const,
    ),
  ),
  ...(["ast-path:b", "ast-path:b:remove"] as const).map(
    (address) =>
      [
        `${address} without a body leaves one blank line`,
        ...["a.ts", "a();\n\nfunction b() {}\n\nc();\n", address, "", "a();\n\nc();\n"],
      ] as const,
  ),
  [
    "a first member goes with the blank line below it",
    "a.ts",
    CLASS,
    "ast-path:A-a:remove",
    "",
    CLASS.replace("  a() {\n    return 1;\n  }\n\n", ""),
  ],
  [
    "imports of the future come first",
    "a.py",
    '"""Doc."""\n\nimport os\n',
    "ast-path:@imports:append",
    "import sys\nfrom __future__ import annotations",
    '"""Doc."""\n\nfrom __future__ import annotations\nimport sys\nimport os\n',
  ],
  [
    "imports of the future on several lines come first",
    "a.py",
    "import os\n",
    "ast-path:@imports:append",
    "from __future__ import (\n    annotations,\n)",
    "from __future__ import (\n    annotations,\n)\nimport os\n",
  ],
];

/** A body with code of its own before the element, and what it loses of the element's head. */
const HEADS: readonly (readonly [
  path: string,
  text: string,
  address: string,
  body: string,
  code?: string,
])[] = [
  [
    "a.ts",
    "export function f(x: number) {\n  return x * 2;\n}\n",
    "f",
    "const TWO = 2;\n\nexport function f(x: number) {\n  return x * TWO;\n}",
  ],
  [
    "a.ts",
    "export function f(x: number) {\n  return x * 2;\n}\n",
    "f",
    "const TWO = 2;\n\nfunction f(x: number) {\n  return x * TWO;\n}",
    "loses-head",
  ],
  [
    "a.py",
    "class A:\n    @property\n    def f(self):\n        return 1\n",
    "A-f",
    "def g(self):\n    return 1\n\n@property\ndef f(self):\n    return self.g()",
  ],
  [
    "A.java",
    "class A {\n  @Override\n  public int f() {\n    return 1;\n  }\n}\n",
    "A-f",
    "private int g() {\n  return 1;\n}\n\n@Override\npublic int f() {\n  return g();\n}",
  ],
  [
    "a.rs",
    "#[inline]\npub fn f() -> u8 {\n    1\n}\n",
    "f",
    "const ONE: u8 = 1;\n\n#[inline]\npub fn f() -> u8 {\n    ONE\n}",
  ],
];

/** A head, the element below it, and what has the same head and stands beside it in the body. */
const SAME_HEADS: readonly (readonly [
  path: string,
  address: string,
  head: string,
  element: string,
  helper: string,
])[] = [
  ["a.ts", "f", "export ", "function f() {\n  return 1;\n}", "export const ONE = 1;"],
  ["a.ts", "f", "export ", "let f = {\n  a: 1,\n};", "export type One = 1;"],
  ["a.ts", "f", "export ", "function f() {\n  return 1;\n}", "// One.\nexport const ONE = 1;"],
  ["a.ts", "F", "export ", "class F {\n  a = 1;\n}", "export class G {}"],
  ["a.ts", "F", "@A()\n", "class F {\n  a = 1;\n}", "@A()\nclass G {}"],
  ["a.ts", "A-f", "static ", "f() {\n  return 1;\n}", "static g() {\n  return 1;\n}"],
  ["a.ts", "A-f", "async ", "f() {\n  return 1;\n}", "async g() {\n  return 1;\n}"],
  ["A.java", "A-f", "public ", "int f() {\n  return 1;\n}", "public int g() {\n  return 1;\n}"],
  ["A.java", "A-f", "@B\n", "int f() {\n  return 1;\n}", "@B\nint g() {\n  return 1;\n}"],
  ["a.rs", "f", "pub ", "fn f() -> u8 {\n    1\n}", "pub const ONE: u8 = 1;"],
  ["a.rs", "f", "#[inline]\n", "fn f() -> u8 {\n    1\n}", "#[inline]\nfn g() {}"],
  ["a.py", "f", "@cache\n", "def f():\n    return 1", "@cache\ndef g():\n    return 1"],
  ["a.kt", "f", "private ", "fun f() {\n    g()\n}", "private val one = 1"],
];

describe("a block for a whole element", () => {
  for (const [name, blocks, outcome] of EARLIER) {
    it(`is ${outcome.split(" ")[0]} where ${name}`, async () => {
      const message = blocks.map(([address, body]) => editBlock(address, body)).join("\nThen:\n\n");
      const applied = await applyTo("a.ts", CLASS, message);
      const last = [statuses(applied).at(-1), codes(applied).at(-1)].filter(Boolean).join(" ");
      assert.equal(last, outcome, applied.text);
      assert.equal(statuses(applied)[0], "applied");
    });
  }

  for (const [path, text, body, code] of IMPORTS) {
    it(`${code ? "names" : "loses no"} imports where ${JSON.stringify(body)} replaces those of ${JSON.stringify(text)}`, async () => {
      const applied = await applyTo(path, text, editBlock("ast-path:@imports", body));
      assert.deepEqual(codes(applied), [code]);
    });
  }

  for (const [name, path, text, address, body, after] of WRITTEN) {
    it(name, async () => {
      assert.equal((await applyTo(path, text, editBlock(address, body))).text, after);
    });
  }

  for (const [path, text, address, body, code] of HEADS) {
    it(`${code ? "names" : "keeps"} the head of ${path} below ${JSON.stringify(body.slice(0, 20))}`, async () => {
      const applied = await applyTo(path, text, editBlock(`ast-path:${address}`, body));
      assert.deepEqual(codes(applied), [code]);
    });
  }

  for (const [path, address, head, element, helper] of SAME_HEADS) {
    const isMember = address.includes("-");
    const within = (code: string) =>
      isMember ? `class A {\n${code.replace(/^(?=.)/gm, "  ")}\n}\n` : `${code}\n`;
    for (const [what, body, code] of [
      ["the element without it", `${helper}\n\n${element}`, "loses-head"],
      ["the whole element", `${helper}\n\n${head}${element}`, undefined],
    ] as const)
      it(`${code ? "names" : "has"} ${head.trim()} where ${helper.split("\n").at(-1)} stands before ${what}`, async () => {
        const text = within(head + element);
        const applied = await applyTo(path, text, editBlock(`ast-path:${address}`, body));
        assert.deepEqual(codes(applied), [code]);
        assert.equal(applied.text, within(body));
      });
    it(`keeps ${head.trim()} where ${helper.split("\n").at(-1)} stands after the element`, async () => {
      const body = `${element}\n\n${helper}`;
      const applied = await applyTo(
        path,
        within(head + element),
        editBlock(`ast-path:${address}`, body),
      );
      assert.deepEqual(codes(applied), [undefined]);
      assert.equal(applied.text, within(head + body));
    });
  }
});
