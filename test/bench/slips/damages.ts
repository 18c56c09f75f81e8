import type { LineDifference, LineRange } from "../../../src/edits/text/lineDiff.ts";
import type { MessageEnd } from "../../../src/turns/streamRegistry.ts";
import { lineComment } from "./lineComment.ts";
import type { SlipCommit } from "./slipCommit.ts";
import { type SlipBlock, writeMessage } from "./slipMessage.ts";
import { editBoth, editChanged, fileText, type SlippedText } from "./slippedText.ts";

/** A damaged commit: what the model was shown, what the engine meets, and what the model writes. */
export interface Damaged extends SlippedText {
  readonly shown: string;
  readonly messages: readonly { readonly text: string; readonly end: MessageEnd["reason"] }[];
  /**
   * The undamaged block of each block of a single message, and all of them as they belong; null
   * where the file or messages differ.
   */
  readonly clean: {
    readonly written: readonly SlipBlock[];
    readonly all: readonly SlipBlock[];
  } | null;
  /**
   * False where no engine can do all that the message says: the best is `meant`, and a word about
   * the rest.
   */
  readonly attainable: boolean;
}

/** A seeded whole number from 0 to below its argument. */
export type Random = (below: number) => number;

/** Damages a commit in one format; null where the damage does not apply. */
export type Damage = (
  commit: SlipCommit,
  blocks: readonly SlipBlock[],
  random: Random,
) => Damaged | null;

/** Every damage by the name of its row. */
export const DAMAGES: readonly (readonly [string, Damage])[] = [
  ["none", (commit, blocks) => slipped(commit, blocks, blocks)],
  ["element twice, the copy above", (commit, blocks) => shownTwice(commit, blocks, "above")],
  ["element twice, the copy below", (commit, blocks) => shownTwice(commit, blocks, "below")],
  ["copy inserted above since shown", (commit, blocks) => copiedSince(commit, blocks, "above")],
  ["copy inserted below since shown", (commit, blocks) => copiedSince(commit, blocks, "below")],
  ["user changed the very line", userChangedLine],
  ["user changed a line beside it", userChangedBeside],
  ["line numbers off by one", (commit, blocks, random) => offByOne(commit, blocks, random, "both")],
  ["last line off by one", (commit, blocks, random) => offByOne(commit, blocks, random, "last")],
  ["typo in a copied line", typo],
  ["cut off at 60 %", (commit, blocks) => cutOff(commit, blocks, false)],
  ["cut off, the rest in a second message", (commit, blocks) => cutOff(commit, blocks, true)],
  ["middle elided", elided],
  ["indentation lost", (commit, blocks) => rewritten(commit, blocks, dedented)],
  [
    "trailing blanks",
    (commit, blocks) =>
      rewritten(commit, blocks, (body) =>
        body.map((line) => (/\S$/.test(line) ? `${line} ` : line)),
      ),
  ],
  [
    "tabs as spaces",
    (commit, blocks) => (usesTabs(commit) ? rewritten(commit, blocks, withoutTabs) : null),
  ],
  ["file shifted by 3 lines since shown", shiftedSince],
  [
    "blocks out of order",
    (commit, blocks) => (blocks.length < 2 ? null : outOfOrder(commit, blocks)),
  ],
  ["path without its number", withoutNumber],
];

/** Rows that no engine can tell from an intended change. */
export const UNAVOIDABLE: ReadonlySet<string> = new Set(["typo in a copied line"]);

/** The file or the numbers changed, the blocks did not. */
function asWritten(
  commit: SlipCommit,
  blocks: readonly SlipBlock[],
  texts: Partial<Damaged> = {},
): Damaged {
  const { before, after, lang } = commit.pair;
  const { text } = writeMessage(blocks, lang);
  return {
    shown: before,
    file: before,
    meant: after,
    attainable: true,
    clean: null,
    messages: [{ text, end: "stop" }],
    ...texts,
  };
}

function same(blocks: readonly SlipBlock[]): Damaged["clean"] {
  return { written: blocks, all: blocks };
}

/** Damaged blocks in the order of the undamaged ones. */
function slipped(
  commit: SlipCommit,
  damaged: readonly SlipBlock[],
  blocks: readonly SlipBlock[],
): Damaged {
  return asWritten(commit, damaged, { clean: same(blocks) });
}

function rewritten(
  commit: SlipCommit,
  blocks: readonly SlipBlock[],
  rewrite: (body: readonly string[]) => readonly string[],
): Damaged | null {
  if (commit.hunks.some((hunk) => changesOnlyBlanks(commit, hunk))) return null;
  const changed = blocks.map((block) => ({ ...block, body: rewrite(block.body) }));
  const isSame = changed.every(
    ({ body }, index) => body.join("\n") === blocks[index]?.body.join("\n"),
  );
  return isSame ? null : slipped(commit, changed, blocks);
}

/** True for a change of white space alone, which a slip undoes without a trace. */
function changesOnlyBlanks(
  { old, now }: SlipCommit,
  { beforeLines, afterLines }: LineDifference,
): boolean {
  const squeezed = (lines: readonly string[], { start, end }: LineRange) =>
    lines.slice(start, end).join("").replaceAll(/\s+/g, "");
  const before = squeezed(old, beforeLines);
  return before !== "" && before === squeezed(now, afterLines);
}

