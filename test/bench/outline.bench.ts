import fs from "node:fs";
import path from "node:path";
import grammars from "../../grammars/grammars.json" with { type: "json" };
import { openedBlock } from "../../src/edits/block.ts";
import { AstPlacer } from "../../src/edits/place/astPlacer.ts";
import { indentOf } from "../../src/edits/text/indent.ts";
import { createNodeGrammarSource } from "../../src/node/nodeGrammarSource.ts";
import { createSyntax } from "../../src/syntax/createSyntax.ts";
import { createGrammarLoader } from "../../src/syntax/grammar/grammarLoader.ts";
import { languageById } from "../../src/syntax/grammar/languages.ts";
import { pointFrom } from "../../src/syntax/outline/parsedText.ts";
import type { SyntaxDocument } from "../../src/syntax/syntax.ts";
import { RecordingLogger } from "../fakes/recordingLogger.ts";
import { run } from "../harness/exec.mjs";
import { root } from "../harness/root.mjs";
import { quantile } from "./packed.ts";

const LINES = 5_000;
const ROUNDS = 60;
const WARM_UP = 40;
const MOST_RATIO = 0.1;
/** Of an edit that breaks the syntax. */
const MOST_BROKEN_RATIO = 0.2;
const LANGUAGE_LINES = 2_000;
const LANGUAGE_ROUNDS = 15;
/** In milliseconds. */
const MOST_PER_BLOCK = 3;
const FILES = 200;

/** The part of WebAssembly.Memory that is read here: its types are the browser's. */
interface Memory {
  readonly buffer: ArrayBuffer;
}

declare const WebAssembly: { Memory: new (descriptor: object) => Memory };

/** Sees every memory that the runtime makes. */
function watchMemories(): readonly Memory[] {
  const memories: Memory[] = [];
  WebAssembly.Memory = new Proxy(WebAssembly.Memory, {
    construct(target, [descriptor]) {
      const memory = new target(descriptor);
      memories.push(memory);
      return memory;
    },
  });
  return memories;
}

/** This repository's own sources, one after the other, to about so many lines. */
function typescriptOf(lines: number): string {
  const folder = path.join(root, "src");
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .sort();
  const texts: string[] = [];
  for (let at = 0, count = 0; count < lines; at++) {
    const text = fs.readFileSync(path.join(folder, files[at % files.length] ?? ""), "utf8");
    texts.push(text);
    count += text.split("\n").length;
  }
  return texts.join("\n");
}

/**
 * Milliseconds of processor time, which a busy machine does not stretch as it does the time of a
 * clock.
 */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The median milliseconds of a few rounds, once the code is warm. */
async function measured(act: () => unknown, rounds = ROUNDS, warmUp = WARM_UP): Promise<number> {
  const times: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const began = cpuTime();
    await act();
    if (round >= 0) times.push(cpuTime() - began);
  }
  return quantile(times, 0.5);
}

const ms = (time: number) => `${time.toFixed(2)} ms`;

const loadGrammar = createGrammarLoader(createNodeGrammarSource(path.join(root, "dist/grammars")));

function syntax() {
  return createSyntax(
    createNodeGrammarSource(path.join(root, "dist/grammars")),
    new RecordingLogger(),
  );
}

async function opened(language: string, text: string, using = syntax()): Promise<SyntaxDocument> {
  const document = await using.open(language, text);
  if (!document) throw new Error(`no outline for ${language}`);
  return document;
}

/** True for a method of an object, which a new one must not follow without a comma. */
function endsWithComma(document: SyntaxDocument, path: string): boolean {
  const found = document.resolve(path);
  return found.ok && document.text[found.value.range.end - 1] === ",";
}

