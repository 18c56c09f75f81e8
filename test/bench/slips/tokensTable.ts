import { searchReplaceText, unifiedDiffText, wholeFileText } from "../coverage/formats.ts";
import { groupedBy } from "../coverage/groupedBy.ts";
import { mean, tokenCount } from "../coverage/measureCommit.ts";
import { quantile } from "../packed.ts";
import { FORMATS, type SlipCommit } from "./slipCommit.ts";
import { blocksText } from "./slipMessage.ts";

const OTHERS = { "search/replace": searchReplaceText, "unified diff": unifiedDiffText } as const;
const NAMES = [...FORMATS, "search/replace", "unified diff", "whole file"] as const;
const NAME_WIDTH = 14;
const WIDTH = 17;

/**
 * Output tokens (o200k) of a change without prose, mean / median, by language and of all, over the
 * commits that every format can write; the last column is the mean of the taught format as a share
 * of search and replace.
 */
export function tokensTable(commits: readonly SlipCommit[]): string {
  const written = commits.filter(({ messages }) => FORMATS.every((format) => messages.has(format)));
  const counts = new Map(written.map((commit) => [commit, tokensOf(commit)]));
  const row = (name: string, of: readonly SlipCommit[]) => {
    const columns = NAMES.map((_, column) => of.map((commit) => counts.get(commit)?.[column] ?? 0));
    const cells = columns.map((values) => `${Math.round(mean(values))} / ${quantile(values, 0.5)}`);
    const share = mean(columns[0] ?? []) / mean(columns[FORMATS.length] ?? []);
    return line(name, [String(of.length), ...cells, share.toFixed(2)]);
  };
  const byLanguage = [...groupedBy(written, ({ pair }) => pair.lang)].map(([name, of]) =>
    row(name, of),
  );
  return [
    line("language", ["commits", ...NAMES, "taught/search"]),
    ...byLanguage,
    row("all", written),
  ].join("\n");
}

function line(name: string, cells: readonly string[]): string {
  return name.padEnd(NAME_WIDTH) + cells.map((cell) => cell.padStart(WIDTH)).join("");
}

function tokensOf({ messages, pair }: SlipCommit): number[] {
  const { before, after, lang, path } = pair;
  const texts = [
    ...FORMATS.map((format) => blocksText(messages.get(format) ?? [], lang)),
    ...Object.values(OTHERS).map((write) => write(before, after, path)),
    wholeFileText(after, path),
  ];
  return texts.map(tokenCount);
}
