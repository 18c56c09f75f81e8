import type { RandomChoices } from "../../load/randomChoices.ts";

/** A file before and after a commit; "" for none. */
export interface CommitFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A commit with a fault on one of the lines that it changed. */
export interface PlantedFault {
  readonly files: readonly CommitFile[];
  readonly path: string;
  /** 1-based, in the file after the commit. */
  readonly line: number;
  readonly text: string;
}

/** Small mistakes, as those of mutation testing. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/ \+ /g, " - "],
  [/ - /g, " + "],
  [/ \* /g, " + "],
  [/ > /g, " >= "],
  [/ < /g, " <= "],
  [/ >= /g, " > "],
  [/ <= /g, " < "],
  [/ === /g, " !== "],
  [/ !== /g, " === "],
  [/ && /g, " || "],
  [/ \|\| /g, " && "],
  [/\?\? /g, "&& "],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
  [/(?<=[( ])!(?=\w)/g, ""],
  [/\b0\b/g, "1"],
  [/\b1\b/g, "2"],
  [/\b(\d{2,})\b/g, "1$1"],
  [/\b([2-9])\b/g, "1$1"],
  [/\(([a-z]\w*), ([a-z]\w*)\)/g, "($2, $1)"],
  [/(?<=\breturn )[^;{(]+(?=;)/g, "null"],
  [/\.filter\(/g, ".map("],
  [/\.some\(/g, ".every("],
  [/\.every\(/g, ".some("],
  [/\.startsWith\(/g, ".endsWith("],
  [/continue;/g, "break;"],
];

/** Lines on which a fault is none of the code's. */
const NO_CODE = /^\s*(?:import\b|export (?:interface|type)\b|\/\/|\/?\*|readonly\b|\})/;

/** A fault on one of these lines of a commit, or null where none of the mistakes fits. */
export function plantFault(
  files: readonly CommitFile[],
  lines: readonly { readonly path: string; readonly line: number }[],
  { pick }: RandomChoices,
): PlantedFault | null {
  const { path, line } = pick(lines);
  const file = files.find((each) => each.path === path);
  const all = file?.after.split("\n") ?? [];
  const text = all[line - 1] ?? "";
  if (!file || NO_CODE.test(text)) return null;
  const faults = MISTAKES.flatMap(([pattern, by]) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => {
      const wrong = found.replace(new RegExp(pattern.source), by);
      return (
        text.slice(0, index) + (wrong === found ? by : wrong) + text.slice(index + found.length)
      );
    }),
  ).filter((each) => each !== text);
  if (faults.length === 0) return null;
  const wrong = pick(faults);
  const after = all.toSpliced(line - 1, 1, wrong).join("\n");
  return {
    files: files.map((each) => (each === file ? { ...each, after } : each)),
    path,
    line,
    text: wrong.trim(),
  };
}
