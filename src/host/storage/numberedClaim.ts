import { parseJson } from "../../base/text/parseJson.ts";
import type { SmallFiles } from "../../ports/eventLog.ts";
import type { Claim } from "./lease.ts";
import { claimName, claimNumber } from "./recordNames.ts";

/**
 * A claim whose changes have a file each, of which the one with the highest number counts. Of
 * windows that swap it, however late, one has it, since only one can create the next file.
 */
export function numberedClaim(files: SmallFiles): Claim {
  /** The text that counts, the numbers below it, and the highest number: a crash may tear a file. */
  async function latest() {
    const names = await files.list().catch(() => []);
    const numbers = names.flatMap((name) => claimNumber(name) ?? []).sort((a, b) => b - a);
    const [highest = 0] = numbers;
    for (const [index, number] of numbers.entries()) {
      const text = await files.open(claimName(number)).read();
      if (text !== null && parseJson(text) !== undefined)
        return { text, highest, older: numbers.slice(index + 1) };
    }
    return { text: null, highest, older: [] };
  }

  return {
    read: async () => (await latest()).text,
    async swap(found, text) {
      const { text: now, highest, older } = await latest();
      if (now !== found || !(await files.open(claimName(highest + 1)).create(text))) return false;
      if ((await latest()).text !== text) return false;
      for (const number of older) await files.open(claimName(number)).remove();
      return true;
    },
    // The last holder stays known.
    remove: async () => undefined,
  };
}
