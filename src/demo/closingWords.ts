import { counted } from "../base/counted.ts";
import { sentence } from "../base/sentence.ts";

/** One or two sentences on what became of the `written` blocks, from the report the model is given. Where all went well it names none. */
export function closingWords(report: string, path: string, written: number): string {
  const [own = "", userDiff] = report.split(/^The user changed the proposal/m);
  const bullets = own.split("\n").map((line) => line.replace(/^\s*[-•*]\s*/, ""));
  const rejected = bullets.filter((line) => /rejected by the user/.test(line)).length;
  const parted = bullets.filter((line) => / applied in part/.test(line)).length;
  const failed = bullets.filter((line) => /was not applied: |was not closed|was ignored: /.test(line));
  const applied = written - rejected - parted - failed.length;
  const file = `\`${/^File '(.+)' has been updated/m.exec(own)?.[1] ?? path}\``;
  const sentences: string[] = [];
  if (applied > 0)
    sentences.push(`Done: ${counted(applied, "change")} made in ${file}${userDiff === undefined ? "" : ", with your own words in them"}.`);
  if (parted > 0) sentences.push(`You took ${counted(parted, "change")} in part.`);
  if (rejected > 0) {
    const all = rejected === written;
    if (all) sentences.push(`You rejected ${written === 1 ? "the change" : `all ${written} changes`}, so ${file} is as it was.`);
    else sentences.push(`You rejected ${rejected === 1 ? "one" : rejected}, which I leave out.`);
  }
  if (failed[0]) sentences.push(`${counted(failed.length, "change")} could not be applied: ${sentence(failed[0])}`);
  return sentences.join(" ") || `Nothing was changed in ${file}.`;
}
