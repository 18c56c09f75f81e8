import assert from "node:assert/strict";
import { MOST_RUNS } from "../../../../src/tools/command/findBreakingPart.ts";
import { inventedFaults } from "../../../bench/breaking/searchedFaults.ts";
import { verdictRow, verdictTable } from "../../../bench/breaking/verdictTable.ts";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";

// More by hand: GRAFT_FAULTS=50 GRAFT_SEED=1000.
const FAULTS = Number(process.env.GRAFT_FAULTS ?? campaignRuns(2, 4));
const SEED = Number(process.env.GRAFT_SEED ?? 1);

describe("the search for a fault that was planted in a commit", () => {
  it(`names a proven change, mostly the one with it, in ${FAULTS} commits, seed ${SEED}`, async function () {
    this.timeout(60_000 + FAULTS * 60_000);
    const searched = await inventedFaults(SEED, FAULTS);
    console.log(verdictTable(searched));
    for (const one of searched) {
      assert.notEqual(one.verdict, "wrong", verdictRow(one));
      assert.ok(one.runs <= MOST_RUNS, verdictRow(one));
      // Another change can be proven, too: one that is of no use without the faulty one.
      if (one.isProvable) assert.notEqual(one.verdict, "none", verdictRow(one));
    }
    const right = searched.filter(({ verdict }) => verdict === "right");
    assert.ok(right.length * 2 > searched.length, searched.map(verdictRow).join("\n"));
  });
});
