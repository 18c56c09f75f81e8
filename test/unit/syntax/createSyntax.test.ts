import { strict as assert } from "node:assert";
import type { GrammarSource } from "../../../src/ports/grammarSource.ts";
import { createSyntax } from "../../../src/syntax/createSyntax.ts";
import { outlineUnavailableReason } from "../../../src/syntax/outlineUnavailable.ts";
import { nodeGrammarSource } from "../../fakes/editor/nodeGrammarSource.ts";
import { RecordingLogger } from "../../fakes/recordingLogger.ts";

/** Real grammars; records reads, and fails for paths that are `broken`. */
function watchedSource(
  broken: (path: string) => boolean = () => false,
): GrammarSource & { readonly reads: string[] } {
  const source = nodeGrammarSource();
  const reads: string[] = [];
  return {
    reads,
    async read(path) {
      reads.push(path);
      if (broken(path)) throw new Error(`${path} is missing`);
      return source.read(path);
    },
  };
}

describe("syntax", () => {
  it("knows a language by the editor's id, else by the file's extension", () => {
    const syntax = createSyntax(watchedSource(), new RecordingLogger());
    for (const [path, languageId, language] of [
      ["src/a.ts", "", "typescript"],
      ["a.d.ts", "typescript", "typescript"],
      ["A.TSX", "", "tsx"],
      ["x.jsx", "javascriptreact", "javascript"],
      ["x.mjs", "", "javascript"],
      ["x", "python", "python"],
      ["dir.py\\main.go", "", "go"],
      ["README.md", "markdown", "markdown"],
      ["x.py", "plaintext", "python"],
      ["Rakefile", "", "ruby"],
      ["home/.bashrc", "", "bash"],
      ["Makefile", "", null],
      ["dir.py/Makefile", "makefile", null],
      ["x.vala", "vala", null],
    ] as const) {
      assert.equal(syntax.languageOf(path, languageId), language, `${path} ${languageId}`);
    }
  });

  it("loads nothing before it is used, and each grammar once", async () => {
    const source = watchedSource();
    const syntax = createSyntax(source, new RecordingLogger());
    syntax.languageOf("a.ts", "typescript");
    assert.equal(source.reads.length, 0);
    const [first, second] = await Promise.all([
      syntax.open("typescript", "let a;"),
      syntax.open("typescript", "let b;"),
    ]);
    assert.equal(first?.outline()[0]?.path, "a");
    assert.equal(second?.outline()[0]?.path, "b");
    assert.equal(source.reads.filter((path) => path === "typescript/grammar.wasm").length, 1);
    assert.equal(source.reads.filter((path) => path === "tree-sitter.wasm").length, 1);
    assert.ok(!source.reads.some((path) => path.startsWith("python/")));
    first?.dispose();
    second?.dispose();
  });

  it("returns null and logs the reason when a grammar is missing, and tries again next time", async () => {
    let missing = true;
    const logger = new RecordingLogger();
    const syntax = createSyntax(
      watchedSource((path) => missing && path.startsWith("go/")),
      logger,
    );
    assert.equal(await syntax.open("go", "package p"), null);
    assert.match(logger.errors[0] ?? "", /go could not be loaded.*missing/);
    missing = false;
    const document = await syntax.open("go", "package p");
    assert.ok(document);
    document.dispose();
  });

  it("returns null for an unknown language", async () => {
    assert.equal(
      await createSyntax(watchedSource(), new RecordingLogger()).open("cobol", "x"),
      null,
    );
  });

  it("refuses files beyond 5 MB or 100,000 lines, and tells them from unknown and unparsed ones", async () => {
    const syntax = createSyntax(watchedSource(), new RecordingLogger());
    assert.equal(await syntax.open("typescript", "\n".repeat(100_000)), null);
    assert.equal(await syntax.open("typescript", " ".repeat(5 * 1024 * 1024 + 1)), null);
    assert.equal(
      outlineUnavailableReason(syntax, "a.ts", "", "\n".repeat(100_000)).code,
      "too-large",
    );
    assert.equal(outlineUnavailableReason(syntax, "a.xyz", "", "a").code, "no-grammar");
    assert.equal(outlineUnavailableReason(syntax, "a.ts", "", "a").code, "unparsed");
  });

  it("gives up after too many steps, and still parses the next file", async () => {
    const logger = new RecordingLogger();
    const source = nodeGrammarSource();
    const hurried = createSyntax(source, logger, () => 0);
    assert.equal(await hurried.open("typescript", "let a = 1;\n".repeat(20_000)), null);
    assert.match(logger.warnings[0] ?? "", /too many steps/);
    const document = await createSyntax(source, logger).open("typescript", "let b = 2;");
    assert.equal(document?.outline()[0]?.path, "b");
    document?.dispose();
  });

  it("uses nothing of a runtime whose parser threw, and opens the next file with a new one", async () => {
    const logger = new RecordingLogger();
    const syntax = createSyntax(nodeGrammarSource(), logger);
    const before = await syntax.open("typescript", "let a;");
    const { Parser } = await import("web-tree-sitter");
    const { parse } = Parser.prototype;
    Parser.prototype.parse = () => {
      throw new RangeError("Maximum call stack size exceeded");
    };
    try {
      assert.equal(await syntax.open("typescript", "let b;"), null);
    } finally {
      Parser.prototype.parse = parse;
    }
    assert.match(logger.errors[0] ?? "", /Parsing failed.*call stack/);
    before?.edit({ start: 0, end: 0 }, "let c; ");
    const found = before?.resolve("c");
    assert.equal(found?.ok === false && found.error.code, "unparsed");
    before?.dispose();
    const after = await syntax.open("typescript", "let b;");
    assert.equal(after?.outline()[0]?.path, "b");
    after?.dispose();
  });

  it("refuses Markdown nested beyond its grammar's limit, and other grammars keep working", async () => {
    const logger = new RecordingLogger();
    const syntax = createSyntax(nodeGrammarSource(), logger);
    const lists = Array.from({ length: 400 }, (_, index) => `${"  ".repeat(index)}- a`).join("\n");
    for (const text of [
      `${">".repeat(5000)} # x\n`,
      `${"- ".repeat(400)}a\n`,
      lists,
      `\t${"1. ".repeat(300)}a\n`,
    ]) {
      assert.equal(await syntax.open("markdown", text), null);
    }
    assert.match(logger.warnings[0] ?? "", /nested too deeply/);
    const document = await syntax.open(
      "markdown",
      `# Fine\n\n${"-".repeat(300)}\n${" ".repeat(300)}text\n${"> ".repeat(20)}a\n`,
    );
    assert.equal(document?.outline()[0]?.path, "Fine");
    document?.edit({ start: 0, end: 0 }, `${">".repeat(5000)}\n`);
    assert.deepEqual(document?.outline(), []);
    document?.dispose();
    const other = await syntax.open("typescript", "let a;");
    assert.equal(other?.outline().length, 1);
    other?.dispose();
  });
});
