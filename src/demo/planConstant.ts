import { counted } from "../base/counted.ts";
import { err, ok, type Result } from "../base/result.ts";
import { type CodeProbe, createCodeProbe } from "./codeProbe.ts";
import { type DemoElement, type DemoSource, demoElements, isCallable } from "./demoSource.ts";
import type { EditPlan } from "./editPlan.ts";
import { lineBlocks } from "./lineBlocks.ts";
import { constantCase, nameWords } from "./nameWords.ts";

interface Literal {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

const MAX_LITERALS = 400;
const NUMBER = /(?<![\p{L}\p{N}_$.])(?:0[xX][\dA-Fa-f_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\p{L}\p{N}_$.])/gu;
const TRIVIAL = new Set(["0", "1", "2"]);

/** Extracts a literal (the one named, else the most repeated number, else the first) into a constant below the imports. The error is a sentence. */
export function planConstant(source: DemoSource, wanted: string | null, name: string | null): Result<EditPlan, string> {
  const { path, text, document, python } = source;
  const probe = createCodeProbe(document);
  const insertion = insertionLine(source);
  const literals = (wanted === null || /^[\d.]/.test(wanted) ? numbers(text, probe) : strings(text, wanted, probe)).filter(
    ({ start }) => !isConstant(text, start) && lineOf(text, start) > insertion.line,
  );
  const value = wanted === null ? mostRepeated(literals) : (literals.find((literal) => same(literal.value, wanted))?.value ?? null);
  if (value === null) {
    return err(
      wanted === null
        ? `I find no number in \`${path}\` that is worth a name.`
        : `I find no literal ${wanted} in the code of \`${path}\` that is not yet a constant.`,
    );
  }
  const uses = literals.filter((literal) => same(literal.value, value));
  const first = uses[0];
  const constant = name ?? (first ? suggestName(source, first) : "VALUE");
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(constant)) return err(`\`${constant}\` cannot be the name of a constant.`);
  if (new RegExp(`(?<![\\w$])${constant.replaceAll("$", "\\$")}(?![\\w$])`).test(text))
    return err(`\`${constant}\` is already used in \`${path}\`. Tell me another name.`);
  const semicolon = !python && (/;[ \t]*$/m.test(text) || !/\n/.test(text.trim()));
  const declaration = python ? `${constant} = ${value}` : `const ${constant} = ${value}${semicolon ? ";" : ""}`;
  const replaced = lineBlocks(
    text,
    uses.map(({ start, end }) => ({ start, end, newText: constant })),
  );
  return ok({
    found: `\`${value}\` stands in ${counted(uses.length, "place")} of \`${path}\`; I call it \`${constant}\`.`,
    lineNumbers: true,
    words: `The constant goes ${insertion.afterImports ? "below the imports" : "to the top"}, and ${uses.length === 1 ? "the literal becomes" : "the literals become"} its name.`,
    blocks: [{ address: insertion.address, body: insertion.body(declaration) }, ...replaced],
  });
}

function numbers(text: string, probe: CodeProbe): readonly Literal[] {
  const all = [...text.matchAll(NUMBER)].map((match) => ({ start: match.index, end: match.index + match[0].length, value: match[0] }));
  return all
    .slice(0, MAX_LITERALS)
    .filter(
      (literal) =>
        !TRIVIAL.has(literal.value) &&
        !isKey(text, literal) &&
        probe.accepts(literal.start, literal.end, "graft_value") &&
        isNumberToken(literal, probe),
    );
}

/** Digits in a string or a comment accept anything; a number in the code accepts no foreign character. */
function isNumberToken({ start, end }: Literal, probe: CodeProbe): boolean {
  return probe.isCode(start, end);
}

function strings(text: string, wanted: string, probe: CodeProbe): readonly Literal[] {
  const content = wanted.slice(1, -1);
  return ['"', "'"]
    .flatMap((quote) => {
      const value = quote + content + quote;
      const found: Literal[] = [];
      for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + value.length)) {
        const literal = { start, end: start + value.length, value };
        // Whole, and no type: the opening quote is code, what it holds is not, and a name could stand there.
        const token = !probe.isCode(start + 1, literal.end) && probe.beginsToken(start);
        if (token && !isKey(text, literal) && !isUnionMember(text, literal) && probe.accepts(start, literal.end, "graft_value"))
          found.push(literal);
      }
      return found;
    })
    .sort((a, b) => a.start - b.start);
}

