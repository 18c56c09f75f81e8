import { lineEnd, nextLine, type OffsetRange } from "../../base/text/scan.ts";
import { changesOf, type PlacedEdit } from "../text/changeSet.ts";

/**
 * Where each block's text is after an edit that a block made, which led to `text`; `ranges` are
 * those before.
 */
export function trackEdit(
  ranges: ReadonlyMap<string, OffsetRange>,
  blockId: string,
  edit: PlacedEdit,
  text: string,
): ReadonlyMap<string, OffsetRange> {
  const before = text.length - edit.newText.length + (edit.end - edit.start);
  const changes = changesOf([edit], before);
  // Lines that follow others begin with the line break that those end with.
  const added = edit.start + edit.newText.length;
  const isBelow = ({ start, end }: OffsetRange) =>
    edit.start === edit.end &&
    start < edit.start &&
    end === edit.start + nextLine(text, added) - added &&
    lineEnd(text, added) === added &&
    lineEnd(text, edit.start) === edit.start;
  const moved = [...ranges].map(([id, range]) => {
    const start = changes.mapPos(
      range.start,
      range.start === edit.start && range.end >= edit.end ? -1 : 1,
    );
    const end = isBelow(range)
      ? nextLine(text, edit.start)
      : Math.max(start, changes.mapPos(range.end, range.end === edit.start ? -1 : 1));
    return [id, { start, end }] as const;
  });
  const { start, end } = edit.written;
  // With the line break: what was removed right below its last line is the block's, too.
  const endsLine = start < end && lineEnd(text, end) === end;
  return new Map([...moved, [blockId, { start, end: endsLine ? nextLine(text, end) : end }]]);
}
