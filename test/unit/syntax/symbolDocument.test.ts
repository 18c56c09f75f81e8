import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import fc from "fast-check";
import type { FileSymbol } from "../../../src/ports/symbolSource.ts";
import { SymbolDocument } from "../../../src/syntax/languageServer/symbolDocument.ts";
import { symbolElements } from "../../../src/syntax/languageServer/symbolElements.ts";
import type { SyntaxElement } from "../../../src/syntax/syntax.ts";
import { openDocument } from "./openDocument.ts";

/** Languages whose grammars tell what a language server's symbols should become. */
const WITNESSES = ["csharp", "go", "java", "javascript", "lua", "php", "python", "ruby", "tsx", "typescript"];

interface Witnessed extends FileSymbol {
  readonly children: Witnessed[];
  readonly truth: SyntaxElement;
}

/** A grammar's elements as a language server would send them. */
async function witnessed(language: string): Promise<{ readonly text: string; readonly symbols: readonly Witnessed[] }> {
  const text = await readFile(new URL(`../../fixtures/outline/${language}/source.txt`, import.meta.url), "utf8");
  const document = await openDocument(language, text);
  const roots: Witnessed[] = [];
  const open: Witnessed[] = [];
  const seen = new Set<string>();
  for (const entry of document.outline()) {
    const found = document.resolve(entry.path);
    if (entry.path.startsWith("@") || !found.ok) continue;
    const truth = found.value;
    const range = { start: truth.range.start, end: truth.separatorStart };
    if (seen.has(`${range.start}:${range.end}`)) continue;
    seen.add(`${range.start}:${range.end}`);
    const name = entry.path.slice(entry.path.lastIndexOf("-") + 1).replace(/#\d+$/, "");
    const named = text.indexOf(name, range.start);
    const selection = named >= 0 && named < range.end ? { start: named, end: named + name.length } : range;
    const symbol: Witnessed = { name, kind: entry.kind, range, selection, children: [], truth };
    for (let last = open.at(-1); last && last.range.end < range.end; last = open.at(-1)) open.pop();
    (open.at(-1)?.children ?? roots).push(symbol);
    open.push(symbol);
  }
  document.dispose();
  return { text, symbols: roots };
}

function opened(text: string, symbols: readonly FileSymbol[]): SymbolDocument {
  const elements = symbolElements(text, symbols);
  assert.ok(elements);
  return new SymbolDocument(text, elements);
}

describe("a document of a language server's symbols", () => {
  for (const language of WITNESSES) {
    it(`gives ${language} the ranges, separators and comments of its grammar, or refuses`, async () => {
      const { text, symbols } = await witnessed(language);
      const document = opened(text, symbols);
      const elements = new Map<number, SyntaxElement[]>();
      for (const { path } of document.outline()) {
        const found = document.resolve(path);
        if (found.ok) elements.set(found.value.range.start, [...(elements.get(found.value.range.start) ?? []), found.value]);
      }
      const compare = ({ name, truth, children }: Witnessed): void => {
        const element = elements.get(truth.range.start)?.find(({ separatorStart }) => separatorStart === truth.separatorStart);
        if (element) {
          assert.equal(element.range.end, truth.range.end, `the separator of ${name}`);
          assert.equal(element.commentStart, truth.commentStart, `the comment of ${name}`);
        }
        children.forEach(compare);
      };
      symbols.forEach(compare);
      assert.ok([...elements.values()].flat().length >= document.outline().length * 0.85, "elements that are not refused");
    });
  }

  it("keeps the text of every element that an edit does not touch", async () => {
    const { text, symbols } = await witnessed("typescript");
    const edit = fc.record({
      at: fc.nat(),
      length: fc.oneof(fc.nat(5), fc.nat(200)),
      newText: fc.constantFrom("", "x", "\n", "\n    deep\n", "}\n{"),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 8 }), (edits) => {
        const document = opened(text, symbols);
        for (const { at, length, newText } of edits) {
          const before = document.text;
          const ranges = rangesOf(document);
          const start = at % (before.length + 1);
          const end = Math.min(before.length, start + length);
          document.edit({ start, end }, newText);
          const delta = document.text.length - before.length;
          const after = rangesOf(document);
          for (const [path, range] of after) {
            assert.ok(range.start < range.end && range.end <= document.text.length, path);
            const old = ranges.get(path);
            assert.ok(old, `${path} was there before`);
            if (end <= old.start) assert.deepEqual(range, { start: old.start + delta, end: old.end + delta }, path);
            else if (start > old.end) assert.deepEqual(range, old, path);
          }
          for (const [path, old] of ranges) if (end <= old.start || start >= old.end) assert.ok(after.has(path), `${path} is still there`);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("names its elements as the outline of a grammar does", () => {
    const text = "m\nf(a)\nf(b)\n-x\nv\n";
    const symbol = (name: string, kind: string, start: number, children: FileSymbol[] = []): FileSymbol => {
      const range = { start, end: start + 1 };
      return { name, kind, range, selection: range, children };
    };
    const symbols = [
      symbol("file.x", "file", 0, [symbol("Mod.Sub", "module", 0)]),
      symbol("def f(a) when a > 1", "function", 2, [symbol("local", "variable", 3), symbol("T", "type-parameter", 3)]),
      symbol("f(b) : int", "method", 7),
      symbol('"a `quoted`\nname"', "key", 12),
      symbol("value : List<int>", "property", 15),
      symbol("a:after", "class", 15),
      symbol("", "class", 15),
    ];
    assert.deepEqual(
      opened(`${text}`, symbols)
        .outline()
        .map(({ path, kind }) => `${path} ${kind}`),
      ["Mod.Sub module", "f#1 function", "f#2 method", "a quoted name key", "value property", "a:after class"],
    );
  });

  it("handles ten thousand elements, even on one line, and deep nesting", () => {
    for (const separator of ["\n", " "]) {
      const symbols: FileSymbol[] = [];
      let text = "";
      for (let index = 0; index < 10_000; index++) {
        const start = text.length;
        text += `fun f${index}(a, b) { return "${"x".repeat(60)}"; }`;
        const range = { start, end: text.length };
        symbols.push({ name: `f${index}`, kind: "function", range, selection: { start: start + 4, end: start + 5 }, children: [] });
        text += separator;
      }
      const document = opened(text, symbols);
      document.edit({ start: 0, end: 0 }, "// first\n");
      const found = document.resolve("f9999");
      assert.ok(found.ok);
      assert.match(document.text.slice(found.value.range.start, found.value.range.end), /^fun f9999\(a, b\) \{ return "x+"; \}$/);
    }
    const text = `${"c {".repeat(5000)}${"}".repeat(5000)}`;
    let nested: FileSymbol[] = [];
    for (let level = 4999; level >= 0; level--) {
      const range = { start: level * 3, end: text.length - level };
      nested = [{ name: `n${level}`, kind: "class", range, selection: range, children: nested }];
    }
    assert.equal(opened(text, nested).outline().length, 64);
  });
});

function rangesOf(document: SymbolDocument): Map<string, { start: number; end: number }> {
  const ranges = new Map<string, { start: number; end: number }>();
  for (const { path } of document.outline()) {
    const found = document.resolve(path);
    if (found.ok) ranges.set(path, { start: found.value.range.start, end: found.value.separatorStart });
  }
  return ranges;
}
