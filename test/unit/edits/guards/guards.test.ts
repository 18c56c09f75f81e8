import assert from "node:assert/strict";
import { bodyWarnings } from "../../../../src/edits/guards/bodyWarnings.ts";
import { findElision } from "../../../../src/edits/guards/findElision.ts";
import { applyTo, editBlock } from "../../../fakes/applyTo.ts";

const ELISIONS: readonly [path: string, line: string][] = [
  ["a.ts", "// ... existing code ..."],
  ["a.ts", "// …existing code…"],
  ["a.ts", "  // ... rest of the file"],
  ["a.ts", "// rest unchanged"],
  ["a.ts", "// rest of the code remains the same"],
  ["a.ts", "// Rest of the class stays unchanged."],
  ["a.ts", "// ..."],
  ["a.ts", "..."],
  ["a.ts", "…"],
  ["a.ts", "// ... other methods ..."],
  ["a.ts", "// (existing methods unchanged)"],
  ["a.ts", "/* ... existing code ... */"],
  ["a.ts", "/* rest of implementation */"],
  ["a.ts", "/* ... */"],
  ["a.ts", "function f() { /* ... */ }"],
  ["a.ts", "  foo(); // ... rest of the function"],
  ["a.ts", "// existing code here"],
  ["a.ts", "// existing imports"],
  ["a.ts", "// keep existing code"],
  ["a.ts", "// code omitted for brevity"],
  ["a.ts", "// implementation unchanged"],
  ["a.ts", "// same as before"],
  ["a.ts", "// no changes here"],
  ["a.ts", "// ... (unchanged)"],
  ["a.ts", "// [... rest of the file ...]"],
  ["a.ts", "[... existing code ...]"],
  ["a.ts", "... existing code ..."],
  ["a.tsx", "{/* ... existing JSX ... */}"],
  ["a.tsx", "{/* rest of the component */}"],
  ["a.py", "# ... existing code ..."],
  ["a.py", "# rest unchanged"],
  ["a.py", "# ..."],
  ["a.py", "    # rest of the method remains unchanged"],
  ["a.py", "# Existing code..."],
  ["a.py", '"""... rest of the module ..."""'],
  ["a.py", "    pass  # ... existing code"],
  ["a.rb", "# ... remaining methods"],
  ["a.sql", "-- ... existing code ..."],
  ["a.lua", "-- rest of the file unchanged"],
  ["a.lua", "--[[ ... existing code ... ]]"],
  ["a.hs", "{- ... rest of the code ... -}"],
  ["a.ml", "(* ... existing code ... *)"],
  ["a.lisp", ";; ... existing code ..."],
  ["a.ini", "; rest unchanged"],
  ["a.tex", "% ... rest unchanged ..."],
  ["a.m", "% ... existing code ..."],
  ["a.bas", "' ... existing code ..."],
  ["a.bat", "REM ... existing code ..."],
  ["a.m4", "dnl ... existing code ..."],
  ["a.f90", "! ... existing code ..."],
  ["a.vim", '" ... existing code ...'],
  ["a.html", "<!-- ... existing code ... -->"],
  ["a.html", "<!-- rest of the page unchanged -->"],
  ["a.hbs", "{{!-- ... existing code ... --}}"],
  ["a.css", "/* ... existing styles ... */"],
  ["a.yaml", "# ... rest of the config"],
  ["a.toml", "# rest unchanged"],
  ["a.md", "<!-- ... rest of the document ... -->"],
  ["a.md", "... rest unchanged ..."],
  ["a.md", "[... existing content ...]"],
  ["a.rs", "// --snip--"],
  ["a.ts", "// ===== existing code unchanged ====="],
  ["a.ts", "// everything else stays the same"],
  ["a.ts", "// keep the rest of the code as is"],
  ["a.ts", "function f() { ... }"],
  ["a.ts", "function f() { /* existing code */ }"],
  ["a.ts", "(rest of the code unchanged)"],
  ["a.hbs", "{{! ... existing code ... }}"],
  ["a.md", "(rest of the file unchanged)"],
  ["a.java", " * ... rest of the documentation unchanged"],
];

