import { FenceScanner } from "../../src/base/text/fenceScanner.ts";
import { claimsOfOne } from "../../src/edits/answer/openSessions.ts";
import { BlockCapture } from "../../src/edits/propose/blockCapture.ts";
import { openFile } from "../fakes/turns/openFile.ts";

const CHUNK = 4;
const MB = 1_000_000;
const ROUNDS = 7;
const MOST_RATIO = 5;
const MOST_GROWTH = 11;
/** The same for the capture: of one block, and of many blocks. */
const MOST_ONE_BLOCK = 5;
const MOST_BLOCKS = 25;
/** How many pieces arrive between two proposals: the preview asks for one ten times a second. */
const PIECES_A_PROPOSAL = 100;

/** What takes a reply, piece by piece. */
interface Taker {
  push(piece: string): void;
  end(): void;
}

const FILE = Array.from(
  { length: 5_000 },
  (_, at) => `  line ${at + 1} of the file that is edited;\n`,
).join("");

function filled(length: number, part: (at: number) => string): string {
  const parts: string[] = [];
  for (let at = 0, sum = 0; sum < length; at++) {
    const next = part(at);
    parts.push(next);
    sum += next.length;
  }
  return parts.join("").slice(0, length);
}

const CODE = "  const total = items.reduce((sum, item) => sum + item.price * item.count, 0);\n";
const PROSE = "Then the sum is taken from the list, and the list is kept as it was, as before.\n";

/** As models write: prose, and blocks of 40 lines. */
const ordinary = (length: number) =>
  filled(
    length,
    (at) => `${PROSE.repeat(5)}\`\`\`ts:${at + 1}:${at + 1}\n${CODE.repeat(40)}\`\`\`\n`,
  );

const replies: readonly (readonly [string, (length: number) => string])[] = [
  ["prose and blocks", ordinary],
  ["one block", (length) => filled(length, (at) => (at === 0 ? "```ts:1:5000\n" : CODE))],
  ["one line", (length) => "x".repeat(length)],
  ["one line in a block", (length) => `\`\`\`ts:1:1\n${"x".repeat(length)}`],
  ["100,000 fences a MB", (length) => filled(length, () => "```ts\na\n```\n".slice(0, 10))],
  ["fences nested ever deeper", (length) => filled(length, () => "```a\n")],
  ["all backticks", (length) => "`".repeat(length)],
  ["lines of backticks", (length) => filled(length, () => "``````````````\n")],
  ["spaces behind a fence", (length) => `\`\`\`a${" ".repeat(length)}b\n`],
  ["words behind a fence", (length) => `\`\`\`ts:ast-path:${filled(length, () => "a b:")}\n`],
  ["empty lines", (length) => "\n".repeat(length)],
];

function baseline(): Taker {
  const lines: string[] = [];
  let rest = "";
  return {
    push(piece) {
      rest += piece;
      if (!piece.includes("\n")) return;
      const split = rest.split("\n");
      rest = split.pop() ?? "";
      lines.push(...split);
    },
    end() {
      lines.push(rest);
    },
  };
}

function scanner(): Taker {
  const fences = new FenceScanner();
  return {
    push(piece) {
      fences.push(piece);
    },
    end() {
      fences.flush();
    },
  };
}

/** The scanner, the addresses, the draft, and the proposal as often as the preview asks for it. */
function capture(): Taker {
  const file = openFile("a.ts", FILE);
  const blocks = new BlockCapture({
    callId: "bench",
    file,
    mode: "lines",
    claims: claimsOfOne(file),
    onBlock() {},
  });
  blocks.startMessage(0);
  let pieces = 0;
  return {
    push(piece) {
      blocks.push(piece);
      if (++pieces % PIECES_A_PROPOSAL === 0) blocks.proposal();
    },
    end() {
      blocks.endMessage("whole");
      blocks.finish();
      blocks.proposal();
    },
  };
}

/**
 * What this process has used so far: unlike the time on the clock, it does not count what other
 * programs do meanwhile.
 */
function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds for a whole reply, the pieces cut beforehand. */
function timed(make: () => Taker, pieces: readonly string[]): number {
  const taker = make();
  const start = cpuMilliseconds();
  for (const piece of pieces) taker.push(piece);
  taker.end();
  return cpuMilliseconds() - start;
}

function cut(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += CHUNK) pieces.push(text.slice(at, at + CHUNK));
  return pieces;
}

/**
 * Milliseconds for a whole reply that is cut on the way, so that ten times the text is not ten
 * times the pieces in memory.
 */
function timedText(make: () => Taker, text: string): number {
  const taker = make();
  const start = cpuMilliseconds();
  for (let at = 0; at < text.length; at += CHUNK) taker.push(text.slice(at, at + CHUNK));
  taker.end();
  return cpuMilliseconds() - start;
}

/**
 * The least of several rounds for each measurement, all of them in every round: what else the
 * machine does only ever adds.
 */
function best(measurements: readonly (() => number)[]): number[] {
  const rounds = Array.from({ length: ROUNDS }, () => measurements.map((measure) => measure()));
  return measurements.map((_, index) =>
    Math.min(...rounds.map((round) => round[index] ?? Number.POSITIVE_INFINITY)),
  );
}

function main(): void {
  console.log(
    `Replies in pieces of ${CHUNK} characters; milliseconds of CPU for 1 MB, the best of ${ROUNDS} rounds.`,
  );
  console.log(
    "Baseline: append the piece, split off the lines. Scanner: the fences. Capture: everything up to the proposal.",
  );
  const title = ["reply", "baseline", "scanner", "ratio", "10 MB : 1 MB", "capture", "ratio"];
  console.log(
    `\n  ${title.map((word, at) => (at === 0 ? word.padEnd(28) : word.padStart(13))).join("")}`,
  );
  for (const [name, reply] of replies) {
    const pieces = cut(reply(MB));
    const small = reply(MB);
    const large = reply(10 * MB);
    const [plain = 0, scanned = 0, captured = 0, one = 0, ten = 0] = best([
      () => timed(baseline, pieces),
      () => timed(scanner, pieces),
      () => timed(capture, pieces),
      () => timedText(scanner, small),
      () => timedText(scanner, large),
    ]);
    const growth = ten / one;
    const ratio = scanned / plain;
    const figures = [
      plain.toFixed(1),
      scanned.toFixed(1),
      ratio.toFixed(2),
      growth.toFixed(1),
      captured.toFixed(1),
      (captured / plain).toFixed(1),
    ];
    const mostCaptured =
      name === "one block" ? MOST_ONE_BLOCK : name === "prose and blocks" ? MOST_BLOCKS : null;
    const isSlow = mostCaptured !== null && captured / plain > mostCaptured;
    const verdict = ratio > MOST_RATIO || growth > MOST_GROWTH || isSlow ? "  TOO SLOW" : "";
    console.log(
      `  ${name.padEnd(28)}${figures.map((figure) => figure.padStart(13)).join("")}${verdict}`,
    );
  }
  console.log(
    `\n  Wanted: the scanner's ratio at most ${MOST_RATIO}, and 10 MB at most ${MOST_GROWTH} times 1 MB; the capture's at most ${MOST_ONE_BLOCK} for one block and ${MOST_BLOCKS} for many.`,
  );
}

main();
