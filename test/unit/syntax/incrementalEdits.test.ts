import { strict as assert } from "node:assert";
import fs from "node:fs";
import fc from "fast-check";
import grammars from "../../../grammars/grammars.json" with { type: "json" };
import type { SyntaxDocument } from "../../../src/syntax/syntax.ts";
import { campaignRuns } from "../../fakes/campaignRuns.ts";
import { openDocument } from "./openDocument.ts";

/** More runs find more: GRAFT_RUNS=5000. */
const RUNS = campaignRuns(1, 20);
const STEPS = Math.min(campaignRuns(3, 6), 6);

const TOKENS =
  'a|Z9|f()|{|}|(|)|[|]|<|>|:|;|,|.|=|=>|->|-|#|@|$|*|/|//|/*|*/|"|\'|`|\\|\n|\n\n|\r\n|\r|  |\t|\0|😀|\uFEFF|if|end|class A {}|function f() {}|def f():|import a|<<<<<<< HEAD\n|# x\n|- a: b\n|EXPORT_API |public |// c\n|"""'.split(
    "|",
  );

const FIXTURES = new URL("../../fixtures/outline/", import.meta.url);

type Step =
  | {
      readonly kind: "type";
      readonly at: number;
      readonly remove: number;
      readonly insert: readonly (string | number)[];
    }
  | { readonly kind: "element"; readonly remove: boolean; readonly index: number }
  | { readonly kind: "word"; readonly at: number; readonly from: number }
  | { readonly kind: "line"; readonly at: number; readonly from: number }
  | { readonly kind: "undo" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("type" as const),
    at: fc.nat(),
    remove: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 4, arbitrary: fc.nat(12) },
      { weight: 1, arbitrary: fc.nat(400) },
    ),
    // A number stands for the source line that begins there.
    insert: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...TOKENS) }, fc.nat()), {
      maxLength: 3,
    }),
  }),
  fc.record({ kind: fc.constant("element" as const), remove: fc.boolean(), index: fc.nat() }),
  fc.record({ kind: fc.constant("word" as const), at: fc.nat(), from: fc.nat() }),
  fc.record({ kind: fc.constant("line" as const), at: fc.nat(), from: fc.nat() }),
  fc.constant({ kind: "undo" as const }),
);

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Removes or doubles an element, swaps a name, or inserts a line: edits that mostly keep the code
 * valid.
 */
function editOf(
  step: Step,
  document: SyntaxDocument,
  source: string,
  undo: Edit | undefined,
): Edit | null {
  const { text } = document;
  if (step.kind === "undo") return undo ?? null;
  if (step.kind === "type") {
    const start = step.at % (text.length + 1);
    const inserted = step.insert
      .map((piece) => (typeof piece === "string" ? piece : lineOf(source, piece)))
      .join("");
    return { start, end: Math.min(text.length, start + step.remove), text: inserted };
  }
  if (step.kind === "word") {
    const words = [...text.matchAll(/\w+/g)];
    const word = words[step.at % Math.max(1, words.length)];
    const other = words[step.from % Math.max(1, words.length)];
    return word && other
      ? { start: word.index, end: word.index + word[0].length, text: other[0] }
      : null;
  }
  if (step.kind === "line") {
    const start = text.lastIndexOf("\n", step.at % (text.length + 1)) + 1;
    return { start, end: start, text: step.from % 3 === 0 ? "\n" : lineOf(source, step.from) };
  }
  const outline = document.outline();
  const found = document.resolve(outline[step.index % Math.max(1, outline.length)]?.path ?? "");
  if (!found.ok) return null;
  const { start, end } = found.value.range;
  return step.remove
    ? { start, end, text: "" }
    : { start: end, end, text: `\n${text.slice(start, end)}` };
}

function lineOf(text: string, at: number): string {
  const lines = text.split(/(?<=\n)/);
  return lines[at % Math.max(1, lines.length)] ?? "";
}

function said(document: SyntaxDocument): unknown {
  const outline = document.outline();
  return {
    outline,
    resolved: [...outline.map(({ path }) => path), "@imports", "@file"].map((path) =>
      document.resolve(path),
    ),
    errors: document.errorCount(),
  };
}

describe("any sequence of edits", () => {
  for (const { id } of grammars.languages) {
    const fixture = new URL(`${id}/source.txt`, FIXTURES);
    if (!fs.existsSync(fixture)) continue;
    it(`${id}: an edited document equals a new one of the same text, or of the same edits where they broke it`, async () => {
      const text = fs.readFileSync(fixture, "utf8");
      // A longer text, which some grammars read as broken: most of it is far from an edit.
      const sources = fc.constantFrom(text, `${text}\n${text}\n${text}`);
      const steps = fc.array(step, { minLength: 1, maxLength: STEPS });
      await fc.assert(
        fc.asyncProperty(sources, steps, async (source, steps) => {
          const document = await openDocument(id, source);
          said(document);
          const undo: Edit[] = [];
          const made: Edit[] = [];
          for (const each of steps) {
            const edit = editOf(each, document, source, undo.at(-1));
            if (!edit) continue;
            if (each.kind === "undo") undo.pop();
            else
              undo.push({
                start: edit.start,
                end: edit.start + edit.text.length,
                text: document.text.slice(edit.start, edit.end),
              });
            document.edit(edit, edit.text);
            made.push(edit);
            const fresh = await openDocument(id, document.text);
            assert.equal(
              document.errorCount() === 0,
              fresh.errorCount() === 0,
              JSON.stringify(edit),
            );
            // How the parser reads an error depends on the last sound text: the other document saw
            // the same edits, and was asked nothing.
            const other = fresh.errorCount() === 0 ? fresh : await openDocument(id, source);
            if (other !== fresh) for (const earlier of made) other.edit(earlier, earlier.text);
            assert.deepEqual(said(document), said(other), JSON.stringify(edit));
            other.dispose();
            fresh.dispose();
          }
          document.dispose();
        }),
        { numRuns: RUNS },
      );
    }).timeout(180_000 + RUNS * 2_000);
  }
});
