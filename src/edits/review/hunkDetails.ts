import { splitLines, type TextLine } from "../../base/text/lines.ts";
import type { LineRange } from "../text/lineDiff.ts";
import type { Hunk } from "./reviewPlan.ts";

/** Pairs of lines that are compared within one hunk: some milliseconds of work. */
const MAX_COMPARED = 250_000;

/** Whitespace at one end of a line, before and after. */
export interface BlankChange {
  readonly before: string;
  readonly after: string;
}

/** A line with other whitespace around its text; its 0-based number on both sides. */
export interface WhitespaceChange {
  readonly real: number;
  readonly proposed: number;
  readonly leading: BlankChange | null;
  readonly trailing: BlankChange | null;
}

/** The changes of a hunk that VS Code's diff may not show. */
export interface HunkDetail {
  /** False when one of its lines is on one side only: then every diff shows the hunk. */
  readonly maybeHidden: boolean;
  /** `whitespace` and `final-newline` where nothing else changes. */
  readonly kind: "lines" | "whitespace" | "final-newline";
  readonly whitespace: readonly WhitespaceChange[];
  readonly finalNewline: "added" | "removed" | null;
  /** The removed lines that no added line keeps. */
  readonly removed: readonly string[];
}

/** The hunks of a review, and the texts that they are between. */
export interface HunkTexts {
  readonly realText: string;
  readonly proposedText: string;
  hunks(): readonly Hunk[];
}

const known = new WeakMap<readonly Hunk[], ReadonlyMap<string, HunkDetail>>();

/**
 * The details of a review's hunks, by hunk id. Diffs of VS Code match lines without the whitespace
 * around them, unless the user turned that off, and line up repeated lines in their own way. So
 * only a line that one side lacks altogether is certainly shown.
 */
export function hunkDetails(review: HunkTexts): ReadonlyMap<string, HunkDetail> {
  const hunks = review.hunks();
  const found = known.get(hunks);
  if (found) return found;
  const real = splitLines(review.realText);
  const proposed = splitLines(review.proposedText);
  const trimmed = { real: trimmedSet(real), proposed: trimmedSet(proposed) };
  const details = new Map(hunks.map((hunk) => [hunk.id, detailOf(hunk, real, proposed, trimmed)]));
  known.set(hunks, details);
  return details;
}

function detailOf(
  hunk: Hunk,
  realLines: readonly TextLine[],
  proposedLines: readonly TextLine[],
  trimmed: { readonly real: ReadonlySet<string>; readonly proposed: ReadonlySet<string> },
): HunkDetail {
  const real = textsOf(realLines, hunk.real);
  const proposed = textsOf(proposedLines, hunk.proposed);
  const pairs = keptLines(real, proposed);
  const whitespace = pairs.flatMap(([at, to]) => {
    const change = whitespaceChange(real[at] ?? "", proposed[to] ?? "");
    return change
      ? [{ real: hunk.real.start + at, proposed: hunk.proposed.start + to, ...change }]
      : [];
  });
  const keptReal = new Set(pairs.map(([at]) => at));
  const keptProposed = new Set(pairs.map(([, to]) => to));
  const removed = real.filter((_line, at) => !keptReal.has(at));
  const added = proposed.filter((_line, to) => !keptProposed.has(to));
  const isShown =
    removed.some((line) => !trimmed.proposed.has(line.trim())) ||
    added.some((line) => !trimmed.real.has(line.trim()));
  const finalNewline = finalNewlineOf(hunk, realLines, proposedLines);
  const keepsLines = removed.length === 0 && added.length === 0;
  const kind = !keepsLines ? "lines" : whitespace.length > 0 ? "whitespace" : "final-newline";
  return { maybeHidden: !isShown, kind, whitespace, finalNewline, removed };
}

/**
 * Which of the lines are the same but for the whitespace around them, in order: as many as
 * possible, or those at the ends of long hunks.
 */
function keptLines(
  realLines: readonly string[],
  proposedLines: readonly string[],
): readonly (readonly [number, number])[] {
  const real = realLines.map((line) => line.trim());
  const proposed = proposedLines.map((line) => line.trim());
  let head = 0;
  while (head < real.length && head < proposed.length && real[head] === proposed[head]) head++;
  const room = Math.min(real.length, proposed.length) - head;
  let tail = 0;
  while (tail < room && real.at(-1 - tail) === proposed.at(-1 - tail)) tail++;
  const [rows, columns] = [real.length - tail, proposed.length - tail];
  const pairs: [number, number][] = Array.from({ length: head }, (_, at) => [at, at]);
  if ((rows - head) * (columns - head) <= MAX_COMPARED)
    pairs.push(...longestCommon(real.slice(head, rows), proposed.slice(head, columns), head));
  for (let at = 0; at < tail; at++) pairs.push([rows + at, columns + at]);
  return pairs;
}

/** The longest common subsequence, as pairs of indexes counted from `from`. */
function longestCommon(
  a: readonly string[],
  b: readonly string[],
  from: number,
): [number, number][] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const lengthAt = (at: number, to: number) => lengths[at * width + to] ?? 0;
  for (let at = a.length - 1; at >= 0; at--) {
    for (let to = b.length - 1; to >= 0; to--) {
      const found =
        a[at] === b[to]
          ? lengthAt(at + 1, to + 1) + 1
          : Math.max(lengthAt(at + 1, to), lengthAt(at, to + 1));
      lengths[at * width + to] = found;
    }
  }
  const pairs: [number, number][] = [];
  for (let at = 0, to = 0; at < a.length && to < b.length; ) {
    if (a[at] === b[to]) pairs.push([from + at++, from + to++]);
    else if (lengthAt(at + 1, to) >= lengthAt(at, to + 1)) at++;
    else to++;
  }
  return pairs;
}

function whitespaceChange(
  before: string,
  after: string,
): Pick<WhitespaceChange, "leading" | "trailing"> | null {
  if (before === after) return null;
  const [old, now] = [endsOf(before), endsOf(after)];
  return {
    leading: old.leading === now.leading ? null : { before: old.leading, after: now.leading },
    trailing: old.trailing === now.trailing ? null : { before: old.trailing, after: now.trailing },
  };
}

function endsOf(line: string): { readonly leading: string; readonly trailing: string } {
  const kept = line.trimStart();
  return {
    leading: kept === "" ? "" : line.slice(0, line.length - kept.length),
    trailing: line.slice(line.trimEnd().length),
  };
}

function finalNewlineOf(
  { real, proposed }: Hunk,
  before: readonly TextLine[],
  after: readonly TextLine[],
): HunkDetail["finalNewline"] {
  if (real.start === real.end || proposed.start === proposed.end) return null;
  const [old, now] = [isUnterminated(real, before), isUnterminated(proposed, after)];
  if (old === now) return null;
  return old
    ? endsText(proposed, after)
      ? "added"
      : null
    : endsText(real, before)
      ? "removed"
      : null;
}

function isUnterminated({ end }: LineRange, lines: readonly TextLine[]): boolean {
  return lines[end - 1]?.eol === "";
}

/** True when nothing follows the lines but the newline of the last one. */
function endsText({ end }: LineRange, lines: readonly TextLine[]): boolean {
  return end === lines.length - 1 && lines[end]?.text === "";
}

function textsOf(lines: readonly TextLine[], { start, end }: LineRange): string[] {
  return lines.slice(start, end).map(({ text }) => text);
}

function trimmedSet(lines: readonly TextLine[]): ReadonlySet<string> {
  return new Set(lines.map(({ text }) => text.trim()));
}
