/** Fails unless both values have the same JSON. There is no node:assert in the web worker host. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, got ${a}`);
}

/** Fails unless the text matches. */
export function expectMatch(actual: unknown, pattern: RegExp, what: string): void {
  if (typeof actual !== "string" || !pattern.test(actual))
    throw new Error(`${what}: expected ${pattern}, got ${JSON.stringify(actual)}`);
}

/** Settles with the first value that is not null, undefined or false; fails after 50 s. */
export async function eventually<T>(
  what: string | (() => string),
  look: () => T | null | undefined | false | PromiseLike<T | null | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + 50_000;
  // A look may ask the window: what takes long is looked at less often.
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 200)) {
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadline) {
      const awaited = typeof what === "string" ? what : what();
      throw new Error(`waited in vain for ${awaited}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
