import type { SmallFiles } from "../../ports/eventLog.ts";
import { type Claim, parseClaim } from "./lease.ts";
import { claimName, claimNumber, MOST_CLAIMS } from "./recordNames.ts";

/**
 * A claim whose changes have a file each, of which the one with the highest number counts. Of
 * windows that swap it, however late, one has it, since only one can create the next file.
 */
export function numberedClaim(files: SmallFiles): Claim {
  const numbered = async () => {
    const names = await files.list().catch(() => []);
    return names.flatMap((name) => claimNumber(name) ?? []).sort((a, b) => b - a);
  };

  /** The text that counts, the numbers below it, and the highest number: a crash may tear a file. */
  async function latest() {
    const numbers = await numbered();
    const [highest = 0] = numbers;
    for (const [index, number] of numbers.entries()) {
      const text = await files.open(claimName(number)).read();
      if (parseClaim(text)) return { text, highest, older: numbers.slice(index + 1) };
    }
    return { text: null, highest, older: numbers };
  }

  /** Begins again below a highest number, which no window has counted to. */
  async function next(highest: number): Promise<number> {
    if (highest < MOST_CLAIMS) return highest + 1;
    for (const number of await numbered()) {
      const file = files.open(claimName(number));
      await (file.setAside ? file.setAside() : file.remove());
    }
    return 1;
  }

  return {
    read: async () => (await latest()).text,
    async swap(found, text) {
      const { text: now, highest, older } = await latest();
      if (now !== found) return false;
      if (!(await files.open(claimName(await next(highest))).create(text))) return false;
      if ((await latest()).text !== text) return false;
      // One that stays is below the one that counts.
      for (const number of older)
        await files
          .open(claimName(number))
          .remove()
          .catch(() => undefined);
      return true;
    },
    // The last holder stays known.
    remove: async () => undefined,
  };
}
