import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import * as z from "zod/mini";

const replySchema = z.object({
  prompt: z.string(),
  path: z.string(),
  blocks: z.int(),
  answer: z.string(),
  before: z.string(),
  after: z.string(),
});

/** A request, a model's answer with edit blocks by lines, and the file before and after it. */
export type RecordedReply = z.infer<typeof replySchema>;

const recordings = path.resolve("../shared/data/edit-replies.jsonl.gz");

/** The recorded real replies, or null where the recordings are not at hand. */
export function recordedReplies(): readonly RecordedReply[] | null {
  if (!fs.existsSync(recordings)) return null;
  const lines = gunzipSync(fs.readFileSync(recordings)).toString("utf8").trim().split("\n");
  return lines.map((line) => replySchema.parse(JSON.parse(line)));
}

/**
 * A reply of three blocks that make three hunks: a recorded one, else one written by hand in the
 * same style.
 */
export function threeBlockReply(): RecordedReply {
  const openers = (answer: string) =>
    [...answer.matchAll(/^```\w+:(\d+):(\d+)$/gm)].map((match) => Number(match[1]));
  const recorded = recordedReplies()?.find(({ blocks, answer, before }) => {
    const starts = openers(answer);
    const inOrder = starts.every((start, at) => at === 0 || start > (starts[at - 1] ?? 0) + 6);
    return (
      blocks === 3 &&
      starts.length === 3 &&
      inOrder &&
      before.split("\n").length < 400 &&
      answer.length < 1500
    );
  });
  return recorded ?? handWritten();
}

function handWritten(): RecordedReply {
  const lines = Array.from({ length: 120 }, (_, at) => `line_${at + 1} = ${at + 1}`);
  const after = lines.map((line, at) =>
    at === 9 || at === 49 || at === 99 ? `${line} * 2` : line,
  );
  const block = (line: number) =>
    `\`\`\`python:${line - 2}:${line + 2}\n${after.slice(line - 3, line + 2).join("\n")}\n\`\`\`\n`;
  return {
    prompt: "Double lines 10, 50 and 100",
    path: "src/lines.py",
    blocks: 3,
    answer: `I'll double the three values.\n\n${block(10)}\nThen the second:\n\n${block(50)}\nAnd the last:\n\n${block(100)}\nThat is all.\n`,
    before: `${lines.join("\n")}\n`,
    after: `${after.join("\n")}\n`,
  };
}
