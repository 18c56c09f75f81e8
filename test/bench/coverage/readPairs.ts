import fs from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { splitLines } from "../../../src/base/text/lines.ts";
import { groupedBy } from "./groupedBy.ts";
import type { CommitPair } from "./measureCommit.ts";

const schema = z.object({
  lang: z.string(),
  repo: z.string(),
  commit: z.string(),
  path: z.string(),
  before: z.string(),
  after: z.string(),
});

/**
 * Reads files of JSON lines, one pair a line; `files` are separated as in PATH. Throws on a line
 * that is no pair.
 */
export function readPairs(files: string): CommitPair[] {
  return files
    .split(path.delimiter)
    .flatMap((file) => splitLines(fs.readFileSync(file, "utf8")))
    .flatMap(({ text }) => (text === "" ? [] : [schema.parse(JSON.parse(text))]));
}

/**
 * At most `most` of the pairs, as many of each repository and file extension as there are, in the
 * order they came.
 */
export function spread(pairs: readonly CommitPair[], most: number): CommitPair[] {
  const bySource = groupedBy(pairs, ({ repo, lang }) => `${repo} ${lang}`);
  const rounds = Math.max(0, ...[...bySource.values()].map(({ length }) => length));
  const mixed: CommitPair[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const group of bySource.values()) mixed.push(...group.slice(round, round + 1));
  }
  return mixed.slice(0, most);
}
