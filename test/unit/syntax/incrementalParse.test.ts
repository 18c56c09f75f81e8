import { strict as assert } from "node:assert";
import fc from "fast-check";
import { campaignRuns } from "../../fakes/campaignRuns.ts";
import { openDocument } from "./openDocument.ts";

const PIECES: Readonly<Record<string, (name: string) => string>> = {
  typescript: (name) =>
    `/** About ${name}. 😀 */\nexport class ${name} {\n  run() {\n    return [1];\n  }\n}\n\n`,
  python: (name) =>
    `# About ${name} 😀\nclass ${name}:\n    """Doc."""\n\n    def run(self):\n        return 1\n\n`,
  go: (name) => `// ${name} 😀\nfunc ${name}() {\n\trun := func() {}\n}\n\n`,
  css: (name) => `/* ${name} 😀 */\n.${name} {\n  color: red;\n  &:hover { top: 0 }\n}\n\n`,
  yaml: (name) =>
    `# About ${name} 😀\n${name}:\n  - name: ${name}\n    run: |\n      make\n\n  - uses: b\n\n`,
  html: (name) => `<!-- ${name} 😀 -->\n<div id="${name}">\n  <p id=p>One\n</div>\n`,
  lua: (name) => `-- About ${name} 😀\nfunction M.${name}()\n  local a = [[\n]]\nend\n\n`,
  ruby: (name) =>
    `# About ${name} 😀\nclass ${name}\n  X = <<~A\n    a\n  A\n  def run\n  end\nend\n\n`,
  bash: (name) => `# About ${name} 😀\n${name}() {\n  cat <<EOF\na\nEOF\n}\n\n`,
  markdown: (name) => `## ${name}\n\nText 😀.\n\n- item\n\n`,
};

describe("editing a document", () => {
  for (const [language, piece] of Object.entries(PIECES)) {
    it(`gives the outline of a fresh parse after any sequence of ${language} edits`, async () => {
      const step = fc.record({
        at: fc.nat(20),
        remove: fc.nat(2),
        insert: fc.array(fc.constantFrom("A", "B", "C"), { maxLength: 2 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
          let pieces = ["A", "B", "C"].map(piece);
          const document = await openDocument(language, pieces.join(""));
          for (const { at, remove, insert } of steps) {
            const first = at % (pieces.length + 1);
            const start = pieces.slice(0, first).join("").length;
            const end = start + pieces.slice(first, first + remove).join("").length;
            const inserted = insert.map(piece);
            document.edit({ start, end }, inserted.join(""));
            pieces = pieces.toSpliced(first, remove, ...inserted);
            const fresh = await openDocument(language, pieces.join(""));
            assert.equal(document.text, fresh.text);
            assert.deepEqual(document.outline(), fresh.outline());
            assert.equal(document.errorCount(), fresh.errorCount());
            fresh.dispose();
          }
          document.dispose();
        }),
        { numRuns: campaignRuns(12, 40) },
      );
    });
  }

  it("resolves a later path in the text that an earlier edit made", async () => {
    const document = await openDocument("typescript", "class A {\n  old() {}\n}\n");
    const old = document.resolve("A-old");
    assert.ok(old.ok);
    document.edit(old.value.range, "next() {}\n\n  second() {}");
    assert.equal(document.resolve("A-old").ok, false);
    const second = document.resolve("second");
    assert.ok(second.ok);
    assert.equal(
      document.text.slice(second.value.range.start, second.value.range.end),
      "second() {}",
    );
    document.dispose();
  });

  it("follows an edit that makes an include guard, or ends one, far from its statements", async () => {
    const text =
      "#ifndef A_H\n/* a */\n\n/* b */\n#define A_H\n\nSETUP(1);\n\nint f(void);\n\n#endif\n";
    const document = await openDocument("c", text);
    const guarded = document.outline();
    const at = text.indexOf("\n/* b */");
    document.edit({ start: at, end: at }, "\nint x;\n");
    const anew = await openDocument("c", document.text);
    assert.notDeepEqual(document.outline(), guarded);
    assert.deepEqual(document.outline(), anew.outline());
    document.edit({ start: at, end: at + "\nint x;\n".length }, "");
    assert.deepEqual(document.outline(), guarded);
    anew.dispose();
    document.dispose();
  });

  it("names the members of what is no element any more as a fresh parse does", async () => {
    const others = Array.from({ length: 12 }, (_, at) => `int f${at}(void) { return ${at}; }\n`);
    const source = `${others.join("")}typedef enum { SMALL, LARGE = 4 } size_e;\n${others.join("").replaceAll("f", "g")}`;
    const document = await openDocument("c", source);
    assert.ok(document.resolve("size_e-SMALL").ok);
    const start = source.indexOf("size_e");
    document.edit({ start, end: start + "size_e".length }, "int");
    const fresh = await openDocument("c", document.text);
    assert.deepEqual(document.outline(), fresh.outline());
    document.dispose();
    fresh.dispose();
  });

  it("counts the errors an edit makes, until a later edit fixes them", async () => {
    const document = await openDocument("typescript", "const a = 1;\n");
    assert.equal(document.errorCount(), 0);
    document.edit({ start: 10, end: 11 }, "(1");
    assert.ok(document.errorCount() > 0);
    document.edit({ start: 10, end: 12 }, "1");
    assert.equal(document.errorCount(), 0);
    document.dispose();
  });

  it("counts what is missing behind a comment that follows an edit", async () => {
    const document = await openDocument("zig", "// A limit.\nconst a = 1;\n");
    assert.equal(document.errorCount(), 0);
    document.edit({ start: 0, end: 0 }, "EXPORT_API ");
    const fresh = await openDocument("zig", document.text);
    assert.ok(fresh.errorCount() > 0);
    assert.equal(document.errorCount(), fresh.errorCount());
    document.edit({ start: 0, end: "EXPORT_API ".length }, "");
    assert.equal(document.errorCount(), 0);
    fresh.dispose();
    document.dispose();
  });

  it("follows edits beside an error that was there from the beginning", async () => {
    const text = "function a() {}\n\nconst = ;\n\nfunction b() {}\n\nclass C {\n  f() {}\n}\n";
    const document = await openDocument("typescript", text);
    document.pinPaths();
    for (const [old, by] of [
      ["f() {}", "f() { one(); }\n\n  g() {}"],
      ["function a() {}\n\n", ""],
      ["const = ;", "const x = 1;"],
      ["g() {}", "g() { if }"],
    ] as const) {
      const start = document.text.indexOf(old);
      document.edit({ start, end: start + old.length }, by);
      const fresh = await openDocument("typescript", document.text);
      assert.deepEqual(document.outline(), fresh.outline());
      assert.equal(document.errorCount(), fresh.errorCount());
      fresh.dispose();
    }
    document.dispose();
  });

  it("throws for a range outside of the text and stays unchanged", async () => {
    const document = await openDocument("typescript", "let a;\n");
    assert.throws(() => document.edit({ start: 3, end: 99 }, ""), RangeError);
    assert.equal(document.text, "let a;\n");
    assert.equal(document.outline().length, 1);
    document.dispose();
  });

  it("has no outline once disposed of, and can be disposed of twice", async () => {
    const document = await openDocument("typescript", "let a;\n");
    document.dispose();
    document.dispose();
    assert.deepEqual(document.outline(), []);
    assert.equal(document.errorCount(), 0);
    const result = document.resolve("a");
    assert.ok(!result.ok && result.error.code === "unparsed");
  });
});
