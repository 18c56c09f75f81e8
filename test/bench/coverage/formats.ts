import { createTwoFilesPatch } from "diff";
import { lineDiff } from "../../../src/edits/lineDiff.ts";
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

/** The change as search/replace blocks, each hunk with as many whole lines around it as make its search text unique in the file. */
export function searchReplaceText(before: string, after: string, path: string): string {
  let text = "";
  let last: { start: number; end: number; to: string } | null = null;
  const blocks: { start: number; end: number; to: string }[] = [];
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of lineDiff(before, after)) {
    let start = beforeStart;
    let end = beforeEnd;
    for (let above = true; !occursOnce(before, before.slice(start, end)) && (start > 0 || end < before.length); above = !above) {
      if (above) start = lineAbove(before, start);
      else end = lineBelow(before, end);
    }
    const to = before.slice(start, beforeStart) + after.slice(afterStart, afterEnd) + before.slice(beforeEnd, end);
    if (last && start < last.end) {
      const joined: string = last.to.slice(0, last.to.length - (last.end - Math.min(start, last.end))) + to;
      last = { start: last.start, end: Math.max(end, last.end), to: joined };
      blocks[blocks.length - 1] = last;
    } else {
      last = { start, end, to };
      blocks.push(last);
    }
  }
  for (const { start, end, to } of blocks) {
    text += `${path}\n\`\`\`\n<<<<<<< SEARCH\n${closed(before.slice(start, end))}=======\n${closed(to)}>>>>>>> REPLACE\n\`\`\`\n`;
  }
  return text;
}

function closed(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** The change as a unified diff with three lines of context, in a fence. */
export function unifiedDiffText(before: string, after: string, path: string): string {
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, { context: 3 });
  return `\`\`\`diff\n${patch.slice(patch.indexOf("--- "))}\`\`\`\n`;
}

/** The whole file in a fence. */
export function wholeFileText(after: string, path: string): string {
  return `${path}\n\`\`\`\n${closed(after)}\`\`\`\n`;
}
