// Mocha's "spec" reporter, which also writes the counts and what failed to the file GRAFT_COUNTS.
const fs = require("node:fs");
const { reporters } = require("mocha");

module.exports = class extends reporters.Spec {
  /** @param {import("mocha").Runner} runner @param {import("mocha").MochaOptions} options */
  constructor(runner, options) {
    super(runner, options);
    /** @type {string[]} */
    const failed = [];
    runner.on("fail", (test, error) =>
      failed.push(`${test.fullTitle()}\n${error?.stack ?? error}`),
    );
    runner.once("end", () => {
      if (!process.env.GRAFT_COUNTS) return;
      const { passes, failures, pending } = this.stats;
      fs.writeFileSync(
        process.env.GRAFT_COUNTS,
        JSON.stringify({ passes, failures, skipped: pending, failed }),
      );
    });
  }
};
