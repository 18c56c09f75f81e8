import { strict as assert } from "node:assert";
import { openDocument } from "./openDocument.ts";

/** The text with `«` and `»` around what `@imports` means. */
async function marked(language: string, text: string): Promise<string> {
  const document = await openDocument(language, text);
  const result = document.resolve("@imports");
  document.dispose();
  assert.ok(result.ok, JSON.stringify(result));
  const { start, end } = result.value.range;
  return `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`;
}

describe("@imports", () => {
  it("is the run of imports with the comments between them", async () => {
    const text =
      'import a from "a";\n// b\nimport b from "b";\n\nimport c from "c"; // c\n\nrun();\nimport d from "d";\n';
    assert.equal(await marked("typescript", text), `«${text.replace(" // c", "» // c")}`);
  });

  it("ends at other code, so that a replacement never deletes code", async () => {
    assert.equal(
      await marked("python", "import a\nx = 1\nimport b\n"),
      "«import a»\nx = 1\nimport b\n",
    );
    assert.equal(
      await marked("python", "import a\nif a:\n    import b\nimport c\n"),
      "«import a»\nif a:\n    import b\nimport c\n",
    );
  });

  it("counts imports at the top level only", async () => {
    assert.equal(
      await marked("python", "def f():\n    import os\n"),
      "«»def f():\n    import os\n",
    );
  });

  for (const [language, before, after] of [
    ["typescript", "", "run();\n"],
    ["typescript", "#!/usr/bin/env node\n", "run();\n"],
    ["typescript", "'use client';\n\n", "run();\n"],
    ["typescript", "#!/usr/bin/env node\n// Licence.\n'use strict';\n", "run();\n"],
    ["typescript", "#!/usr/bin/env node\n// Licence.\n\n", "run();\n"],
    ["lua", "#!/usr/bin/env lua\n-- Licence.\n\n", "x = 1\n"],
    ["typescript", "// Licence.\n// More.\n\n", "// about run\nrun();\n"],
    ["typescript", "\uFEFF", "run();\n"],
    ["python", '#!/usr/bin/env python\n"""Doc."""\n\n', "x = 1\n"],
    ["python", "# Licence.\n\n", "x = 1\n"],
    ["go", "// Doc.\npackage main\n\n", "func main() {}\n"],
    ["go", "package main // here\n", "func main() {}\n"],
    ["java", "package a.b;\n\n", "class A {}\n"],
    ["java", "", "class A {}\n"],
    ["go", "package main\r\n\r\n", "func main() {}\r\n"],
  ] as const) {
    it(`goes after ${JSON.stringify(before)} in a ${language} file without imports`, async () => {
      assert.equal(await marked(language, before + after), `${before}«»${after}`);
    });
  }

  it("goes to the end of a file that has only a header or a package", async () => {
    assert.equal(await marked("go", "package main"), "package main«»");
    assert.equal(await marked("go", "package main\n"), "package main\n«»");
    assert.equal(await marked("typescript", ""), "«»");
  });

  it("is refused in a language without imports", async () => {
    const document = await openDocument("markdown", "# A\n");
    const result = document.resolve("@imports");
    document.dispose();
    assert.ok(!result.ok && result.error.code === "no-imports");
  });
});
