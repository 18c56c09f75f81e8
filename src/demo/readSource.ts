import { type DemoAnswer, sayOnly } from "./demoAnswer.ts";
import type { DemoTranscript } from "./demoTranscript.ts";
import { parseNumberedSource } from "./numberedSource.ts";

/** A file's text as the tools told it, or the answer that asks for (more of) it. */
export type ReadSource = { readonly path: string; readonly text: string } | { readonly answer: DemoAnswer };

const MOST_LINES = 6000;

/** Joins what `read_file` told of `path`, and reads on where it was cut off. */
export function readSource({ calls }: DemoTranscript, path: string): ReadSource {
  const reads = calls.filter((call) => call.name === "read_file" && call.args.file_path === path);
  const lines: string[] = [];
  for (const { result } of reads) {
    const part = parseNumberedSource(result);
    if (!part) return { answer: sayOnly(`I cannot read \`${path}\`. ${toolSentence(result)}`) };
    if (part.from !== lines.length + 1 || part.lines.length === 0) break;
    lines.push(...part.lines);
    if (part.total > MOST_LINES)
      return { answer: sayOnly(`\`${path}\` has ${part.total} lines; this demonstration stops at ${MOST_LINES}.`) };
    if (lines.length >= part.total) return { path, text: lines.join("\n") };
  }
  if (reads.length === 0) return { answer: { text: `I read \`${path}\`.`, calls: [{ name: "read_file", args: { file_path: path } }] } };
  return { answer: { text: "There is more.", calls: [{ name: "read_file", args: { file_path: path, start_line: lines.length + 1 } }] } };
}

/** The sentence of a tool's error, without its category. */
export function toolSentence(result: string): string {
  return result.replace(/^Error(?: \([\w-]+\))?:\s*/, "").trim();
}
