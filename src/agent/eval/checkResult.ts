import { splitLines } from "../../base/text/lines.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import type { EvalTask } from "./evalTask.ts";

/**
 * Whether a text is what a task asked for: by its texts, by the lines that had to stay, and by the
 * parser, which finds the same elements as in the right result and no error.
 */
export async function checkResult(
  { path, before, after, holds, lacks }: EvalTask,
  text: string,
  syntax: Syntax,
  signal: AbortSignal,
): Promise<boolean> {
  const plain = withoutBlanks(text);
  const isWorded =
    holds.every((each) => plain.includes(withoutBlanks(each))) &&
    lacks.every((each) => !plain.includes(withoutBlanks(each)));
  if (!isWorded || !keepsLines(before, after, text)) return false;
  const wanted = await parsed(path, after, syntax, signal);
  const found = await parsed(path, text, syntax, signal);
  if (wanted === null || found === null) return wanted === found;
  return found.errors <= wanted.errors && found.paths.join() === wanted.paths.join();
}

async function parsed(path: string, text: string, syntax: Syntax, signal: AbortSignal) {
  const document = await syntax.openFile(path, "", text, signal);
  if (document === null) return null;
  try {
    return { errors: document.errorCount(), paths: document.outline().map((each) => each.path) };
  } finally {
    document.dispose();
  }
}

/** True where the lines that a right result keeps are there, in their order. */
function keepsLines(before: string, after: string, text: string): boolean {
  const kept = commonLines(before, after);
  let at = 0;
  for (const line of writtenLines(text)) if (line === kept[at]) at += 1;
  return at === kept.length;
}

/** The lines of `before` that are also in `after`, in order; blank lines do not count. */
function commonLines(before: string, after: string): readonly string[] {
  const common: string[] = [];
  const rest = [...writtenLines(after)];
  for (const line of writtenLines(before)) {
    const at = rest.indexOf(line);
    if (at < 0) continue;
    common.push(line);
    rest.splice(0, at + 1);
  }
  return common;
}

function writtenLines(text: string): readonly string[] {
  return splitLines(text)
    .map((line) => line.text.trimEnd())
    .filter((line) => line !== "");
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, "");
}
