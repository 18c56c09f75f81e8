import assert from "node:assert/strict";

/** What all random choices of a run follow from: GRAFT_SEED repeats one. */
export const SEED = Number(process.env.GRAFT_SEED ?? Math.floor(Math.random() * 100_000));

/** How often something is done: as GRAFT_LOAD_<name> says, else `usual` times. */
export function count(name: string, usual: number): number {
  return Number(process.env[`GRAFT_LOAD_${name}`] ?? usual);
}

/** True once the seconds are over that a part of the usual run has; a part whose count was asked for takes as long as it takes. */
export function secondsFor(name: string, seconds: number): () => boolean {
  const end = process.env[`GRAFT_LOAD_${name}`] === undefined ? Date.now() + seconds * 1000 : Number.POSITIVE_INFINITY;
  return () => Date.now() > end;
}

/** Says how much was done, and fails when anything was wrong. */
export function failWith(wrong: readonly string[], done: number, what: string): void {
  console.log(`      ${wrong.length} wrong of ${done} ${what}, seed ${SEED}`);
  assert.equal(wrong.length, 0, `${wrong.length} of ${done} ${what} went wrong, seed ${SEED}:\n\n${wrong.join("\n\n")}`);
}
