import { type OffsetRange, skipSpaceBack } from "../../base/text/scan.ts";
import type { Element } from "../paths/element.ts";

function outsideOf(definitions: readonly Element[], ranges: readonly OffsetRange[]): Element[] {
  let next = 0;
  let end = -1;
  return definitions.filter((definition) => {
    for (let range = ranges[next]; range && range.start <= definition.start; range = ranges[++next])
      end = Math.max(end, range.end);
    return definition.start >= end;
  });
}

/**
 * Extends each heading to its section: up to the next heading of its level or above, without
 * trailing blank lines. Drops headings inside `locals` (quotes, lists). Both lists are in source
 * order.
 */
export function extendSections(
  definitions: readonly Element[],
  locals: readonly OffsetRange[],
  text: string,
): readonly Element[] {
  if (!definitions.some(({ level }) => level > 0)) return definitions;
  const headings = outsideOf(
    definitions.filter(({ level }) => level > 0),
    locals,
  );
  const ends = new Map<Element, number>();
  const open: Element[] = [];
  for (const heading of headings) {
    for (let last = open.at(-1); last && last.level >= heading.level; last = open.at(-1)) {
      ends.set(last, heading.start);
      open.pop();
    }
    open.push(heading);
  }
  return [
    ...definitions.filter(({ level }) => level === 0),
    ...headings.map((heading) => ({
      ...heading,
      end: skipSpaceBack(text, ends.get(heading) ?? text.length),
    })),
  ].sort((a, b) => a.start - b.start || b.end - a.end);
}
