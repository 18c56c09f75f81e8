import { dominantEol, splitLines } from "../../../src/base/text/lines.ts";
import { fileLines } from "../../../src/edits/text/fileLines.ts";
import { type LineDifference, lineDiff } from "../../../src/edits/text/lineDiff.ts";
import type { Syntax, SyntaxDocument } from "../../../src/syntax/syntax.ts";
import { encodeCommit } from "../coverage/encodeCommit.ts";
import { type CommitPair, tokenCount } from "../coverage/measureCommit.ts";
import { unsayable } from "../lines/encodeLines.ts";
import { encodeTaught, type TaughtElement } from "./encodeTaught.ts";
import { lineBlocks, withChecks } from "./lineBlocks.ts";
import type { SlipBlock } from "./slipMessage.ts";

/** The formats that are compared, as the tables name them. */
export const FORMATS = [
  "taught",
  "taught, 1 check",
  "taught, no check",
  "AST blocks",
  "line blocks",
  "lines, 1 check",
  "lines, 2 checks",
] as const;
export type Format = (typeof FORMATS)[number];

/** A commit with its change in every format that can write it. */
export interface SlipCommit {
  readonly pair: CommitPair;
  readonly eol: string;
  /** The lines of the file before, without line breaks. */
  readonly old: readonly string[];
  readonly now: readonly string[];
  readonly hunks: readonly LineDifference[];
  /** The smallest element around the first hunk that has whole lines; null where there is none. */
  readonly changed: TaughtElement | null;
  readonly messages: ReadonlyMap<Format, readonly SlipBlock[]>;
  /**
   * The 1-based lines of the elements that the blocks name, in the file before; without those that
   * only an earlier block makes.
   */
  readonly named: ReadonlyMap<string, { readonly first: number; readonly last: number }>;
}

/**
 * Encodes a commit; null where it changes what no block can say, or nothing, or the file has no
 * outline.
 */
export async function encodeSlipCommit(
  pair: CommitPair,
  syntax: Syntax,
  signal: AbortSignal,
): Promise<SlipCommit | null> {
  const { before, after, path, lang } = pair;
  if (before === after || before.startsWith("\uFEFF") || unsayable(before, after) !== null)
    return null;
  const [old, now] = [linesOf(before), linesOf(after)];
  const plain = await syntax.openFile(path, "", joined(old), signal);
  const document = await syntax.openFile(path, "", before, signal);
  if (!plain || !document) return null;
  try {
    const hunks = lineDiff(joined(old), joined(now));
    const taught = encodeTaught(plain, now, hunks);
    const lines = lineBlocks(hunks, now);
    const messages = new Map<Format, readonly SlipBlock[]>([
      ["taught", withChecks(taught.blocks, old, 2)],
      ["taught, 1 check", withChecks(taught.blocks, old, 1)],
      ["taught, no check", taught.blocks],
      ["line blocks", lines],
      ["lines, 1 check", withChecks(lines, old, 1)],
      ["lines, 2 checks", withChecks(lines, old, 2)],
    ]);
    const ast = encodeCommit(document, after, lang, tokenCount);
    if (ast.ok) messages.set("AST blocks", ast.blocks.map(astBlock));
    const paths = new Set([...messages.values()].flat().flatMap(({ path }) => path ?? []));
    const named = new Map([...paths].flatMap((path) => linesOfElement(plain, path) ?? []));
    const eol = dominantEol(splitLines(before)) ?? "\n";
    return { pair, eol, old, now, hunks, changed: taught.around[0] ?? null, messages, named };
  } finally {
    plain.dispose();
    document.dispose();
  }
}

function linesOfElement(
  document: SyntaxDocument,
  path: string,
): [string, { first: number; last: number }][] | null {
  const found = document.resolve(path);
  if (!found.ok || !`-${found.value.path}`.endsWith(`-${path}`)) return null;
  const line = (offset: number) => document.text.slice(0, offset).split("\n").length;
  return [[path, { first: line(found.value.range.start), last: line(found.value.range.end) }]];
}

function astBlock({
  path,
  op,
  body,
}: {
  readonly path: string;
  readonly op: SlipBlock["op"];
  readonly body: string;
}): SlipBlock {
  return {
    path,
    lines: null,
    op,
    checks: [],
    body: body === "" ? [] : body.replaceAll("\r\n", "\n").split("\n"),
  };
}

function linesOf(text: string): string[] {
  return fileLines(text).lines.map((line) => line.text);
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
