import { seededRandom } from "../fakes/seededRandom.ts";

/** Numbers that look random and are the same for the same seed. */
export interface RandomChoices {
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(values: readonly T[]): T[];
}

/** Choices that follow from a seed. */
export function randomChoices(seed: number): RandomChoices {
  const below = seededRandom(seed);
  return {
    int: (low, high) => low + below(high - low + 1),
    chance: (percent) => below(100) < percent,
    pick(from) {
      const picked = from[below(from.length)];
      if (picked === undefined) throw new Error("There is nothing to pick from.");
      return picked;
    },
    shuffled: (values) =>
      values
        .map((value) => ({ value, at: below(2 ** 30) }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value),
  };
}