function isKey(text: string, { start, end }: Literal): boolean {
  return /^\s*:/.test(text.slice(end)) && /[{,]\s*$/.test(text.slice(0, start));
}

function isUnionMember(text: string, { start, end }: Literal): boolean {
  return (
    /(?<!\|)\|\s*$/.test(text.slice(0, start)) || /^\s*\|(?!\|)/.test(text.slice(end)) || /\btype\s+\w+\s*=\s*$/.test(text.slice(0, start))
  );
}

/** True for the value of a declaration that already names it. */
function isConstant(text: string, start: number): boolean {
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  return (
    /^(?:export\s+)?(?:(?:const|static|readonly)\s+)*[A-Z][A-Z\d_]*\s*(?::[^=]+)?=\s*-?$/.test(line) ||
    /^(?:export\s+)?const\s+\w+\s*(?::[^=]+)?=\s*-?$/.test(line)
  );
}

function mostRepeated(literals: readonly Literal[]): string | null {
  const counts = new Map<string, number>();
  for (const { value } of literals) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce<[string, number] | null>((best, entry) => (best && best[1] >= entry[1] ? best : entry), null)?.[0] ?? null;
}

function same(a: string, b: string): boolean {
  return a === b || (a.slice(1, -1) === b.slice(1, -1) && /^["']/.test(a) && /^["']/.test(b));
}

/** A name from where the literal stands: what it is assigned to, or the function and what is done with it. */
function suggestName(source: DemoSource, literal: Literal): string {
  const { text } = source;
  const before = text.slice(text.lastIndexOf("\n", literal.start - 1) + 1, literal.start);
  const around = demoElements(source).findLast(
    ({ element, ...entry }) => isCallable(entry) && element.range.start <= literal.start && literal.end <= element.range.end,
  );
  if (/^3\.14\d*$/.test(literal.value)) return "PI";
  const assigned = /([A-Za-z_$][\w$]*)\s*(?::[^=,({]*)?[=:]\s*$/.exec(before)?.[1];
  const parameter = assigned !== undefined && around !== undefined && literal.start < (around.element.body?.inner.start ?? 0);
  const candidates = [
    ...(assigned === undefined ? [] : [parameter ? `DEFAULT_${constantCase(assigned)}` : constantCase(assigned)]),
    `${constantCase(owner(around))}_${purpose(literal.value, before)}`,
    `${constantCase(owner(around))}_VALUE`,
  ];
  return candidates.find((candidate) => !text.includes(candidate)) ?? `VALUE_${literal.value.replace(/\W/g, "_")}`;
}

function owner(element: DemoElement | undefined): string {
  const words = nameWords(element?.name ?? "file");
  return (words.length > 1 && /^(?:is|has|get|set|compute|calculate)$/.test(words[0] ?? "") ? words.slice(1) : words).join("_");
}

function purpose(value: string, before: string): string {
  if (/[<>]=?\s*$/.test(before)) return "LIMIT";
  if (/[*/]\s*$/.test(before)) return Number(value) > 0 && Number(value) < 1 ? "RATE" : "FACTOR";
  if (/[+-]\s*$/.test(before)) return "OFFSET";
  return "VALUE";
}

interface Insertion {
  readonly address: string;
  /** 1-based; uses up to this line stand above the constant. */
  readonly line: number;
  readonly afterImports: boolean;
  body(declaration: string): string;
}

function insertionLine({ document, text }: DemoSource): Insertion {
  const imports = document.resolve("@imports");
  const range = imports.ok ? imports.value.range : { start: 0, end: 0 };
  if (range.end > range.start) {
    const line = lineOf(text, range.end);
    return { address: `${line}:${line}:after`, line, afterImports: true, body: (declaration) => `\n${declaration}` };
  }
  const line = lineOf(text, range.start);
  if (text.slice(range.start).trim() === "" && range.start > 0) {
    return { address: `${line}:${line}:after`, line, afterImports: false, body: (declaration) => declaration };
  }
  return { address: `${line}:${line}:before`, line: line - 1, afterImports: false, body: (declaration) => `${declaration}\n` };
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
