/** Numbers that look random and are the same for the same seed. */
export interface SeededRandom {
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(values: readonly T[]): T[];
}

/** The generator mulberry32. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    int,
    chance: (percent) => next() * 100 < percent,
    pick(from) {
      const picked = from[int(0, from.length - 1)];
      if (picked === undefined) throw new Error("There is nothing to pick from.");
      return picked;
    },
    shuffled: (values) =>
      values
        .map((value) => ({ value, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value),
  };
}
