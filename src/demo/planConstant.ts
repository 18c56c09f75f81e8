import { err, ok, type Result } from "../base/result.ts";
import { pluralize } from "../base/text/pluralize.ts";
import { createCodeProbe } from "./codeProbe.ts";
import type { DemoSource } from "./demoSource.ts";
import { type EditPlan, lineBlocks } from "./editPlan.ts";

const MAX_NUMBERS = 400;
const NUMBER = /(?<![\p{L}\p{N}_$.])\d[\d_]*(?:\.\d+)?(?![\p{L}\p{N}_$.])/gu;
const CONSTANT = /^(?:export\s+)?(?:const\s+\w+|[A-Z][A-Z\d_]*)\s*(?::[^=]+)?=\s*-?$/;

/** Names a number: `wanted`, else the most frequent one. The error is a sentence. */
export function planConstant(source: DemoSource, wanted: string | null, name: string | null): Result<EditPlan, string> {
  const { path, text, document, python } = source;
  const probe = createCodeProbe(document);
  const imports = document.resolve("@imports");
  const place = imports.ok ? imports.value.range : { start: 0, end: 0 };
  const numbers = [...text.matchAll(NUMBER)].slice(0, MAX_NUMBERS).flatMap(({ index: start, 0: value }) => {
    const end = start + value.length;
    const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
    const isKey = /(?:^|[{,])\s*$/.test(before) && /^\s*:/.test(text.slice(end));
    const skipped = isKey || start < place.end || CONSTANT.test(before) || (wanted === null ? /^[012]$/.test(value) : value !== wanted);
    return skipped || !probe.isCode(start, end) || !probe.accepts(start, end, "graft_value") ? [] : [{ start, end, value }];
  });
  const count = (value: string) => numbers.filter((number) => number.value === value).length;
  const [first] = numbers.toSorted((a, b) => count(b.value) - count(a.value));
  if (!first) return err(`The code of \`${path}\` has no ${wanted === null ? "number worth a name" : `number ${wanted} without a name`}.`);
  const { value } = first;
  const constant = name ?? (/^3\.14/.test(value) ? "PI" : `VALUE_${value.replaceAll(".", "_")}`);
  if (new RegExp(`\\b${constant}\\b`).test(text)) return err(`\`${path}\` already uses \`${constant}\`. Choose another name.`);
  const declaration = python ? `${constant} = ${value}` : `const ${constant} = ${value}${/;\s*$/m.test(text) ? ";" : ""}`;
  const edits = numbers.filter((number) => number.value === value).map(({ start, end }) => ({ start, end, newText: constant }));
  const line = text.slice(0, place.end).split("\n").length;
  const below = place.end > place.start;
  return ok({
    summary: `I name ${value} \`${constant}\` in ${pluralize(edits.length, "place")} of \`${path}\`.`,
    blocks: [
      { address: `${line}:${line}:${below ? "after" : "before"}`, body: below ? `\n${declaration}` : `${declaration}\n` },
      ...lineBlocks(text, edits),
    ],
  });
}
