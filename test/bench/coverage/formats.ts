import { createTwoFilesPatch } from "diff";
import type { OffsetRange } from "../../../src/base/text/scan.ts";
import { type LineDifference, lineDiff } from "../../../src/edits/text/lineDiff.ts";
import { lineStartAt } from "./contractSlots.ts";

function occursOnce(text: string, part: string): boolean {
  const at = text.indexOf(part);
  return at >= 0 && text.indexOf(part, at + 1) < 0;
}

function lineAbove(text: string, start: number): number {
  return start === 0 ? 0 : lineStartAt(text, start - 1);
}

function lineBelow(text: string, end: number): number {
  const at = text.indexOf("\n", end);
  return at < 0 ? text.length : at + 1;
}

/** Where each hunk's search text is, in offsets of `before`; those that overlap are one. */
function searchWindows(before: string, hunks: readonly LineDifference[]): OffsetRange[] {
  const windows: OffsetRange[] = [];
  for (const { beforeStart, beforeEnd } of hunks) {
    let start = beforeStart;
    let end = beforeEnd;
    for (
      let above = true;
      !occursOnce(before, before.slice(start, end)) && (start > 0 || end < before.length);
      above = !above
    ) {
      if (above) start = lineAbove(before, start);
      else end = lineBelow(before, end);
    }
    let last = windows.at(-1);
    for (; last && start < last.end; last = windows.at(-1)) {
      start = Math.min(start, last.start);
      end = Math.max(end, last.end);
      windows.pop();
    }
    windows.push({ start, end });
  }
  return windows;
}

/**
 * The change as search/replace blocks, each hunk with as many whole lines around it as make its
 * search text unique in the file.
 */
export function searchReplaceText(before: string, after: string, path: string): string {
  const hunks = lineDiff(before, after);
  const behind = (offset: number) => hunks.findLast(({ beforeEnd }) => beforeEnd <= offset);
  const moved = (offset: number) => {
    const hunk = behind(offset);
    return hunk ? hunk.afterEnd + offset - hunk.beforeEnd : offset;
  };
  return searchWindows(before, hunks)
    .map(({ start, end }) => {
      // An insertion right at the window's beginning belongs to it.
      const inserted = hunks.find(
        ({ beforeStart, beforeEnd }) => beforeStart === start && beforeEnd === start,
      );
      const to = after.slice(inserted ? inserted.afterStart : moved(start), moved(end));
      return `${path}\n\`\`\`\n<<<<<<< SEARCH\n${closed(before.slice(start, end))}=======\n${closed(to)}>>>>>>> REPLACE\n\`\`\`\n`;
    })
    .join("");
}

function closed(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** The change as a unified diff with three lines of context, in a fence. */
export function unifiedDiffText(before: string, after: string, path: string): string {
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context: 3,
  });
  return `\`\`\`diff\n${patch.slice(patch.indexOf("--- "))}\`\`\`\n`;
}

/** The whole file in a fence. */
export function wholeFileText(after: string, path: string): string {
  return `${path}\n\`\`\`\n${closed(after)}\`\`\`\n`;
}