async function speed(): Promise<void> {
  const text = typescriptOf(LINES);
  const language = languageById("typescript");
  if (!language) throw new Error("no TypeScript");
  const { engine, language: loaded } = await loadGrammar(language);
  const { parser } = engine;
  parser.setLanguage(loaded);
  const using = syntax();
  const document = await opened("typescript", text, using);
  const elements = document.outline().length;
  console.log(
    `  TypeScript, ${text.split("\n").length} lines, ${(text.length / 1000).toFixed(0)} kB, ${elements} elements, medians of ${ROUNDS}`,
  );
  const parse = await measured(() => parser.parse(text)?.delete());
  const anew = await measured(async () => {
    const fresh = await opened("typescript", text, using);
    fresh.outline();
    fresh.dispose();
  });
  console.log(`  parse alone                  ${ms(parse)}`);
  console.log(
    `  open: parse + outline        ${ms(anew)}   ${(anew / parse).toFixed(2)} of the parse`,
  );

  const method = document
    .outline()
    .filter(({ kind, endLine, startLine }) => kind === "method" && endLine > startLine + 2)
    .find(({ path, startLine }) => startLine > LINES / 2 && !endsWithComma(document, path));
  if (!method) throw new Error("no method");
  for (const [what, inserted, place] of [
    ["a line in a function's body", "\n    const measured = 1;", "body"],
    ["a new member", "\n\n  measured(): void {}", "after"],
  ] as const) {
    let undo: number | null = null;
    const edit = await measured(() => {
      const found = document.resolve(method.path);
      if (!found.ok || !found.value.body) throw new Error(`${method.path} does not resolve`);
      const at: number =
        undo ?? (place === "body" ? found.value.body.inner.start : found.value.range.end);
      document.edit(
        { start: at, end: undo === null ? at : at + inserted.length },
        undo === null ? inserted : "",
      );
      undo = undo === null ? at : null;
      if (!document.resolve(method.path).ok) throw new Error(`${method.path} does not resolve`);
    });
    const late = edit / anew > MOST_RATIO;
    console.log(
      `  ${`${what}, resolve`.padEnd(36)} ${ms(edit)}   ${(edit / anew).toFixed(3)} of parse + outline${late ? "  TOO SLOW" : ""}`,
    );
    if (late) process.exitCode = 1;
  }
  document.dispose();
  for (const [what, source] of [
    ["sound", text],
    ["broken", text.replace("export function", "const = ;\nexport function")],
  ] as const) {
    for (const [does, time] of [
      ["a line in another function", await blockTime(source, using)],
      ["another whole function", await elementTime(source, using)],
    ] as const) {
      const late = time > MOST_PER_BLOCK;
      console.log(
        `  a block: ${does.padEnd(27)} ${what.padEnd(6)} file   ${ms(time)}${late ? "  TOO SLOW" : ""}`,
      );
      if (late) process.exitCode = 1;
    }
  }
}

/**
 * The median milliseconds to find a function by its pinned path and to write a line into it, one
 * function after the other.
 */
async function blockTime(text: string, using: ReturnType<typeof syntax>): Promise<number> {
  const document = await opened("typescript", text, using);
  document.pinPaths();
  const functions = document
    .outline()
    .filter(({ kind, startLine, endLine }) => kind === "function" && endLine > startLine + 2);
  const times: number[] = [];
  for (const { path } of functions) {
    const began = cpuTime();
    const found = document.resolve(path);
    const at = found.ok ? found.value.body?.inner.start : undefined;
    if (at === undefined) continue;
    document.edit({ start: at, end: at }, "\n  const measured = 1;");
    document.errorCount();
    times.push(cpuTime() - began);
  }
  document.dispose();
  return quantile(times, 0.5);
}

/**
 * The median milliseconds of a block of a message that replaces a whole function with one of a line
 * more, one function after the other.
 */
