import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";

/** Runs `work` while the clock stands still: only `mock.timers.tick` lets time pass. */
export async function withStandingClock<T>(work: () => Promise<T>): Promise<T> {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    return await work();
  } finally {
    mock.timers.reset();
  }
}

/** Lets time pass on a standing clock until `work` settles. */
export async function passTime<T>(work: Promise<T>): Promise<T> {
  let settled = false;
  const done = () => {
    settled = true;
  };
  work.then(done, done);
  while (!settled) {
    await setImmediate();
    mock.timers.tick(10);
  }
  return work;
}
