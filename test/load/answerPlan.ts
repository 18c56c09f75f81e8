import { LineModel, type PlannedBlock } from "./lineModel.ts";
import { type RandomChoices, randomChoices } from "./randomChoices.ts";

/** One file of an answer, as it is before, and what the model writes for it. */
export interface PlannedFile {
  readonly path: string;
  /** The bytes on the disk. */
  readonly text: string;
  readonly eol: "\n" | "\r\n";
  readonly model: LineModel;
  /** The first piece of the answer that waits until the user is done with this file. */
  readonly holdAt: number;
  /** For what the user does in its review, in whatever order the files come. */
  readonly random: RandomChoices;
}

/** An answer of the model's: the files it is about and its text, as it is cut. */
export interface AnswerPlan {
  readonly number: number;
  readonly prompt: string;
  readonly files: readonly PlannedFile[];
  readonly pieces: readonly string[];
  /** Milliseconds between two pieces. */
  readonly paceMs: number;
  /** A command line that the model runs after the answer. */
  readonly command?: string;
}

const EXTENSIONS = ["ts", "py", "txt"] as const;
const WORDS = [
  "plain",
  "naïve",
  "値 と 型",
  "😀 pair",
  "👩‍👧 family",
  "עברית",
  "a \\ b",
  "\"quoted\" 'twice'",
  "<b>&amp;</b>",
  "𝒳 = 𝒴",
];

/**
 * Makes up the answer with this number, about at most `mostFiles` files. Every line is unique, so
 * that there is one way to tell what changed.
 */
export function planAnswer(random: RandomChoices, number: number, mostFiles = 3): AnswerPlan {
  const fileCount = random.int(1, mostFiles);
  const counts = Array.from({ length: fileCount }, () => 1);
  for (let more = random.int(0, 6 - fileCount); more > 0; more--) {
    const at = random.int(0, fileCount - 1);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  const pieces: string[] = [];
  const longest = random.pick([6, 16, 40, 120]);
  const write = (text: string) => pieces.push(...cut(text, random, longest));
  write(`Answer ${number} 😀.\n\n`);
  const files = counts.map((blocks, at): PlannedFile => {
    const extension = random.pick(EXTENSIONS);
    const path = `a${number}_${at + 1}.${extension}`;
    const eol = random.pick(["\n", "\n", "\r\n"] as const);
    const base = Array.from({ length: random.int(8 * blocks + 5, 8 * blocks + 8) }, (_, line) =>
      codeLine(random, `k${at}_${line + 1}`, extension),
    );
    const planned = planBlocks(random, base.length, blocks, (block, line) =>
      codeLine(random, `n${at}_${block}_${line}`, extension),
    );
    const finalNewline = random.chance(70);
    const lines = finalNewline ? [...base, ""] : base;
    const written = random.chance(70) ? planned : random.shuffled(planned);
    for (const block of written.slice(0, -1)) write(fence(block, extension, path));
    const last = fence(written.at(-1) ?? { start: 1, end: 0, lines: [] }, extension, path);
    // After at least one whole line of the block, so that there is something to see.
    const opener = last.indexOf("\n") + 1;
    const visible = Math.min(last.length, last.indexOf("\n", opener) + 1);
    const held = random.int(visible, last.length);
    write(last.slice(0, held));
    const holdAt = pieces.length;
    write(last.slice(held));
    write(random.pick(["", "Next.\n\n", "Then the other one, which `x` needs:\n\n"]));
    return {
      path,
      text: lines.join(eol),
      eol,
      model: new LineModel(
        lines,
        planned.map((block) => (finalNewline ? block : withLastLine(block, base))),
      ),
      holdAt,
      random: randomChoices(random.int(0, 1e9)),
    };
  });
  write("That is all.");
  return {
    number,
    prompt: `Make answer ${number}.`,
    files,
    pieces,
    paceMs: random.pick([0, 0, 1, 5]),
  };
}

/**
 * Where indentation means nothing, none: a block that is indented unlike its neighbors is repaired
 * there.
 */
function codeLine(
  random: RandomChoices,
  name: string,
  extension: (typeof EXTENSIONS)[number],
): string {
  const indent = random.pick([0, 0, 2, 4]);
  return `${" ".repeat(extension === "ts" ? 0 : indent)}${name} = "${random.pick(WORDS)}";`;
}

/** Blocks in sections of the file of their own, with at least three lines that stay between two. */
function planBlocks(
  random: RandomChoices,
  lines: number,
  count: number,
  line: (block: number, line: number) => string,
): PlannedBlock[] {
  const section = Math.floor(lines / count);
  return Array.from({ length: count }, (_, block) => {
    const start = block * section + random.int(1, 3);
    const written = Array.from({ length: random.int(1, 3) }, (_line, at) => line(block, at));
    // The end of the file, which may have no line end.
    if (block === count - 1 && random.chance(15))
      return { start: lines + 1, end: lines, lines: written };
    const kind = random.int(1, 10);
    if (kind <= 6) return { start, end: start + random.int(0, 2), lines: written };
    if (kind <= 9) return { start, end: start - 1, lines: written };
    return { start, end: start + random.int(0, 2), lines: [] };
  });
}

/** What is added after a last line without a line end gives that line one, and so changes it. */
function withLastLine(block: PlannedBlock, base: readonly string[]): PlannedBlock {
  if (block.start <= base.length) return block;
  return { start: base.length, end: base.length, lines: [base.at(-1) ?? "", ...block.lines] };
}

function fence({ start, end, lines }: PlannedBlock, language: string, path: string): string {
  const address =
    start > end
      ? start === 1
        ? "1:1:before"
        : `${end}:${end}:after`
      : lines.length === 0
        ? `${start}:${end}:remove`
        : `${start}:${end}`;
  return `\`\`\`${language}:${address} ${path}\n${lines.map((line) => `${line}\n`).join("")}\`\`\`\n\n`;
}

/** Cuts a text anywhere, also between the halves of a character. */
function cut(text: string, random: RandomChoices, longest: number): string[] {
  const result: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = random.int(1, longest);
    result.push(text.slice(at, at + length));
    at += length;
  }
  return result;
}
