import { ok } from "../../base/result.ts";
import {
  lineBreakNear,
  lineEnd,
  lineStart,
  nextLine,
  type OffsetRange,
  previousLineEnd,
} from "../../base/text/scan.ts";
import type { PlacedBody } from "../block.ts";
import { applyEdits, countChangedLines, type TextEdit } from "../text/changeSet.ts";
import { type FileLines, fileLines, neighborsOf } from "../text/fileLines.ts";
import type { EditedFile } from "./editedFile.ts";
import type { Draft, Placement, WholeEffect } from "./placer.ts";
import { independentEffect } from "./wholeEffect.ts";

const BREAKS = /\r\n|\n|\r/;

/** The whole lines that an edit is in, and what it makes of them. */
interface EditedLines extends OffsetRange, Pick<PlacedBody, "body" | "old"> {
  /** True where the edit empties them, so that they go. */
  readonly isDeletion: boolean;
  /** How many lines at the beginning are not judged: the file itself indents them. */
  readonly skipped: number;
}

/** Edits of a text, one a block, none of which overlap; each is read as a change of whole lines. */
export class PatchPlacer implements Draft {
  private readonly file: EditedFile;
  private readonly lines: FileLines;
  private readonly edits = new Map<string, TextEdit>();

  constructor(file: EditedFile) {
    this.file = file;
    this.lines = fileLines(file.text);
  }

  text(): string {
    return this.textWith([...this.edits.keys()]);
  }

  ranges(): ReadonlyMap<string, OffsetRange> {
    const text = this.text();
    let shift = 0;
    const placed = [...this.edits].sort(([, a], [, b]) => a.start - b.start);
    return new Map(
      placed.map(([blockId, { start, end, newText }]) => {
        const from = start + shift;
        shift += newText.length - (end - start);
        return [blockId, wholeLines(text, from, from + newText.length)];
      }),
    );
  }

  finish(): WholeEffect {
    // The searched text proves which lines are meant.
    const changes = new Map([...this.edits.keys()].map((blockId) => [blockId, { into: null }]));
    return independentEffect(this.file.document, changes, this.ranges(), (blocks) =>
      this.textWith(blocks),
    );
  }

  /** The place of an edit. One that empties lines deletes them, as an empty block does. */
  place(blockId: string, edit: TextEdit): Placement {
    const { text } = this.file;
    const { start, end, body, old, isDeletion, skipped } = editedLines(text, edit);
    const line = this.lines.starts.indexOf(start);
    const neighbors = neighborsOf(this.lines, line, line + old.length);
    const made = (lines: readonly string[]): TextEdit => {
      if (isDeletion) return { ...deletedLines(text, start, end), newText: "" };
      if (lines.every((each, at) => each === body[at + skipped])) return edit;
      const eol = lineBreakNear(text, start, this.lines.eol);
      return { start, end, newText: [...body.slice(0, skipped), ...lines].join(eol) };
    };
    return {
      growing: null,
      oldText: text.slice(edit.start, edit.end),
      neighbors: {
        ...neighbors,
        textsAbove: skipped > 0 ? old.slice(0, 1) : neighbors.textsAbove,
        standingAbove: "",
      },
      lines: { body: body.slice(skipped), old: old.slice(skipped) },
      close: ({ lines }) => {
        const own = made(lines);
        this.edits.set(blockId, own);
        return ok(countChangedLines(text, applyEdits([own], text)));
      },
    };
  }

  private textWith(blocks: readonly string[]): string {
    const edits = [...this.edits].flatMap(([id, edit]) => (blocks.includes(id) ? [edit] : []));
    return applyEdits(
      edits.sort((a, b) => a.start - b.start),
      this.file.text,
    );
  }
}

/** True where another edit is in the same lines, so that one of them cannot be read as a whole. */
export function sharesLines(text: string, edit: TextEdit, edits: readonly TextEdit[]): boolean {
  const { start, end } = editedLines(text, edit);
  return edits.some((other) => other !== edit && other.start < end && start < other.end);
}

function editedLines(text: string, { start, end: stop, newText }: TextEdit): EditedLines {
  const endsLines =
    /[\r\n]$/.test(text.slice(start, stop)) && (newText === "" || /[\r\n]$/.test(newText));
  const end = endsLines ? Math.max(start, previousLineEnd(text, stop)) : stop;
  const lines = { start: lineStart(text, start), end: lineEnd(text, end) };
  const [before, after] = [text.slice(lines.start, start), text.slice(end, lines.end)];
  const old = text.slice(lines.start, lines.end).split(BREAKS);
  if (newText === "" && `${before}${after}`.trim() === "")
    return { ...lines, old, body: [], isDeletion: true, skipped: 0 };
  const written = endsLines ? newText.replace(/(?:\r\n|\n|\r)$/, "") : newText;
  const body = (before + written + after).split(BREAKS);
  // The file itself indents a first line that the search text begins within.
  const skipped = before !== "" && before.trim() === "" && body.length > 1 ? 1 : 0;
  return { ...lines, old, body, isDeletion: false, skipped };
}

function deletedLines(text: string, first: number, last: number): OffsetRange {
  const next = nextLine(text, last);
  return next > last
    ? { start: first, end: next }
    : { start: previousLineEnd(text, first), end: last };
}

/** A range extended to whole lines, as a review divides a text. */
function wholeLines(text: string, start: number, end: number): OffsetRange {
  const first = text.lastIndexOf("\n", start - 1) + 1;
  if (start === end && start === first) return { start, end };
  const last = text.indexOf("\n", Math.max(start, end - 1));
  return { start: start === 0 ? 0 : first, end: last < 0 ? text.length : last + 1 };
}