const HARMLESS: readonly [path: string, line: string][] = [
  ["a.cs", "#else"],
  ["a.ts", "// Loading existing users..."],
  ["a.ts", "// TODO: handle the other cases..."],
  ["a.ts", "// The remaining lines are counted from the end."],
  ["a.ts", "const all = [...rest, ...existing];"],
  ["a.ts", "  ...existing,"],
  ["a.ts", "function f(...rest: string[]) {}"],
  ["a.ts", '  console.log("loading...");'],
  ["a.ts", "// Keep the cache warm while the request runs."],
  ["a.ts", "// Keep existing connections alive"],
  ["a.ts", "// existing file"],
  ["a.c", "int f(int a, ...) { return 1; }"],
  ["a.cpp", "} catch (...) { }"],
  ["a.ts", "catch { /* nothing to do */ }"],
  ["a.css", "#a { color: red; /* same as above for links */ }"],
  ["a.tsx", "{...props}"],
  ["a.ts", "...(keep !== undefined && { keep }),"],
  ["a.ts", "...existing.filter((x) => x.rest),"],
  ["a.go", "//\t..."],
  ["a.ts", "const copy = { ...other };"],
  ["a.lisp", "(unchanged-p x)"],
  ["a.ts", "// other"],
  ["a.ts", "// The rest parameter takes what is left."],
  ["a.ts", "// Reads the rest of the line."],
  ["a.ts", "return { ...previous, code };"],
  ["a.ts", '  throw new Error("... existing code ...".trim());'],
  ["a.ts", "// unchanged lines keep their break"],
  ["a.ts", " * ..."],
  ["a.ts", "// 1. Wait... then go on"],
  ["a.py", "    ..."],
  ["a.py", "def f(self) -> None: ..."],
  ["a.py", "    print('... done.')"],
  ["a.py", "# If the same key exists, the previous value is kept"],
  ["a.py", "x[..., 0]"],
  ["a.go", "fmt.Println(args...)"],
  ["a.c", "#include <existing.h>"],
  ["a.rs", "    Point { x, .. } => x,"],
  ["a.sh", "# Install the remaining packages"],
  ["a.css", "#existing { color: red }"],
  ["a.yaml", "..."],
  ["a.md", "And so on..."],
  ["a.md", "# The rest of the story"],
  ["a.md", "Existing code is kept unchanged."],
];

describe("the elision guard", () => {
  for (const [path, line] of ELISIONS) {
    it(`refuses \`${line.trim()}\` in ${path}`, () => assert.notEqual(findElision(["before();", line, "after();"], "old", path), null));
  }
  for (const [path, line] of HARMLESS) {
    it(`lets \`${line.trim()}\` in ${path} pass`, () => assert.equal(findElision(["before();", line, "after();"], "old", path), null));
  }

  it("lets a line pass that the replaced text has too", () => {
    assert.equal(findElision(["  // ... existing code ..."], "a\n// ... existing code ...\nb", "a.ts"), null);
  });

  it("lets code samples in Markdown pass", () => {
    assert.equal(findElision(["```ts", "// ... existing code ...", "```"], "", "a.md"), null);
  });

  it("does not apply a block that leaves out text, and reports it", async () => {
    const before = "function a() {\n  one();\n  two();\n}\n";
    const body = "function a() {\n  // ... existing code ...\n  three();\n}";
    for (const address of ["1:4", "ast-path:a"]) {
      const result = await applyTo("a.ts", before, editBlock(address, body));
      assert.equal(result.blocks[0]?.status, "refused");
      assert.match(result.report, /was not applied: It leaves out code \(`\/\/ \.\.\. existing code \.\.\.`\)/);
      assert.equal(result.text, before);
    }
  });
});

describe("the deletion guard", () => {
  const long = Array.from({ length: 30 }, (_, index) => `line ${index};`).join("\n");

  it("warns of a replacement that deletes far more than it writes", async () => {
    assert.deepEqual(bodyWarnings(["one"], long, false), [{ code: "deletion", removed: 30, written: 1 }]);
    const result = await applyTo("a.txt", `${long}\n`, editBlock("1:30", "one"));
    assert.equal(result.blocks[0]?.code, "deletion");
    assert.match(result.report, /- lines 1-30 applied \(warning: Deletes 30 lines and writes 1\.\)/);
  });

  it("accepts small replacements and explicit deletions", async () => {
    assert.deepEqual(bodyWarnings(["one"], "a\nb\nc\nd\ne", false), []);
    assert.deepEqual(bodyWarnings(long.split("\n").slice(0, 10), long, false), []);
    const result = await applyTo("a.txt", `${long}\n`, editBlock("1:20:remove"));
    assert.equal(result.blocks[0]?.code, undefined);
  });

  it("warns of a complete file that is nearly empty", async () => {
    const result = await applyTo("a.txt", `${long}\n`, "```\nx\n```\n", "complete");
    assert.equal(result.blocks[0]?.code, "deletion");
  });
});

