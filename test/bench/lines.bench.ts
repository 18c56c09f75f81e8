import { applyMessage } from "../../src/edits/propose/applyMessage.ts";
import { noSyntax } from "../fakes/editor/noSyntax.ts";
import { fileSnapshot } from "../fakes/workspace/fileSnapshot.ts";
import type { CommitPair } from "./coverage/measureCommit.ts";
import { readPairs } from "./coverage/readPairs.ts";
import { encodeLines, type Unsayable, unsayable } from "./lines/encodeLines.ts";

const CHUNK = 17;
const SHOWN = 5;

const HOW_TO = `  GRAFT_COMMIT_PAIRS names no file of commit pairs: \`npm run bench -- coverage\` says how to make one.`;

type Texts = Pick<CommitPair, "before" | "after">;

const both = ({ before, after }: Texts, change: (text: string) => string): Texts => ({
  before: change(before),
  after: change(after),
});
const plain = (text: string): string => text.replace(/^\uFEFF/, "");

const variants: readonly (readonly [string, (pair: Texts) => Texts])[] = [
  ["as committed", (pair) => pair],
  ["with CRLF", (pair) => both(pair, (text) => text.replace(/\r\n|\r|\n/g, "\r\n"))],
  ["with a byte order mark", (pair) => both(pair, (text) => `\uFEFF${plain(text)}`)],
  ["without a final line break", (pair) => both(pair, (text) => text.replace(/[\r\n]+$/, ""))],
];

/** How the commits of one variant went. */
interface Tally {
  exact: number;
  blocks: number;
  unchanged: number;
  readonly unsaid: Map<Unsayable, number>;
  readonly elided: string[];
  readonly wrong: string[];
}

async function measure(pair: CommitPair, { before, after }: Texts, tally: Tally): Promise<void> {
  if (before === after) {
    tally.unchanged++;
    return;
  }
  const cause = unsayable(before, after);
  if (cause) {
    tally.unsaid.set(cause, (tally.unsaid.get(cause) ?? 0) + 1);
    return;
  }
  const { message, blocks } = encodeLines(before, after, pair.lang);
  const snapshot = fileSnapshot(pair.path, before);
  const result = await applyMessage(
    snapshot,
    message,
    { mode: "lines", chunk: CHUNK },
    noSyntax,
    new AbortController().signal,
  );
  const name = `${pair.repo} ${pair.commit.slice(0, 8)} ${pair.path}`;
  const elided = result.blocks.find(({ code }) => code === "elision");
  if (elided) tally.elided.push(`${name}: ${elided.reason}`);
  else if (result.text === after) {
    tally.exact++;
    tally.blocks += blocks;
  } else tally.wrong.push(`${name}: ${result.report.slice(0, 300)}`);
}

async function main(): Promise<void> {
  const files = process.env.GRAFT_COMMIT_PAIRS;
  if (!files) {
    console.log(HOW_TO);
    return;
  }
  const pairs = readPairs(files);
  console.log(
    `Real commits as line-mode blocks, answers in pieces of ${CHUNK} characters. Exact: the committed file, byte for byte.\n`,
  );
  console.log(
    `  ${"".padEnd(28)}${["commits", "exact", "wrong", "held back", "blocks"].map((word) => word.padStart(11)).join("")}`,
  );
  for (const [name, vary] of variants) {
    const tally: Tally = {
      exact: 0,
      blocks: 0,
      unchanged: 0,
      unsaid: new Map(),
      elided: [],
      wrong: [],
    };
    for (const pair of pairs) await measure(pair, vary(pair), tally);
    const { exact, wrong, elided, blocks } = tally;
    const figures = [
      exact + wrong.length + elided.length,
      exact,
      wrong.length,
      elided.length,
      blocks,
    ];
    console.log(
      `  ${name.padEnd(28)}${figures.map((figure) => String(figure).padStart(11)).join("")}`,
    );
    const unsaid = [...tally.unsaid].map(
      ([cause, count]) => `${count} that change the ${cause} or mix them`,
    );
    if (tally.unchanged > 0) unsaid.push(`${tally.unchanged} that change nothing in this form`);
    if (unsaid.length > 0) console.log(`  ${"".padEnd(28)}   not counted: ${unsaid.join(", ")}`);
    for (const line of [...wrong, ...elided].slice(0, SHOWN))
      console.log(`      ${line.replaceAll("\n", " ")}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
  console.log(
    "\n  Held back: the elision guard takes a line of the commit for left-out code; the user can have it proposed all the same.",
  );
}

void main();
