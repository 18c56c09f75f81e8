import { dominantEol, splitLines } from "../../../src/base/text/lines.ts";
import { fileLines } from "../../../src/edits/text/fileLines.ts";
import { lineDiff } from "../../../src/edits/text/lineDiff.ts";

/**
 * What no block can say: a block's body has lines, and the file keeps its byte order mark, its line
 * breaks and its last one.
 */
export type Unsayable = "byte order mark" | "line ends" | "final line break";

/** What of a change from `before` to `after` is none of its lines, or null. */
export function unsayable(before: string, after: string): Unsayable | null {
  if (before.startsWith("\uFEFF") !== after.startsWith("\uFEFF")) return "byte order mark";
  const [old, now] = [before, after].map((text) => splitLines(text.replace(/^\uFEFF/, "")));
  if (!old || !now) return null;
  const kinds = new Set([...old, ...now].flatMap(({ eol }) => (eol === "" ? [] : [eol])));
  if (kinds.size > 1) return "line ends";
  const isEmpty = (lines: typeof old): boolean => lines.length === 1 && lines[0]?.text === "";
  const isTerminated = (lines: typeof old): boolean => lines.at(-1)?.text === "";
  if (!isEmpty(old) && !isEmpty(now) && isTerminated(old) !== isTerminated(now))
    return "final line break";
  if (isEmpty(old) && !isTerminated(now)) return "final line break";
  return isEmpty(old) && (dominantEol(now) ?? "\n") !== "\n" ? "line ends" : null;
}

/**
 * An answer with the change as line-mode blocks: one a hunk, from the diff of the lines; every
 * second deletion says so by `remove`.
 */
export function encodeLines(
  before: string,
  after: string,
  lang: string,
): { readonly message: string; readonly blocks: number } {
  const [old = [], now = []] = [before, after].map((text) =>
    fileLines(text.replace(/^\uFEFF/, "")).lines.map((line) => line.text),
  );
  const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
  const parts = ["I'll make the change in these blocks.\n"];
  const hunks = lineDiff(text(old), text(now));
  for (const [index, { beforeLines, afterLines }] of hunks.entries()) {
    const body = now.slice(afterLines.start, afterLines.end);
    const removes = body.length === 0 && index % 2 === 0;
    const fence = fenceFor(body);
    parts.push(
      `\nChange ${index + 1}:\n\n${fence}${lang}:${addressOf(beforeLines)}${removes ? ":remove" : ""}\n${text(body)}${fence}\n`,
    );
  }
  return { message: `${parts.join("")}\nThat is all.\n`, blocks: hunks.length };
}

function addressOf({ start, end }: { readonly start: number; readonly end: number }): string {
  if (start < end) return `${start + 1}:${end}`;
  return start === 0 ? "1:1:before" : `${start}:${start}:after`;
}

/** A fence that no line of the body can close. */
function fenceFor(body: readonly string[]): string {
  const runs = body.map((line) => /^ {0,3}(`{3,})/.exec(line)?.[1]?.length ?? 0);
  return "`".repeat(Math.max(2, ...runs) + 1);
}
