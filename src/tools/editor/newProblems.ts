import type { Diagnostic } from "../../ports/languageServices.ts";

/**
 * The problems of a file that were not there before. Edits move problems to other lines, so one
 * counts as known by its source and message, as often as it was there.
 */
export function newProblems(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
): readonly Diagnostic[] {
  const known = new Map<string, number>();
  for (const problem of before)
    known.set(problemKey(problem), (known.get(problemKey(problem)) ?? 0) + 1);
  return after.filter((problem) => {
    const left = known.get(problemKey(problem)) ?? 0;
    known.set(problemKey(problem), left - 1);
    return left <= 0;
  });
}

function problemKey({ severity, source, message }: Diagnostic): string {
  return JSON.stringify([severity, source, message]);
}
