// Counts the ideas of the code: npm run house [-- NAME ...]. With names it lists what was counted.
import fs from "node:fs";
import path from "node:path";
import { Language, type Node, Parser } from "web-tree-sitter";
import { root } from "../harness/root.mjs";

interface Declared {
  readonly name: string;
  readonly file: string;
}
interface Bag extends Declared {
  readonly callbacks: number;
}
interface LongFunction extends Declared {
  readonly lines: number;
}

const LONGEST_FUNCTION = 60;
const wasm = path.join(root, "node_modules/web-tree-sitter/web-tree-sitter.wasm");
const grammar = path.join(root, "dist/grammars/typescript/grammar.wasm");

function sourceFiles(dir: string): string[] {
  return fs.readdirSync(path.join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const file = `${dir}/${entry.name}`;
    if (entry.isDirectory()) return sourceFiles(file);
    return file.endsWith(".ts") && !file.endsWith(".d.ts") ? [file] : [];
  });
}

function localImports(file: string, text: string): string[] {
  return [...text.matchAll(/^(?:import|export)\b[^"';]*?from\s+"(\.[^"]+)"/gm)].map((match) =>
    path.posix.normalize(path.posix.join(path.posix.dirname(file), match[1] ?? "")),
  );
}

/** Groups of files that import one another, types included; the largest first. */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    low.set(file, own);
    stack.push(file);
    for (const next of imports.get(file) ?? []) {
      if (!imports.has(next)) continue;
      if (!index.has(next)) low.set(file, Math.min(low.get(file) ?? own, visit(next)));
      else if (stack.includes(next))
        low.set(file, Math.min(low.get(file) ?? own, index.get(next) ?? own));
    }
    if (low.get(file) === own) {
      const circle = stack.splice(stack.indexOf(file));
      if (circle.length > 1) found.push(circle);
    }
    return low.get(file) ?? own;
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return found.sort((a, b) => b.length - a.length);
}

/** Names declared in more than one file, with the files. */
function repeated(declared: readonly Declared[]): [string, string[]][] {
  const files = new Map<string, Set<string>>();
  for (const { name, file } of declared) files.set(name, (files.get(name) ?? new Set()).add(file));
  return [...files].flatMap(([name, places]): [string, string[]][] =>
    places.size > 1 ? [[name, [...places]]] : [],
  );
}

function isCallback(member: Node): boolean {
  if (member.type === "method_signature") return true;
  return (
    member.type === "property_signature" &&
    member.childForFieldName("type")?.descendantsOfType("function_type").length !== 0
  );
}

function isTopLevel(node: Node): boolean {
  const parent = node.parent?.type === "export_statement" ? node.parent.parent : node.parent;
  return parent?.type === "program";
}

const types: Declared[] = [];
const functions: Declared[] = [];
const bags: Bag[] = [];
const long: LongFunction[] = [];
const imports = new Map<string, string[]>();
let bytes = 0;
let lines = 0;

/** Reads every file of `src` and `webview` into the lists above. */
async function readHouse(): Promise<void> {
  await Parser.init({ locateFile: () => wasm });
  const parser = new Parser();
  parser.setLanguage(await Language.load(fs.readFileSync(grammar)));
  for (const file of [...sourceFiles("src"), ...sourceFiles("webview")]) {
    const text = fs.readFileSync(path.join(root, file), "utf8");
    bytes += Buffer.byteLength(text);
    lines += text.split("\n").length - 1;
    imports.set(file, localImports(file, text));
    const tree = parser.parse(text);
    if (!tree) throw new Error(`${file} cannot be parsed`);
    const declarations = tree.rootNode.descendantsOfType([
      "interface_declaration",
      "type_alias_declaration",
      "class_declaration",
    ]);
    for (const node of declarations) {
      const name = node.childForFieldName("name")?.text ?? "";
      types.push({ name, file });
      if (!/(?:Deps|Options|Sources|Parts)$/.test(name)) continue;
      const members = node.descendantsOfType(["method_signature", "property_signature"]);
      bags.push({ name, file, callbacks: members.filter(isCallback).length });
    }
    const bodies = tree.rootNode.descendantsOfType([
      "function_declaration",
      "method_definition",
      "arrow_function",
    ]);
    for (const node of bodies) {
      const name =
        node.childForFieldName("name")?.text ?? node.parent?.childForFieldName("name")?.text ?? "";
      if (node.type === "function_declaration" && isTopLevel(node)) functions.push({ name, file });
      const length = node.endPosition.row - node.startPosition.row + 1;
      if (length > LONGEST_FUNCTION) long.push({ name, file, lines: length });
    }
    tree.delete();
  }
}

/** Prints each count, and the rows of those that are named. */
function printHouse(wanted: readonly string[]): void {
  const places = ({ name, file }: Declared) => `${name}  ${file}`;
  const named = (pattern: RegExp) => types.filter(({ name }) => pattern.test(name)).map(places);
  const callbacks = bags.reduce((sum, bag) => sum + bag.callbacks, 0);
  const typeCircles = circles(imports);
  const beforePaths = /^src\/syntax\/(?:paths|outline|[^/]+\.ts)|^src\/edits\/place\/ast/;
  const counts: readonly (readonly [
    name: string,
    what: string,
    count: number | string,
    rows: readonly string[],
  ])[] = [
    ["blocks", "types named *Block", named(/Block$/).length, named(/Block$/)],
    [
      "reviews",
      "types named Proposal or Review",
      named(/Proposal|Review/).length,
      named(/Proposal|Review/),
    ],
    [
      "paths",
      "types between an AST path and a range",
      types.filter(({ file }) => beforePaths.test(file)).length,
      types.filter(({ file }) => beforePaths.test(file)).map(places),
    ],
    [
      "types",
      "type names in more than one file",
      repeated(types).length,
      repeated(types).map(([name, files]) => `${name}  ${files.join(" ")}`),
    ],
    [
      "functions",
      "function names in more than one file",
      repeated(functions).length,
      repeated(functions).map(([name, files]) => `${name}  ${files.join(" ")}`),
    ],
    [
      "bags",
      "Deps/Options/Sources/Parts; callbacks in them",
      `${bags.length}; ${callbacks}`,
      bags.map((bag) => `${bag.callbacks}  ${places(bag)}`),
    ],
    [
      "circles",
      "circles of imports, types included; files in each",
      `${typeCircles.length}; ${typeCircles.map((circle) => circle.length).join(", ")}`,
      typeCircles.map((circle) => circle.join(" ")),
    ],
    [
      "long",
      `functions over ${LONGEST_FUNCTION} lines`,
      long.length,
      long.sort((a, b) => b.lines - a.lines).map((each) => `${each.lines}  ${places(each)}`),
    ],
    ["text", "text of src and webview in MB; lines", `${(bytes / 1e6).toFixed(2)}; ${lines}`, []],
  ];
  for (const [name, what, count, rows] of counts) {
    console.log(`${name.padEnd(10)} ${String(count).padStart(10)}  ${what}`);
    if (wanted.includes(name)) for (const row of rows) console.log(`    ${row}`);
  }
}

readHouse().then(() => printHouse(process.argv.slice(2)));
