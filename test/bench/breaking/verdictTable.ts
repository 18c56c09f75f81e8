import type { SearchedFault, Verdict } from "./searchFault.ts";

/** A search on a line. */
export function verdictRow(one: SearchedFault): string {
  const { name, verdict, named, parts, faulty, runs, text } = one;
  const what = [name, verdict, `${named ?? "-"} of ${parts}`, `fault in ${faulty}`, `${runs} runs`];
  return [...what, text].join("  ");
}

/** Sums up searches. */
export function verdictTable(searched: readonly SearchedFault[]): string {
  const count = (verdict: Verdict) => searched.filter((one) => one.verdict === verdict).length;
  const mean = (of: (one: SearchedFault) => number) =>
    (searched.reduce((sum, one) => sum + of(one), 0) / Math.max(1, searched.length)).toFixed(1);
  const provable = searched.filter((one) => one.isProvable).length;
  return [
    `  ${searched.length} faults, ${provable} provable: right ${count("right")}, beside ${count("beside")}, other proven ${count("other proven")}, wrong ${count("wrong")}, none ${count("none")}`,
    `  mean: ${mean((one) => one.parts)} parts, ${mean((one) => one.runs)} runs, ${mean((one) => one.others)} left out with the one named`,
  ].join("\n");
}
