import { createSyntax } from "../../src/syntax/createSyntax.ts";
import { nodeGrammarSource } from "../fakes/editor/nodeGrammarSource.ts";
import { RecordingLogger } from "../fakes/recordingLogger.ts";
import { coverageTable, type LanguageResult } from "./coverage/coverageTable.ts";
import { groupedBy } from "./coverage/groupedBy.ts";
import { type CommitPair, type Measured, measureCommit } from "./coverage/measureCommit.ts";
import { readPairs, spread } from "./coverage/readPairs.ts";

const DEFAULT_MOST = 60;
/** Of the first sixteen, at least this share of the commits is to be encodable. */
const GOAL = 0.95;

/** Each row of the table and the grammars it is about; those before `Bash` have the goal. */
const ROWS: readonly (readonly [string, readonly string[]])[] = [
  ["TypeScript", ["typescript"]],
  ["TSX", ["tsx"]],
  ["JavaScript", ["javascript"]],
  ["Python", ["python"]],
  ["Go", ["go"]],
  ["Rust", ["rust"]],
  ["Java", ["java"]],
  ["C", ["c"]],
  ["C++", ["cpp"]],
  ["C#", ["csharp"]],
  ["Ruby", ["ruby"]],
  ["PHP", ["php"]],
  ["Kotlin", ["kotlin"]],
  ["Swift", ["swift"]],
  ["Scala", ["scala"]],
  ["Lua", ["lua"]],
  ["Bash", ["bash"]],
  ["Dart", ["dart"]],
  ["CSS", ["css"]],
  ["SCSS", ["scss"]],
  ["HTML", ["html"]],
  ["JSON", ["json"]],
  ["YAML", ["yaml"]],
  ["TOML", ["toml"]],
  ["Markdown", ["markdown"]],
];
const WITH_GOAL = 16;

const HOW_TO = `  GRAFT_COMMIT_PAIRS names no file of commit pairs. To make one, outside of every repository:
    git clone https://github.com/apache/thrift        (and Aider-AI/aider, vercel/ai, rust-lang/rust-analyzer,
                                                       lihaoyi/os-lib and square/okio for Scala and Kotlin)
    node ../shared/data/make-commit-pairs.mjs PAIRS.jsonl --max 60 \\
      --ext ts,tsx,js,jsx,py,go,rs,java,c,cc,cpp,h,cs,rb,php,kt,swift,scala,lua,sh,dart,css,html,json,yml,toml,md CLONE ...
    GRAFT_COMMIT_PAIRS=PAIRS.jsonl npm run bench -- coverage
  Several files are separated as in PATH. GRAFT_COMMIT_MAX is the most commits of a language (${DEFAULT_MOST}).`;

async function main(): Promise<void> {
  const files = process.env.GRAFT_COMMIT_PAIRS;
  if (!files) {
    console.log(HOW_TO);
    return;
  }
  const most = Number(process.env.GRAFT_COMMIT_MAX ?? DEFAULT_MOST);
  const syntax = createSyntax(nodeGrammarSource(), new RecordingLogger());
  const { signal } = new AbortController();
  const byLanguage = groupedBy(readPairs(files), ({ path }) => syntax.languageOf(path, ""));
  const results: LanguageResult[] = [];
  let failed = false;
  for (const [index, [name, languages]] of ROWS.entries()) {
    const pairs = spread(
      languages.flatMap((language) => byLanguage.get(language) ?? []),
      most,
    );
    const commits: Measured[] = [];
    for (const pair of pairs) {
      process.stderr.write(`\r  ${name} ${commits.length + 1}/${pairs.length}   `);
      const measured = await measureCommit(pair, syntax, signal);
      if (measured.status === "inexact")
        console.error(`\n${inexact(pair, measured.message, measured.report)}`);
      commits.push(measured);
    }
    const encoded = commits.filter(({ status }) => status !== "no-encoding").length;
    const isExact = commits.every(({ status }) => status !== "inexact");
    failed ||= !isExact || (index < WITH_GOAL && encoded < GOAL * commits.length);
    results.push({ name, commits });
  }
  process.stderr.write("\r                              \r");
  console.log(
    `  Real commits, at most ${most} a language, as AST-mode blocks that the engine applies to the file before.`,
  );
  console.log(
    "  encoded: of the commits; exact: of those encoded, the file after the commit, byte for byte.",
  );
  console.log(
    "  Tokens (o200k, mean / median) are of the exact ones, in each format the edits alone, without prose.\n",
  );
  console.log(coverageTable(results).replace(/^/gm, "  "));
  console.log(`\n  To be: exact 100 % everywhere, encoded at least ${100 * GOAL} % down to Lua.`);
  if (failed) process.exitCode = 1;
}

function inexact({ repo, commit, path }: CommitPair, message: string, report: string): string {
  return `${repo} ${commit} ${path}: the engine gives another file.\n${report}\n${message}`;
}

void main();
