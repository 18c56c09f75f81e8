import fc from "fast-check";

const { GRAFT_SEED = "1" } = process.env;

// Property tests play the same cases in every run, so that a failure is the change's. GRAFT_SEED=random GRAFT_RUNS=1000 looks for new ones.
if (GRAFT_SEED !== "random") fc.configureGlobal({ seed: Number(GRAFT_SEED) });
