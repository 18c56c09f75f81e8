import assert from "node:assert/strict";
import fc from "fast-check";
import { applyEdits, type TextEdit } from "../../../../src/edits/text/changeSet.ts";
import { indexedText } from "../../../../src/edits/text/indexedText.ts";
import {
  type DocumentChange,
  DocumentSync,
  type EditorDocument,
  type ForeignChange,
  type PositionEdit,
} from "../../../../src/review/documents/documentSync.ts";
import { reportsEdits } from "../../../../src/review/documents/reportedEdits.ts";

/** A document that counts how often its text is read. */
class CountedDocument implements EditorDocument {
  version = 2;
  isDirty = false;
  reads = 0;
  text: string;

  constructor(text: string) {
    this.text = text;
  }

  getText(): string {
    this.reads++;
    return this.text;
  }
}

/** Follows a document whose editor makes `made` of an edit, and reports `reported`. */
function followed(
  text: string,
  made: (newText: string) => string,
  reported: (newText: string) => string,
) {
  const document = new CountedDocument(text);
  const foreign: ForeignChange[] = [];
  const sync: DocumentSync<CountedDocument> = new DocumentSync(
    text.replaceAll("\r\n", "\n"),
    "\n",
    async (_document: CountedDocument, edits: readonly PositionEdit[]) => {
      for (const { start, newText } of edits) {
        const lines = document.text.split("\n");
        const rangeOffset =
          lines.slice(0, start.line).join("\n").length + (start.line > 0 ? 1 : 0) + start.character;
        const change: DocumentChange = {
          contentChanges: [{ rangeOffset, rangeLength: 0, text: reported(newText) }],
          repeated: null,
        };
        document.text =
          document.text.slice(0, rangeOffset) + made(newText) + document.text.slice(rangeOffset);
        document.version++;
        sync.documentChanged(change);
      }
      return true;
    },
    (change) => foreign.push(change),
  );
  sync.open(document, "known");
  return { document, sync, foreign };
}

const insertion = (start: number, newText: string): TextEdit[] => [{ start, end: start, newText }];
const same = (text: string) => text;

describe("a document that Graft edits", () => {
  it("is not read again while the editor reports what Graft wrote", async () => {
    const { document, sync, foreign } = followed("one\ntwo\n", same, same);
    const before = document.reads;
    for (const [at, text] of [
      [4, "a\n"],
      [6, "b\n"],
      [8, "c"],
    ] as const) {
      const target = applyEdits(insertion(at, text), sync.text);
      assert.equal(await sync.edit(insertion(at, text), target, () => undefined), true);
      assert.equal(sync.isSettled, true);
    }
    assert.equal(document.reads, before);
    assert.equal(sync.text, "one\na\nb\nctwo\n");
    sync.recheck();
    assert.equal(document.reads, before + 1);
    assert.deepEqual(foreign, []);
  });

  it("is read where the editor reports anything else, and the difference is somebody's change", async () => {
    const { document, sync, foreign } = followed(
      "one\ntwo\n",
      (text) => text.toUpperCase(),
      (text) => text.toUpperCase(),
    );
    await sync.edit(insertion(4, "a\n"), "one\na\ntwo\n", () => undefined);
    assert.equal(sync.text, document.text);
    assert.deepEqual(
      foreign.map(({ before, after }) => [before, after]),
      [["one\na\ntwo\n", "one\nA\ntwo\n"]],
    );
  });

  it("shows a text other than the reports add up to when it is checked", async () => {
    const { sync, foreign } = followed("one\ntwo\n", (text) => text.toUpperCase(), same);
    await sync.edit(insertion(4, "a\n"), "one\na\ntwo\n", () => undefined);
    assert.deepEqual(foreign, []);
    sync.recheck();
    assert.equal(sync.text, "one\nA\ntwo\n");
    assert.equal(foreign.length, 1);
  });

  it("is always read where its line ends are others, since its offsets are", async () => {
    const { document, sync, foreign } = followed(
      "one\r\ntwo\r\n",
      (text) => text.replaceAll("\n", "\r\n"),
      same,
    );
    const before = document.reads;
    await sync.edit(insertion(4, "a\n"), "one\na\ntwo\n", () => undefined);
    assert.equal(document.reads, before + 1);
    assert.deepEqual([sync.text, foreign.length], ["one\na\ntwo\n", 0]);
  });

  it("takes a report for its edit only where both lead to the same text", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "\n"), { maxLength: 12 })
      .map((parts) => parts.join(""));
    const edit = fc.record({
      start: fc.nat(12),
      length: fc.nat(3),
      newText: fc.constantFrom("", "a", "ab", "b\n"),
    });
    fc.assert(
      fc.property(
        text,
        fc.array(edit, { maxLength: 2 }),
        fc.array(edit, { maxLength: 2 }),
        (before, mine, theirs) => {
          const sorted = mine
            .map(({ start, length, newText }) => ({ start, end: start + length, newText }))
            .sort((a, b) => a.start - b.start);
          const fits = sorted.every(
            ({ start, end }, index) =>
              start >= (sorted[index - 1]?.end ?? 0) && end <= before.length,
          );
          if (!fits) return;
          const changes = theirs.map(({ start, length, newText }) => ({
            rangeOffset: start,
            rangeLength: length,
            text: newText,
          }));
          if (!reportsEdits(indexedText(before), changes, sorted)) return;
          const reported = changes.toSorted(
            (a, b) => a.rangeOffset - b.rangeOffset || a.rangeLength - b.rangeLength,
          );
          const edits = reported.map((each) => ({
            start: each.rangeOffset,
            end: each.rangeOffset + each.rangeLength,
            newText: each.text,
          }));
          assert.equal(applyEdits(edits, before), applyEdits(sorted, before));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("finds and changes lines as the whole text has them", () => {
    const text = fc
      .array(fc.constantFrom("a", "\n", "\r\n", "\u{1f600}"), { maxLength: 80 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.nat(80), fc.nat(10), text, (before, from, length, newText) => {
        const start = Math.min(from, before.length);
        const edits = [{ start, end: Math.min(start + length, before.length), newText }];
        const after = applyEdits(edits, before);
        const lines = indexedText(before).edited(edits);
        assert.equal(lines.slice(0, lines.length), after);
        const at = Math.min(from + newText.length, after.length);
        const above = after.slice(0, at).split("\n");
        assert.deepEqual(lines.positionOf(at), {
          line: above.length - 1,
          character: above.at(-1)?.length,
        });
      }),
    );
  });
});
