import assert from "node:assert/strict";
import { setTimeout as after } from "node:timers/promises";

/** How long anything may take to come, in milliseconds: long enough for a busy machine. */
const LIMIT_MS = 60_000;
const LOOK_MS = 5;

/** Settles once `check` is true; fails, naming `what`, where that takes a minute. */
export async function comes(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  await found(what, async () => (await check()) || null);
}

/** Gives what `look` finds; fails, naming `what`, where it finds nothing for a minute. */
export async function found<T>(what: string, look: () => T | null | Promise<T | null>): Promise<T> {
  const until = performance.now() + LIMIT_MS;
  for (;;) {
    const isLast = performance.now() >= until;
    const value = await look();
    if (value !== null) return value;
    if (isLast) assert.fail(`It never comes: ${what}`);
    await after(LOOK_MS);
  }
}
