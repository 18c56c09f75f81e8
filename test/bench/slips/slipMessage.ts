import type { EditOp } from "../../../src/edits/block.ts";

/** One edit block in parts, so that each can be damaged on its own. */
export interface SlipBlock {
  /** Null in line mode. */
  readonly path: string | null;
  /** 1-based and inclusive; null for a whole element. */
  readonly lines: { readonly start: number; readonly end: number } | null;
  readonly op: EditOp;
  /** How the first, and the last, old line begins; the last is only written for several lines. */
  readonly checks: readonly string[];
  readonly body: readonly string[];
}

/** A message as the model writes it, and where each block ends in it, in UTF-16 units. */
export interface WrittenMessage {
  readonly text: string;
  readonly blockEnds: readonly number[];
}

const OPENING = "I'll make the change in these blocks.\n\n";
const CLOSING = "\nThat is all; nothing else in the file changes.\n";

/** The blocks with their fences, without prose; the text that counts in the token table. */
export function blocksText(blocks: readonly SlipBlock[], lang: string): string {
  return blocks.map((block) => oneBlock(block, lang)).join("\n");
}

/** A whole message: a sentence, the blocks, a sentence. */
export function writeMessage(blocks: readonly SlipBlock[], lang: string): WrittenMessage {
  let text = OPENING;
  const blockEnds = blocks.map((block, index) => {
    text += (index > 0 ? "\n" : "") + oneBlock(block, lang);
    return text.length;
  });
  return { text: text + CLOSING, blockEnds };
}

function oneBlock({ path, lines, op, checks, body }: SlipBlock, lang: string): string {
  const element = path === null ? [] : ["ast-path", path];
  const range = lines === null ? [] : [lines.start, lines.end];
  const address = [...element, ...range, ...(op === "replace" ? [] : [op])].join(":");
  const written =
    lines?.start === lines?.end && checks[0] === checks[1] ? checks.slice(0, 1) : checks;
  const info = [`${lang}:${address}`, ...written.map((check) => `"${check}"`)].join(" ");
  const fence = "`".repeat(
    Math.max(2, ...body.map((line) => /^ {0,3}(`{3,})/.exec(line)?.[1]?.length ?? 0)) + 1,
  );
  return `${fence}${info}\n${body.map((line) => `${line}\n`).join("")}${fence}\n`;
}
