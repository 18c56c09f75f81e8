import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { applyMessage } from "../../../src/edits/propose/applyMessage.ts";
import type { LineDifference } from "../../../src/edits/text/lineDiff.ts";
import type { FileSnapshot } from "../../../src/ports/workspace.ts";
import type { Syntax } from "../../../src/syntax/syntax.ts";
import { blockText, type EncodedBlock } from "./blockText.ts";
import { encodeCommit } from "./encodeCommit.ts";
import { searchReplaceText, unifiedDiffText, wholeFileText } from "./formats.ts";

/** A file before and after a commit. */
export interface CommitPair {
  readonly lang: string;
  readonly repo: string;
  readonly commit: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Output tokens (o200k) of one change in each way to write it, without prose. */
export interface FormatTokens {
  readonly blocks: number;
  readonly searchReplace: number;
  readonly unifiedDiff: number;
  readonly wholeFile: number;
}

/**
 * What became of a commit: it has no encoding, or the engine gave a wrong file, or it gave the
 * committed one.
 */
export type Measured =
  | {
      readonly status: "no-encoding";
      readonly reason: string;
      readonly hunk: LineDifference | null;
    }
  | {
      readonly status: "inexact";
      readonly message: string;
      readonly text: string;
      readonly report: string;
    }
  | {
      readonly status: "exact";
      readonly message: string;
      readonly blocks: readonly EncodedBlock[];
      readonly tokens: FormatTokens;
    };

const OPENING = "I'll make the change in these blocks.\n\n";
const CLOSING = "\nThat is all; nothing else in the file changes.\n";

/** The tokens of a text (o200k). */
export function tokenCount(text: string): number {
  return encode(text, { disallowedSpecial: new Set() }).length;
}

function snapshotOf({ path, before }: CommitPair): FileSnapshot {
  return {
    file: { path, uri: `file:///${path}` },
    exists: true,
    text: before,
    version: 1,
    languageId: "",
  };
}

/**
 * Encodes a commit, has the engine apply the whole answer to the file before, and compares with the
 * file after.
 */
export async function measureCommit(
  pair: CommitPair,
  syntax: Syntax,
  signal: AbortSignal,
): Promise<Measured> {
  const { before, after, path, lang } = pair;
  const bom = before.startsWith("\uFEFF") ? "\uFEFF" : "";
  const document = await syntax.openFile(path, "", before.slice(bom.length), signal);
  if (!document) return { status: "no-encoding", reason: "no outline", hunk: null };
  if (!after.startsWith(bom))
    return { status: "no-encoding", reason: "the byte order mark changes", hunk: null };
  const encoding = encodeCommit(document, after.slice(bom.length), lang, tokenCount);
  document.dispose();
  if (!encoding.ok) return { status: "no-encoding", reason: encoding.reason, hunk: encoding.hunk };
  const written = encoding.blocks.map((block) => blockText(block, lang)).join("\n");
  const message = OPENING + written + CLOSING;
  const { text, report } = await applyMessage(
    snapshotOf(pair),
    message,
    { mode: "ast", chunk: 4096 },
    syntax,
    signal,
  );
  if (text !== after) return { status: "inexact", message, text, report };
  const tokens = {
    blocks: tokenCount(written),
    searchReplace: tokenCount(searchReplaceText(before, after, path)),
    unifiedDiff: tokenCount(unifiedDiffText(before, after, path)),
    wholeFile: tokenCount(wholeFileText(after, path)),
  };
  return { status: "exact", message, blocks: encoding.blocks, tokens };
}

/** The arithmetic mean. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
