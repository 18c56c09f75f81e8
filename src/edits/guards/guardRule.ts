import type { BlockWarning } from "../../ports/review.ts";

/** One reason to warn of a block: a row of the table in `guardRules`. */
export interface GuardRule<Facts> {
  /** Unique in the table. */
  readonly name: string;
  /** When it warns, as the contract says it. */
  readonly says: string;
  readonly find: (facts: Facts) => BlockWarning | null;
}

/** The warnings that rules give: of each code the first. */
export function warningsBy<Facts>(
  rules: readonly GuardRule<Facts>[],
  facts: Facts,
): readonly BlockWarning[] {
  const found = new Map<BlockWarning["code"], BlockWarning>();
  for (const { find } of rules) {
    const warning = find(facts);
    if (warning && !found.has(warning.code)) found.set(warning.code, warning);
  }
  return [...found.values()];
}
