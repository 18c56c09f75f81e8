import { historyCommits, historyGround, noHistory } from "./breaking/historyCommits.ts";
import { FEWEST_PARTS, inventedFaults, plantedFault } from "./breaking/searchedFaults.ts";
import { commitParts, type SearchedFault } from "./breaking/searchFault.ts";
import { verdictTable } from "./breaking/verdictTable.ts";

/** The invented commits from this number on are in no test. */
const UNSEEN = 20_000;
/** The most parts of a commit of this repository. */
const MOST_PARTS = 40;
/** Faults that no test notices are not counted. */
const HISTORY_TRIES = 8;
/** Slower checks take no part: each fault needs a dozen runs. */
const LONGEST_CHECK_MS = 20_000;

async function historyFaults(most: number): Promise<readonly SearchedFault[]> {
  const searched: SearchedFault[] = [];
  for (const commit of historyCommits()) {
    if (searched.length >= most) break;
    const { parts } = commitParts(commit.files);
    if (parts.length < FEWEST_PARTS || parts.length > MOST_PARTS) continue;
    const ground = historyGround(commit);
    const after = new Map(commit.files.map((file) => [file.path, file.after || null]));
    const seed = Number.parseInt(commit.id.slice(0, 6), 16);
    const startedAt = Date.now();
    // Packages of old commits may be others.
    const passed = (await ground.check(after))?.passed === true;
    if (passed && Date.now() - startedAt < LONGEST_CHECK_MS)
      searched.push(
        ...(await plantedFault(commit.id.slice(0, 8), commit.files, ground, seed, HISTORY_TRIES)),
      );
    ground.remove();
  }
  return searched;
}

async function main(): Promise<void> {
  const first = Number(process.env.GRAFT_SEED ?? UNSEEN);
  const most = Number(process.env.GRAFT_RUNS ?? 50);
  const history = Number(process.env.GRAFT_COMMITS ?? 20);
  console.log(`  Faults planted in invented commits, from seed ${first} on:\n`);
  console.log(verdictTable(await inventedFaults(first, most)));
  const reason = noHistory();
  console.log("\n  Faults planted in the newest commits of this repository:\n");
  console.log(reason === null ? verdictTable(await historyFaults(history)) : `  none: ${reason}`);
}

void main();
