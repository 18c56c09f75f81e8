import { lastPart } from "../../base/text/clip.ts";
import { wordsIn } from "./partText.ts";

/** A line of a file that an output names. */
export interface NamedLine {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
}

/** What the output of a failing check says of where to look. */
export interface FailureClues {
  readonly lines: readonly NamedLine[];
  /** The names in the output, and in the files' lines around those that it names. */
  readonly said: ReadonlySet<string>;
  readonly near: ReadonlySet<string>;
  /** Paths that the named files import, without extension, relative to the same folder. */
  readonly imported: ReadonlySet<string>;
}

/** A file as the check saw it. */
export interface SeenFile {
  /** From the workspace on, as that of a part. */
  readonly path: string;
  readonly text: string;
}

/** Finds a file by a path that an output names, or a part of one; null for none. */
export type FindSeen = (path: string) => Promise<SeenFile | null>;

const PLACE = /((?:[\w.@~+-]+[/\\])*[\w.@+-]+\.\w{1,5})(?::(\d+)|\((\d+),|", line (\d+))/g;
const FROM = /["'`](\.{1,2}\/[^"'`]+)["'`]/g;
/** The end of an output that is looked at, the most places, and the lines around one. */
const MOST_OUTPUT = 100_000;
const MOST_PLACES = 40;
const MOST_ABOVE = 8;

/** Reads what an output says, and what is where it points to. */
export async function failureClues(output: string, find: FindSeen): Promise<FailureClues> {
  const text = lastPart(output, MOST_OUTPUT);
  const lines: NamedLine[] = [];
  const near = new Set<string>();
  const imported = new Set<string>();
  const seen = new Set<string>();
  const files = new Map<string, Awaited<ReturnType<typeof seenFile>>>();
  for (const match of text.matchAll(PLACE)) {
    const [whole, named = "", ...numbers] = match;
    const line = Number(numbers.find((each) => each !== undefined));
    if (seen.has(whole) || seen.size >= MOST_PLACES || named.includes("node_modules")) continue;
    seen.add(whole);
    if (!files.has(named)) files.set(named, await seenFile(named, find));
    const file = files.get(named);
    if (!file) continue;
    lines.push({ path: file.path, line });
    for (const name of wordsIn(around(file.lines, line - 1))) near.add(name);
    for (const [, from = ""] of file.text.matchAll(FROM))
      imported.add(withoutExtension(resolvedFrom(file.path, from)));
  }
  return { lines, said: wordsIn(text.split("\n")), near, imported };
}

/** A path as it is compared with imports. */
export function withoutExtension(path: string): string {
  return path.replace(/\.\w+$/, "");
}

/** A line, and those above it up to the one that opens its block. */
function around(lines: readonly string[], at: number): readonly string[] {
  const indent = (line: string) => line.length - line.trimStart().length;
  const inner = indent(lines[at] ?? "");
  let start = at;
  while (inner > 0 && start > 0 && start > at - MOST_ABOVE) {
    const above = lines[--start] ?? "";
    if (above.trim() !== "" && indent(above) < inner) break;
  }
  return lines.slice(start, at + 1);
}

async function seenFile(named: string, find: FindSeen) {
  const names = named.split(/[/\\]/);
  for (let start = 0; start < names.length; start++) {
    const file = await find(names.slice(start).join("/"));
    if (file !== null) return { ...file, lines: file.text.split("\n") };
  }
  return null;
}

/** A relative path as seen from a file. */
function resolvedFrom(from: string, relative: string): string {
  const names = from.split("/").slice(0, -1);
  for (const name of relative.split("/"))
    if (name === "..") names.pop();
    else if (name !== ".") names.push(name);
  return names.join("/");
}
