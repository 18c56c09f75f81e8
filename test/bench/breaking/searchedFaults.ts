import { randomChoices } from "../../load/randomChoices.ts";
import { inventedCommit } from "./inventedCommit.ts";
import { type BenchFolder, inventedGround } from "./inventedGround.ts";
import { type CommitFile, plantFault } from "./plantedFault.ts";
import { commitParts, type SearchedFault, searchFault } from "./searchFault.ts";
import { verdictRow } from "./verdictTable.ts";

/** How many parts a commit has that takes part. */
export const [FEWEST_PARTS, MOST_PARTS] = [3, 8];
/** Faults that no test notices are not counted. */
const TRIES = 60;

/** Searches so many faults in invented commits, whose numbers begin with `first`. */
export async function inventedFaults(
  first: number,
  most: number,
): Promise<readonly SearchedFault[]> {
  const searched: SearchedFault[] = [];
  for (let seed = first; searched.length < most; seed++) {
    const files = inventedCommit(seed);
    const count = commitParts(files).parts.length;
    if (count < FEWEST_PARTS || count > MOST_PARTS) continue;
    const before = files.filter((file) => file.before !== "");
    const ground = inventedGround(new Map(before.map((file) => [file.path, file.before])));
    searched.push(...(await plantedFault(`${seed}`, files, ground, seed, TRIES)));
    ground.remove();
  }
  return searched;
}

/** Plants a fault that the check notices, and searches it; empty where there was none. */
export async function plantedFault(
  name: string,
  files: readonly CommitFile[],
  ground: BenchFolder,
  seed: number,
  tries: number,
): Promise<readonly SearchedFault[]> {
  const lines = commitParts(files).texts.flatMap(({ path, line, added }) =>
    path.startsWith("src/") ? added.map((_, at) => ({ path, line: (line ?? 1) + at })) : [],
  );
  const random = randomChoices(seed);
  for (let left = tries, looked = 0; lines.length > 0 && left > 0 && looked < 500; looked++) {
    const fault = plantFault(files, lines, random);
    if (!fault) continue;
    left--;
    const one = await searchFault(name, fault, ground);
    if (!one) continue;
    if (process.env.GRAFT_DETAILS) console.log(verdictRow(one));
    return [one];
  }
  return [];
}
