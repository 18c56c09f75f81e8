import { lineEditsBetween } from "../../../src/edits/text/changeSet.ts";
import type { Proposal } from "../../../src/ports/review.ts";

const MARK = /‹[^›]*›/g;

/** A text without the marks that stand for the user's typing. */
export const unmarked = (text: string) => text.replace(MARK, "");
/** The marks in a text, in order. */
export const marksIn = (text: string): string[] => text.match(MARK) ?? [];
/** A line without marks and white space. */
export const bare = (text: string) => unmarked(text).replace(/[ \t\r]/g, "");

/**
 * What the model wants of a file: lines to replace, never side by side, so that each block is one
 * hunk.
 */
export interface Task {
  readonly base: readonly string[];
  readonly blocks: readonly {
    readonly start: number;
    readonly end: number;
    readonly lines: readonly string[];
  }[];
}

type Random = (below: number) => number;

/** A file of different lines, and what the model makes of it. */
export function newTask(random: Random): Task {
  const ends = ["", "", "  ", "  two  gaps  here", " \u{1f600}"];
  const base = Array.from(
    { length: 8 + random(8) },
    (_, i) => `old ${i};${ends[random(ends.length)]}`,
  );
  const blocks: Task["blocks"][number][] = [];
  for (let at = random(3); at < base.length - 1; at += 2 + random(4)) {
    const end = Math.min(base.length - 1, at + random(3));
    const lines = Array.from(
      { length: 1 + random(3) },
      (_, i) => `new ${blocks.length}.${i};${ends[random(ends.length)]}`,
    );
    blocks.push({ start: at, end, lines });
    at = end;
  }
  return { base, blocks };
}

/** The proposal when so many lines of the answer have arrived. */
export function proposalAt({ base, blocks }: Task, arrived: number, lineEnd: string): Proposal {
  let left = arrived;
  let text = "";
  let line = 0;
  const ranges: Proposal["blocks"][number][] = [];
  const put = (lines: readonly string[]) => {
    for (const one of lines) text += one + lineEnd;
  };
  blocks.forEach((block, index) => {
    if (left === 0) return;
    put(base.slice(line, block.start));
    const lines = block.lines.slice(0, left);
    left -= lines.length;
    const start = text.length;
    put(lines);
    ranges.push({ blockId: `b${index}`, start, end: text.length, warnings: [] });
    const whole = lines.length === block.lines.length;
    line = whole ? block.end : Math.min(block.end, block.start + lines.length);
  });
  put(base.slice(line));
  return { text, blocks: ranges };
}

/**
 * The same for a message that sees a proposal: its blocks replace their old lines there, wherever
 * those are now.
 */
export function proposalIn(seen: string, task: Task, arrived: number, lineEnd: string): Proposal {
  const lines = seen.split(lineEnd);
  let left = arrived;
  const written: { readonly blockId: string; readonly at: number; readonly count: number }[] = [];
  task.blocks.forEach((block, index) => {
    if (left === 0) return;
    const old = task.base.slice(block.start, block.end).map(bare);
    const at = lines.findIndex(
      (line, start) =>
        bare(line) === old[0] && old.every((one, i) => bare(lines[start + i] ?? "") === one),
    );
    const fresh = block.lines.slice(0, left);
    left -= fresh.length;
    if (at < 0) return;
    const gone =
      fresh.length === block.lines.length ? old.length : Math.min(old.length, fresh.length);
    lines.splice(at, gone, ...fresh);
    written.push({ blockId: `b${index}`, at, count: fresh.length });
  });
  const offset = (line: number) =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + lineEnd.length, 0);
  const blocks = written.map(({ blockId, at, count }) => ({
    blockId,
    start: offset(at),
    end: offset(at + count),
    warnings: [],
  }));
  return { text: lines.join(lineEnd), blocks };
}

/**
 * Gives what a message proposes with its blocks counted from `first`, and, unless it is `whole`,
 * with its step from the one before.
 */
export function stepping(
  whole: boolean,
  first: number,
  proposed: (lines: number) => Proposal,
): (lines: number) => Proposal {
  let before: string | null = null;
  return (lines) => {
    const { text, blocks } = proposed(lines);
    const numbered = blocks.map((block) => ({
      ...block,
      blockId: `b${first + Number(block.blockId.slice(1))}`,
    }));
    const from = before;
    before = text;
    const edits = from === null || whole ? [] : lineEditsBetween(from, text);
    const [firstEdit, last] = [edits[0], edits.at(-1)];
    if (from === null || !firstEdit || !last) return { text, blocks: numbered };
    const [start, left] = [firstEdit.start, from.length - last.end];
    const change = {
      before: from,
      start,
      oldText: from.slice(start, last.end),
      newText: text.slice(start, text.length - left),
    };
    return { text, blocks: numbered, change };
  };
}
