import { counted } from "./demoSource.ts";

/** One or two sentences on what became of the edits, from the report the model is given. */
export function closingWords(report: string, path: string): string {
  const updated = /File ['`](.+?)['`] has been updated/.exec(report);
  const lines = report.split("\n").map((line) => line.replace(/^\s*[-•*]\s*/, ""));
  const applied = lines.filter((line) => / applied\b/.test(line) && !/ not applied|applied by|nothing applied/i.test(line)).length;
  const rejected = lines.filter((line) => /rejected by the user/.test(line)).length;
  const failed = lines.filter((line) => /was not applied|was not closed|was ignored|conflict/i.test(line));
  const file = `\`${updated?.[1] ?? path}\``;
  if (!updated) {
    if (rejected > 0 && failed.length === 0)
      return `You rejected ${rejected === 1 ? "the change" : `all ${rejected} changes`}, so ${file} is as it was.`;
    return `Nothing was changed in ${file}.${failed[0] ? ` The first reason: ${failed[0]}` : ""}`;
  }
  const done =
    applied > 0 ? `${counted(applied, "change")} of mine ${applied === 1 ? "is" : "are"} in ${file} now` : `${file} has my changes now`;
  const kept = rejected > 0 ? ` You rejected ${rejected === 1 ? "one, which I leave" : `${rejected}, which I leave`} out.` : "";
  const missed = failed.length > 0 ? ` ${counted(failed.length, "change")} could not be applied: ${failed[0]}` : "";
  return `${done}; one undo takes ${applied === 1 ? "it" : "them"} back.${kept}${missed}`;
}