async function elementTime(text: string, using: ReturnType<typeof syntax>): Promise<number> {
  const document = await opened("typescript", text, using);
  document.pinPaths();
  const functions = document
    .outline()
    .filter(({ kind, startLine, endLine }) => kind === "function" && endLine > startLine + 2);
  const lines = text.split("\n");
  const placer = new AstPlacer(document);
  const times: number[] = [];
  for (const [index, { path, startLine, endLine }] of functions.entries()) {
    const [head = "", ...rest] = lines.slice(startLine - 1, endLine);
    // A head of several lines goes on there, and so do types in braces: a line there is an error,
    // and what follows would be measured in a broken text.
    if (!/\)[^{]*[^:] \{$/.test(head)) continue;
    const began = cpuTime();
    const address = { kind: "ast", path } as const;
    const names = { blockId: String(index), target: path, written: path };
    const block = openedBlock({ ...names, op: "replace", address, index, step: 0, textStart: 0 });
    const place = placer.open(block);
    if (!place.ok) continue;
    const added = `${indentOf(head)}  const measured = 1;`;
    const written = place.value.close({ lines: [head, added, ...rest], eol: "\n" });
    if (written.ok) times.push(cpuTime() - began);
  }
  document.dispose();
  if (times.length < functions.length / 3) throw new Error("too few functions could be replaced");
  return quantile(times, 0.5);
}

/**
 * A fixture's text with each element that may stand twice repeated where it stands, to about so many
 * lines: one file after the other would be broken where a package or a root can only stand once.
 */
async function longText(language: string, using: ReturnType<typeof syntax>): Promise<string> {
  const fixture = path.join(root, `test/fixtures/outline/${language}/source.txt`);
  const source = `${fs.readFileSync(fixture, "utf8").trimEnd()}\n`;
  const document = await opened(language, source, using);
  const lines = source.split("\n");
  const cut = (first: number, last: number, times: number) => [
    ...lines.slice(0, last),
    ...Array.from({ length: times }, () => ["", ...lines.slice(first - 1, last)]).flat(),
    ...lines.slice(last),
  ];
  const repeatable: { readonly first: number; readonly last: number }[] = [];
  let to = 0;
  for (const { path, startLine: first, endLine: last } of document.outline()) {
    if (first <= to || path.startsWith("@")) continue;
    const twice = await opened(language, cut(first, last, 1).join("\n"), using);
    if (twice.errorCount() <= document.errorCount()) {
      repeatable.push({ first, last });
      to = last;
    }
    twice.dispose();
  }
  document.dispose();
  const times = Math.ceil(
    LANGUAGE_LINES / repeatable.reduce((sum, { first, last }) => sum + last - first + 2, 0),
  );
  let text = lines;
  for (const { first, last } of repeatable.toReversed()) {
    const copies = Array.from({ length: times }, () => [
      "",
      ...lines.slice(first - 1, last),
    ]).flat();
    text = text.toSpliced(last, 0, ...copies);
  }
  return text.join("\n");
}

/** What tree-sitter took of what was measured: milliseconds, and UTF-16 units that it read anew. */
interface TreeSitterShare {
  parser: number;
  query: number;
  anew: number;
}

/** Measures the parser and its queries where the product calls them. */
async function watchTreeSitter(): Promise<TreeSitterShare> {
  const { Parser, Query, Tree } = await import("web-tree-sitter");
  const taken: TreeSitterShare = { parser: 0, query: 0, anew: 0 };
  const timed = <T>(part: "parser" | "query", act: () => T): T => {
    const began = cpuTime();
    const made = act();
    taken[part] += cpuTime() - began;
    return made;
  };
  const { parse } = Parser.prototype;
  const { matches } = Query.prototype;
  const { getChangedRanges } = Tree.prototype;
  Parser.prototype.parse = function (...given) {
    return timed("parser", () => parse.apply(this, given));
  };
  Query.prototype.matches = function (...given) {
    return timed("query", () => matches.apply(this, given));
  };
  Tree.prototype.getChangedRanges = function (...given) {
    const ranges = timed("parser", () => getChangedRanges.apply(this, given));
    taken.anew += ranges.reduce((sum, { startIndex, endIndex }) => sum + endIndex - startIndex, 0);
    return ranges;
  };
  return taken;
}

/**
 * The median milliseconds of tree-sitter alone for an insertion: the tree before edited, and the
 * text after parsed with it. No change to Graft makes an edit cheaper than that.
 */
async function parserAlone(
  id: string,
  text: string,
  at: number,
  inserted: string,
): Promise<number> {
  const language = languageById(id);
  if (!language) throw new Error(`no ${id}`);
  const { engine, language: grammar, mask } = await loadGrammar(language);
  const { parser, runtime } = engine;
  parser.setLanguage(grammar);
  const before = parser.parse(mask(text));
  if (!before) throw new Error(`${id} does not parse`);
  const after = mask(text.slice(0, at) + inserted + text.slice(at));
  const point = (offset: number, of: string) => pointFrom(of, { row: 0, column: 0 }, 0, offset);
  const edit = new runtime.Edit({
    startIndex: at,
    oldEndIndex: at,
    newEndIndex: at + inserted.length,
    startPosition: point(at, text),
    oldEndPosition: point(at, text),
    newEndPosition: point(at + inserted.length, after),
  });
  const time = await measured(
    () => {
      const old = before.copy();
      old.edit(edit);
      parser.parse(after, old, { progressCallback: () => false })?.delete();
      old.delete();
    },
    LANGUAGE_ROUNDS,
    LANGUAGE_ROUNDS,
  );
  before.delete();
  return time;
}

/**
 * In every language: an edit inside an element until its path is found, as a share of opening the
 * file: tree-sitter's parser, its query, and Graft, which has the goal. Where the parser reads a part
 * of the text anew, all elements there are looked at as in opening it, and the goal is that part more.
 * The floor is the parser without Graft. Nobody waits for it at a key: only blocks of a model's
 * message edit such a document.
 */
async function everyLanguage(): Promise<void> {
  console.log(
    `\n  an edit inside an element, resolve, of parse + outline of about ${LANGUAGE_LINES} lines of the language's fixture:\n  all = parser + query + Graft (which has the goal), the floor (the parser alone, on the same edit), the part of the text that the parser read anew, errors`,
  );
  const taken = await watchTreeSitter();
  const using = syntax();
  const wanted = new RegExp(process.env.GRAFT_LANGUAGES ?? "");
  for (const { id } of grammars.languages.filter((language) => wanted.test(language.id))) {
    const text = await longText(id, using);
    const open = await measured(
      async () => {
        const fresh = await opened(id, text, using);
        fresh.outline();
        fresh.dispose();
      },
      LANGUAGE_ROUNDS,
      LANGUAGE_ROUNDS,
    );
    const document = await opened(id, text, using);
    const entries = document
      .outline()
      .filter(({ path, endLine, startLine }) => !path.startsWith("@") && endLine > startLine);
    const entry = entries[Math.floor(entries.length / 2)];
    document.pinPaths();
    const before = document.errorCount();
    const shares: string[] = [];
    for (const [what, inserted] of [
      ["a blank line", "\n"],
      ["what breaks", ")}]\n"],
    ] as const) {
      const at = document.text.split("\n", entry?.startLine ?? 0).join("\n").length + 1;
      const floor = (await parserAlone(id, text, at, inserted)) / open;
      const rounds: { all: number; parser: number; query: number; anew: number }[] = [];
      let errors = 0;
      for (let round = 0; round < 2 * LANGUAGE_ROUNDS; round++) {
        Object.assign(taken, { parser: 0, query: 0, anew: 0 });
        const began = cpuTime();
        document.edit({ start: at, end: at }, inserted);
        document.resolve(entry?.path ?? "");
        const all = cpuTime() - began;
        if (round >= LANGUAGE_ROUNDS) rounds.push({ all, ...taken });
        errors = document.errorCount();
        document.edit({ start: at, end: at + inserted.length }, "");
        document.outline();
      }
      const share = (of: "all" | "parser" | "query") =>
        quantile(
          rounds.map((round) => round[of]),
          0.5,
        ) / open;
      const anew = (rounds[0]?.anew ?? 0) / text.length;
      const [all, parser, query] = [share("all"), share("parser"), share("query")];
      const own = Math.max(0, all - parser - query);
      const most = errors > before ? MOST_BROKEN_RATIO : MOST_RATIO;
      const late = own > most + anew ? " TOO SLOW" : all > most && parser > most ? " PARSER" : "";
      const parts = `${all.toFixed(2)} = ${[parser, query, own].map((each) => each.toFixed(2)).join(" + ")}`;
      const read = `floor ${floor.toFixed(2)}, ${(100 * anew).toFixed(0)} % anew, ${errors} errors`;
      shares.push(`${what} ${parts}, ${read}${late}`.padEnd(88));
    }
    document.dispose();
    console.log(`  ${id.padEnd(12)} ${ms(open).padStart(10)}   ${shares.join("").trimEnd()}`);
  }
}

async function firstUse(): Promise<void> {
  console.log(
    "\n  first use of a grammar: load, compile the query, parse and outline a small file",
  );
  const using = syntax();
  for (const { id } of grammars.languages) {
    const fixture = path.join(root, `test/fixtures/outline/${id}/source.txt`);
    const text = fs.existsSync(fixture) ? fs.readFileSync(fixture, "utf8") : "";
    const began = cpuTime();
    const document = await opened(id, text, using);
    document.outline();
    const took = cpuTime() - began;
    document.dispose();
    console.log(`  ${id.padEnd(12)} ${took.toFixed(0).padStart(6)} ms`);
  }
}

async function memory(memories: readonly Memory[]): Promise<void> {
  const using = syntax();
  const text = typescriptOf(1_000);
  const heaps = () => {
    globalThis.gc?.();
    const wasm = memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    return `wasm ${(wasm / 1e6).toFixed(1)} MB, JavaScript ${(process.memoryUsage().heapUsed / 1e6).toFixed(1)} MB`;
  };
  console.log(`\n  memory: files of 1,000 lines opened, outlined, edited, closed`);
  for (let round = 0; round <= 3; round++) {
    for (let file = 0; file < (round === 0 ? 1 : FILES); file++) {
      const document = await opened("typescript", text, using);
      document.outline();
      document.edit({ start: 0, end: 0 }, "// edited\n");
      document.errorCount();
      document.outline();
      document.dispose();
    }
    console.log(`  after ${String(round === 0 ? 1 : round * FILES).padStart(4)}: ${heaps()}`);
  }
}

async function main(): Promise<void> {
  const memories = watchMemories();
  if ((await run(process.execPath, [path.join(root, "esbuild.mjs")], { quiet: "building" })) !== 0)
    throw new Error("The build failed.");
  await speed();
  await everyLanguage();
  await firstUse();
  await memory(memories);
}

void main();