/** The changed element a second time, with a blank line between the two. */
function copied(
  commit: SlipCommit,
  where: "above" | "below",
): (SlippedText & { readonly at: number; readonly count: number }) | null {
  const { changed, old, pair } = commit;
  if (!changed) return null;
  const own = old.slice(changed.startLine - 1, changed.endLine);
  if (pair.lang === "json" && !own.at(-1)?.endsWith(",")) return null;
  const lines = where === "above" ? [...own, ""] : ["", ...own];
  const at = where === "above" ? changed.commentLine - 1 : changed.endLine;
  const texts = editBoth(commit, at, 0, lines);
  return texts && { ...texts, at, count: lines.length };
}

/** The model saw both, and names neither by its number. */
function shownTwice(
  commit: SlipCommit,
  blocks: readonly SlipBlock[],
  where: "above" | "below",
): Damaged | null {
  const texts = copied(commit, where);
  if (!texts || blocks.some(({ path }) => path !== null && /#\d/.test(path))) return null;
  const { at, count, file, meant } = texts;
  // A model that saw the copy would not leave it out of an element that holds both.
  const holdsCopy = ({ path, lines }: SlipBlock) => {
    if (lines) return lines.start <= at && at < lines.end;
    const named = path === null ? null : commit.named.get(path);
    return named && named.first <= at && at < named.last;
  };
  if (blocks.some(holdsCopy)) return null;
  const moved = (line: number) => (line > at ? line + count : line);
  const shifted = blocks.map((block) =>
    block.lines
      ? { ...block, lines: { start: moved(block.lines.start), end: moved(block.lines.end) } }
      : block,
  );
  return asWritten(commit, shifted, { shown: file, file, meant, clean: same(shifted) });
}

function copiedSince(
  commit: SlipCommit,
  blocks: readonly SlipBlock[],
  where: "above" | "below",
): Damaged | null {
  const texts = copied(commit, where);
  // A number that only counts what an earlier block inserted says nothing about the copy.
  if (blocks.some(({ path }) => path !== null && /#\d/.test(path) && !commit.named.has(path)))
    return null;
  return texts && asWritten(commit, blocks, { file: texts.file, meant: texts.meant });
}

/** A line with a word of it changed; null for one without a word. */
function otherLine(line: string): string | null {
  const changed = line.replace(/[A-Za-z]{2,}/, "$&Q");
  return changed === line ? null : changed;
}

/** An old line of a hunk, else the line above an insertion. */
function userChangedLine(
  commit: SlipCommit,
  blocks: readonly SlipBlock[],
  random: Random,
): Damaged | null {
  const { hunks, old } = commit;
  const lines = hunks.flatMap((hunk) => {
    const { start, end } = hunk.beforeLines;
    return Array.from({ length: end - start }, (_, index) => ({ hunk, at: start + index }));
  });
  const worded = lines.filter(({ at }) => otherLine(old[at] ?? "") !== null);
  const found = worded[random(Math.max(1, worded.length))];
  if (found) {
    const { hunk, at } = found;
    return asWritten(commit, blocks, {
      ...editChanged(commit, hunk, at, otherLine(old[at] ?? "") ?? ""),
      attainable: false,
      clean: same(blocks),
    });
  }
  const at = (hunks[0]?.beforeLines.start ?? 0) - 1;
  const line = otherLine(old[at] ?? "");
  const texts = line === null ? null : editBoth(commit, at, 1, [line]);
  return texts && asWritten(commit, blocks, { ...texts, clean: same(blocks) });
}

/** Another line of the changed element. */
function userChangedBeside(
  commit: SlipCommit,
  blocks: readonly SlipBlock[],
  random: Random,
): Damaged | null {
  const { changed, hunks, old } = commit;
  if (!changed) return null;
  const isNear = (at: number) =>
    hunks.some(({ beforeLines: { start, end } }) => at >= start - 1 && at <= end);
  const lines = old.flatMap((text, at) => {
    const line =
      at + 1 >= changed.startLine && at < changed.endLine && !isNear(at) ? otherLine(text) : null;
    return line === null ? [] : [{ at, line }];
  });
  const found = lines[random(Math.max(1, lines.length))];
  const texts = found ? editBoth(commit, found.at, 1, [found.line]) : null;
  return texts && asWritten(commit, blocks, { ...texts, clean: same(blocks) });
}

function offByOne(
  commit: SlipCommit,
  blocks: readonly SlipBlock[],
  random: Random,
  which: "both" | "last",
): Damaged | null {
  const step = random(2) === 0 ? 1 : -1;
  const moved = (by: number) =>
    blocks.map((block) => {
      const { lines, op } = block;
      if (!lines || (which === "last" && op !== "replace" && op !== "remove")) return block;
      return {
        ...block,
        lines: { start: which === "both" ? lines.start + by : lines.start, end: lines.end + by },
      };
    });
  const isAddress = ({ lines }: SlipBlock) =>
    !lines || (lines.start >= 1 && lines.start <= lines.end && lines.end <= commit.old.length);
  const damaged = [moved(step), moved(-step)].find(
    (some) => some.every(isAddress) && some.some((block, index) => block !== blocks[index]),
  );
  return damaged ? slipped(commit, damaged, blocks) : null;
}

/** One letter of a line that the body has in common with the file. */
function typo(commit: SlipCommit, blocks: readonly SlipBlock[], random: Random): Damaged | null {
  const known = new Set(commit.old);
  const kept = new Set(commit.now);
  const lines = blocks.flatMap(({ body }, block) =>
    body.flatMap((line, at) =>
      known.has(line) && kept.has(line) && /[a-z]{4}/.test(line) ? [{ block, at, line }] : [],
    ),
  );
  const found = lines[random(Math.max(1, lines.length))];
  if (!found) return null;
  const slip = found.line.replace(
    /([a-z])([a-z])([a-z]{2})/,
    (_, first: string, second: string, rest: string) =>
      first === second ? `${first}${rest}` : `${second}${first}${rest}`,
  );
  const damaged = blocks.map((block, index) =>
    index === found.block ? { ...block, body: block.body.toSpliced(found.at, 1, slip) } : block,
  );
  return slipped(commit, damaged, blocks);
}

function cutOff(commit: SlipCommit, blocks: readonly SlipBlock[], goesOn: boolean): Damaged | null {
  const { lang } = commit.pair;
  const { text, blockEnds } = writeMessage(blocks, lang);
  const at = Math.floor(text.length * 0.6);
  const rest = blocks.filter((_, index) => (blockEnds[index] ?? 0) > at);
  if (rest.length === 0) return null;
  const second = goesOn ? [{ text: writeMessage(rest, lang).text, end: "stop" as const }] : [];
  return asWritten(commit, blocks, {
    messages: [{ text: text.slice(0, at), end: "length" }, ...second],
  });
}

/** A comment in place of the middle of the longest body. */
function elided(commit: SlipCommit, blocks: readonly SlipBlock[]): Damaged | null {
  const longest = blocks.reduce<SlipBlock | null>(
    (most, block) => (block.body.length > (most?.body.length ?? 0) ? block : most),
    null,
  );
  if (!longest || longest.body.length < 8) return null;
  const { body } = longest;
  const count = body.length - 6;
  const indent = /^\s*/.exec(body[3] ?? "")?.[0] ?? "";
  const marker = indent + lineComment(commit.pair.lang, "... rest of the code unchanged ...");
  const short = { ...longest, body: body.toSpliced(3, count, marker) };
  const damaged = blocks.map((block) => (block === longest ? short : block));
  return slipped(commit, damaged, blocks);
}

function dedented(body: readonly string[]): readonly string[] {
  const filled = body.filter((line) => line.trim() !== "");
  const indents = filled.map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  const common = indents.reduce(
    (least, indent) => (indent.length < least.length ? indent : least),
    indents[0] ?? "",
  );
  return filled.every((line) => line.startsWith(common))
    ? body.map((line) => (line.trim() === "" ? line : line.slice(common.length)))
    : body;
}

/** True where tabs indent at least a tenth of the file's lines; elsewhere the spaces are right. */
function usesTabs({ old }: SlipCommit): boolean {
  return (
    old.filter((line) => line.startsWith("\t")).length * 10 >
    old.filter((line) => /^[ \t]/.test(line)).length
  );
}

function withoutTabs(body: readonly string[]): readonly string[] {
  return body.map((line) => line.replace(/^\t+/, (tabs) => "    ".repeat(tabs.length)));
}

/** Three lines of comment at a blank line above the change, else at the top. */
function shiftedSince(commit: SlipCommit, blocks: readonly SlipBlock[]): Damaged | null {
  const { hunks, old, pair } = commit;
  const first = hunks[0]?.beforeLines.start ?? 0;
  const blank = old.findIndex((line, at) => line.trim() === "" && at > 0 && at + 2 < first);
  const top = /^(#!|<\?|---|<!)/.test(old[0] ?? "") ? 1 : 0;
  const lines = [1, 2].map((count) => lineComment(pair.lang, `Note ${count} of the user`));
  if (blank < 0 && first <= top) return null;
  const texts =
    blank > 0
      ? editBoth(commit, blank, 0, [...lines, ""])
      : editBoth(commit, top, 0, [...lines, ""]);
  return texts && asWritten(commit, blocks, { ...texts, shown: fileText(commit, old) });
}

function withoutNumber(commit: SlipCommit, blocks: readonly SlipBlock[]): Damaged | null {
  const bare = blocks.map((block) =>
    block.path === null ? block : { ...block, path: block.path.replaceAll(/#\d+/g, "") },
  );
  return bare.some(({ path }, index) => path !== blocks[index]?.path)
    ? slipped(commit, bare, blocks)
    : null;
}

function outOfOrder(commit: SlipCommit, blocks: readonly SlipBlock[]): Damaged {
  const written = blocks.toReversed();
  return asWritten(commit, written, { clean: { written, all: blocks } });
}
