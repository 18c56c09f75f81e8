import fc from "fast-check";

// Property tests play the same cases in every run, so that what fails is the change. GRAFT_SEED
// plays others.
fc.configureGlobal({ seed: Number(process.env.GRAFT_SEED ?? 1) });
