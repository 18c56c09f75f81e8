import fs from "node:fs";
import { createSyntax } from "../../src/syntax/createSyntax.ts";
import { nodeGrammarSource } from "../fakes/editor/nodeGrammarSource.ts";
import { RecordingLogger } from "../fakes/recordingLogger.ts";
import { seededRandom } from "../fakes/seededRandom.ts";
import { groupedBy } from "./coverage/groupedBy.ts";
import { type CommitPair, mean } from "./coverage/measureCommit.ts";
import { readPairs, spread } from "./coverage/readPairs.ts";
import { type Alarm, alarmsTable, OF_RULES, RuleAlarms } from "./ruleAlarms.ts";
import { DAMAGES, UNAVOIDABLE } from "./slips/damages.ts";
import { FAILED, runSlip, type SlipOutcome } from "./slips/runSlip.ts";
import { encodeSlipCommit, FORMATS, type Format, type SlipCommit } from "./slips/slipCommit.ts";
import { countsTable, isWrong, type SlipRow, wrongTable } from "./slips/slipsTable.ts";
import { tokensTable } from "./slips/tokensTable.ts";

/**
 * At most this many commits of a language are encoded, and this many run in each row but the first,
 * which runs all.
 */
const DEFAULT_COMMITS = 6;
const DEFAULT_RUNS = 24;
const SEED = 12;

/**
 * With `use_line_numbers` true the reply shows the lines again; left out, the first block decides.
 */
const USE_LINE_NUMBERS: Partial<Record<Format, boolean>> = {
  taught: false,
  "taught, 1 check": false,
  "taught, no check": false,
  "AST blocks": false,
};

const HOW_TO = `  GRAFT_COMMIT_PAIRS names no file of commit pairs: \`npm run bench -- coverage\` says how to make one.
  GRAFT_COMMIT_MAX is the most commits of a language (${DEFAULT_COMMITS}), GRAFT_SLIP_RUNS the most of each row (${DEFAULT_RUNS}).
  GRAFT_SLIP_ROWS is a regular expression of rows. With GRAFT_RULES a table says what each rule warns of.
  GRAFT_SLIP_DETAILS names a file, outside of every repository, for the messages that went wrong.`;

/** What the rules of the guards warned of in all rows. */
interface Heard {
  readonly rules: RuleAlarms;
  readonly alarms: Alarm[];
}

async function main(): Promise<void> {
  const files = process.env.GRAFT_COMMIT_PAIRS;
  if (!files) {
    console.log(HOW_TO);
    return;
  }
  const commits = await encodedCommits(
    readPairs(files),
    Number(process.env.GRAFT_COMMIT_MAX ?? DEFAULT_COMMITS),
  );
  const runs = Number(process.env.GRAFT_SLIP_RUNS ?? DEFAULT_RUNS);
  const wanted = new RegExp(process.env.GRAFT_SLIP_ROWS ?? "");
  const rows: SlipRow[] = [];
  const details: string[] = [];
  const heard: Heard = { rules: new RuleAlarms(), alarms: [] };
  for (const [index, [name]] of DAMAGES.entries()) {
    if (!wanted.test(name)) continue;
    process.stderr.write(`\r  ${name.padEnd(60)}`);
    rows.push(
      await measureRow(index, commits, index === 0 ? commits.length : runs, details, heard),
    );
  }
  process.stderr.write(`\r${"".padEnd(62)}\r`);
  // Too long for one string.
  if (process.env.GRAFT_SLIP_DETAILS) {
    fs.writeFileSync(process.env.GRAFT_SLIP_DETAILS, "");
    for (const row of details) fs.appendFileSync(process.env.GRAFT_SLIP_DETAILS, row);
  }
  console.log(
    `  ${commits.length} real commits, written in each format, damaged as models damage them, and applied as in the product.\n`,
  );
  console.log(
    "  Wrong: the file is not as meant and nothing was said (in brackets: only its white space).\n",
  );
  console.log(indented(wrongTable(rows)));
  console.log(
    "\n  Exact / repaired / exact after a warning / refused or conflict / wrong with a warning.\n",
  );
  console.log(indented(countsTable(rows)));
  console.log(
    `\n  Lines that a message copies from the file, where a typo goes unseen (mean): ${copiedLines(commits)}.`,
  );
  console.log("\n  Tokens (o200k, mean / median), without prose.\n");
  console.log(indented(tokensTable(commits)));
  if (process.env.GRAFT_RULES !== undefined)
    console.log(`\n${indented(alarmsTable(heard.rules.names, heard.alarms))}`);
  const failed = rows.filter(
    ({ name, outcomes }) => !UNAVOIDABLE.has(name) && [...outcomes.values()].flat().some(isWrong),
  );
  console.log(
    `\n  To be: wrong 0 in every row but ${[...UNAVOIDABLE].map((name) => `"${name}"`).join(", ")}, where less copying is the goal.`,
  );
  if (failed.length > 0) process.exitCode = 1;
}

