// A longer campaign by hand: GRAFT_LOAD_ANSWERS=400 GRAFT_SEED=1 npm test -- load. Also read:
// GRAFT_LOAD_DEMO, GRAFT_LOAD_STREAM_CRASHES, GRAFT_LOAD_ACCEPT_CRASHES (counts), GRAFT_LOAD_IDLE=1
// (no load), GRAFT_LOAD_LOOPS (busy processes), GRAFT_LOAD_PATIENCE (seconds), GRAFT_LOAD_WITHOUT
// (actions to leave out, separated by commas), GRAFT_LOAD_TRACE=1 (prints what the user does).
import assert from "node:assert/strict";

/** What all random choices of a run follow from: GRAFT_SEED repeats one. */
export const SEED = Number(process.env.GRAFT_SEED ?? 1);

/** How often something is done: as GRAFT_LOAD_<name> says, else `usual` times. */
export function count(name: string, usual: number): number {
  return Number(process.env[`GRAFT_LOAD_${name}`] ?? usual);
}

const start = Date.now();

/**
 * True once the usual run, which began `seconds` ago, has no more time for a part; one whose count
 * was asked for takes as long as it takes.
 */
export function outOfTime(name: string, seconds: number): boolean {
  return process.env[`GRAFT_LOAD_${name}`] === undefined && Date.now() - start > seconds * 1000;
}

/** Says how much was done, and fails when anything was wrong. */
export function failWith(wrong: readonly string[], done: number, what: string): void {
  console.log(`      ${wrong.length} wrong of ${done} ${what}, seed ${SEED}`);
  assert.equal(
    wrong.length,
    0,
    `${wrong.length} of ${done} ${what} went wrong, seed ${SEED}:\n\n${wrong.join("\n\n")}`,
  );
}
