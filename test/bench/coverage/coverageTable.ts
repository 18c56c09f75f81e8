import { quantile } from "../packed.ts";
import { type FormatTokens, type Measured, mean } from "./measureCommit.ts";

/** One language's commits. */
export interface LanguageResult {
  readonly name: string;
  readonly commits: readonly Measured[];
}

const FORMATS = [
  "blocks",
  "searchReplace",
  "unifiedDiff",
  "wholeFile",
] as const satisfies readonly (keyof FormatTokens)[];
const HEADER = [
  "language",
  "commits",
  "encoded",
  "exact",
  "blocks",
  "AST blocks",
  "search/replace",
  "unified diff",
  "whole file",
];
const WIDTHS = [14, 8, 9, 9, 8, 15, 16, 15, 15];

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}

function row(cells: readonly string[]): string {
  return cells
    .map((cell, index) =>
      index === 0 ? cell.padEnd(WIDTHS[0] ?? 0) : cell.padStart(WIDTHS[index] ?? 0),
    )
    .join("");
}

function resultRow({ name, commits }: LanguageResult): string {
  const exact = commits.flatMap((commit) => (commit.status === "exact" ? [commit] : []));
  const encoded = commits.filter(({ status }) => status !== "no-encoding").length;
  const tokens = FORMATS.map((format) => {
    const values = exact.map((commit) => commit.tokens[format]);
    return values.length === 0 ? "–" : `${Math.round(mean(values))} / ${quantile(values, 0.5)}`;
  });
  const blocks =
    exact.length === 0 ? "–" : mean(exact.map((commit) => commit.blocks.length)).toFixed(1);
  return row([
    name,
    String(commits.length),
    percent(encoded, commits.length),
    percent(exact.length, encoded),
    blocks,
    ...tokens,
  ]);
}

/** The table by language, and a last row over all of them. */
export function coverageTable(results: readonly LanguageResult[]): string {
  const all = { name: "all", commits: results.flatMap(({ commits }) => commits) };
  return [row(HEADER), ...[...results, all].map(resultRow)].join("\n");
}