describe("the syntax guard", () => {
  it("names the one block in line mode that breaks the file", async () => {
    const result = await applyTo("a.ts", "f();\ng();\nh();\n", editBlock("1:1", "f(1);") + editBlock("3:3", "h(;"));
    assert.deepEqual(
      result.blocks.map(({ code }) => code),
      [undefined, "syntax"],
    );
  });

  it("says nothing about a file that was broken before", async () => {
    const result = await applyTo("a.ts", "f(;\ng();\n", editBlock("2:2", "g(;"));
    assert.equal(result.blocks[0]?.code, undefined);
  });

  it("says nothing when two blocks are only sound together", async () => {
    const result = await applyTo("a.ts", "f();\ng();\n", editBlock("1:1", "if (x) {\nf();") + editBlock("2:2:after", "}"));
    assert.deepEqual(
      result.blocks.map(({ code }) => code),
      [undefined, undefined],
    );
  });
});

describe("the guards of plain line numbers", () => {
  const TEXT = "def a():\n    one()\n    two()\n\n\ndef b():\n    three()\n    four(\n        1,\n    )\n";
  const cases: readonly (readonly [name: string, file: string, address: string, body: string, code: string | undefined])[] = [
    ["a last line that repeats the one below", "a.txt", "2:2", "    ONE()\n    two()", "repeats-line"],
    ["a first line that repeats the one above", "a.txt", "3:3", "    one()\n    TWO()", "repeats-line"],
    ["an insertion that repeats its anchor", "a.txt", "2:2:after", "    one()\n    more()", "repeats-line"],
    ["a repetition in lines of an element", "a.py", "ast-path:a:2:2", "    ONE()\n    two()", "repeats-line"],
    ["a bracket left alone, in a file without a grammar", "a.foo", "8:8", "    four(2)", "cuts-brackets"],
    ["a first line with the indent of the one above", "a.txt", "9:9", "    four(1,", "repeats-line"],
    ["a last line with the indent of the one before the last", "a.txt", "6:7", "def c():", "repeats-line"],
    ["lines that end with a blank one", "a.txt", "3:4", "    two(2)", "repeats-line"],
    ["an element cut in two", "a.py", "3:6", "c = 1", "cuts-element"],
    ["nothing of an element that checks prove", "a.py", '3:6 "two" "def b"', "c = 1", undefined],
    ["nothing where the body restores the element", "a.py", "3:6", "c = 1\n\ndef b():", undefined],
    ["nothing where the line was repeated before", "a.txt", "4:4", "value = 1\n", undefined],
    ["nothing where the checks fit", "a.txt", '2:2 "one" "one"', "    ONE()\n    two()", undefined],
    ["a last line without a check", "a.txt", '2:2 "one"', "    ONE()\n    two()", "repeats-line"],
    ["a line more like the one above", "a.txt", "3:3", "    one(1)", "repeats-line"],
    ["a line more like the one below", "a.txt", "7:7", "    four(1", "repeats-line"],
    ["several lines with a check of the first alone", "a.txt", '6:7 "def b"', "def b(x):\n    three(x)", "unchecked-end"],
    ["a check that fits the line below as well", "a.txt", '4:4 ""', "    two(2)", "repeats-line"],
    ["a check that fits the line above as well", "a.txt", '4:4 ""', "value = 1\n", "unchecked-end"],
    ["nothing of a last line that closes what the lines open", "a.txt", '8:10 "four" ")"', "    four(\n        2,\n    )", undefined],
    ["nothing of one of several blank lines", "a.txt", '4:4:remove ""', "", undefined],
    ["nothing about a first line with a check", "a.txt", '3:3 "two"', "    one()\n    TWO()", undefined],
  ];
  for (const [name, file, address, body, code] of cases) {
    it(`flag ${name}`, async () => {
      const result = await applyTo(file, TEXT, editBlock(address, body));
      assert.deepEqual([result.blocks[0]?.status, result.blocks[0]?.code], ["applied", code]);
    });
  }

  it("flag every block without checks where one is likely for other lines", async () => {
    const wrong = editBlock("2:2", "    ONE()\n    two()");
    const result = await applyTo("a.txt", TEXT, wrong + editBlock("8:8", "    four(x,") + editBlock('10:10 ")"', "    )  # end"));
    assert.deepEqual(
      result.blocks.map(({ code }) => code),
      ["repeats-line", "unchecked-end", undefined],
    );
  });

  it("say nothing where another block restores the pair", async () => {
    const result = await applyTo("a.foo", TEXT, editBlock("8:8", "    four([") + editBlock("10:10", "    ])"));
    assert.deepEqual(
      result.blocks.map(({ code }) => code),
      [undefined, undefined],
    );
  });
});