function copiedLines(commits: readonly SlipCommit[]): string {
  return FORMATS.map((format) => {
    const counts = commits.flatMap(({ old, messages }) => {
      const known = new Set(old);
      const blocks = messages.get(format);
      return blocks
        ? [
            blocks
              .flatMap(({ body }) => body)
              .filter((line) => line.trim() !== "" && known.has(line)).length,
          ]
        : [];
    });
    return `${format} ${mean(counts).toFixed(1)}`;
  }).join(", ");
}

/** At most `most` commits of each language, in one seeded order. */
async function encodedCommits(pairs: readonly CommitPair[], most: number): Promise<SlipCommit[]> {
  const syntax = createSyntax(nodeGrammarSource(), new RecordingLogger());
  const { signal } = new AbortController();
  const sample = shuffled(
    [...groupedBy(pairs, ({ lang }) => lang).values()].flatMap((group) =>
      spread(shuffled(group), most),
    ),
  );
  const commits: SlipCommit[] = [];
  for (const [index, pair] of sample.entries()) {
    process.stderr.write(`\r  ${`encoding ${index + 1} of ${sample.length}`.padEnd(60)}`);
    const commit = await encodeSlipCommit(pair, syntax, signal);
    if (commit) commits.push(commit);
  }
  return commits;
}

async function measureRow(
  index: number,
  commits: readonly SlipCommit[],
  runs: number,
  details: string[],
  heard: Heard,
): Promise<SlipRow> {
  const [name, damage] = DAMAGES[index] ?? ["", () => null];
  const outcomes = new Map<Format, SlipOutcome[]>(FORMATS.map((format) => [format, []]));
  for (const [number, commit] of commits.entries()) {
    for (const format of FORMATS) {
      const done = outcomes.get(format);
      const blocks = commit.messages.get(format);
      if (!done || !blocks || done.length >= runs) continue;
      const damaged = damage(commit, blocks, seededRandom(SEED + 1000 * index + number));
      if (!damaged) continue;
      const result = await runSlip(
        commit.pair.path,
        commit.pair.lang,
        damaged,
        USE_LINE_NUMBERS[format],
        heard.rules,
      );
      const { outcome, rules } = result;
      done.push(outcome);
      heard.alarms.push({
        isWrong: outcome === "warned" || isWrong(outcome),
        isRight: outcome === "exact-warned",
        rules,
        hasOther: result.blocks.some(
          ({ status, warnings }) =>
            FAILED.has(status) || warnings.some(({ code }) => !OF_RULES.has(code)),
        ),
      });
      if (outcome !== "exact") {
        const row = { name, format, ...commit.pair, ...damaged, ...result, rules: [...rules] };
        details.push(`${JSON.stringify(row)}\n`);
      }
    }
  }
  return { name, outcomes };
}

function shuffled<T>(values: readonly T[]): T[] {
  const random = seededRandom(SEED);
  return values
    .map((value) => ({ value, at: random(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

function indented(text: string): string {
  return text.replace(/^/gm, "  ");
}

void main();
