// Mocha's "spec" reporter, which also appends what happens to the file GRAFT_RESULTS, a JSON value
// a line, so that a process that is killed has told of all tests until then: see testResults.mjs.
const fs = require("node:fs");
const { reporters } = require("mocha");

module.exports = class extends reporters.Spec {
  /** @param {import("mocha").Runner} runner @param {import("mocha").MochaOptions} options */
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.GRAFT_RESULTS;
    if (!file) return;
    const tell = (/** @type {object} */ event) =>
      fs.appendFileSync(file, `${JSON.stringify(event)}\n`);
    runner.on("test", (test) => tell({ state: "running", title: test.fullTitle() }));
    runner.on("pass", (test) => tell({ ...named(test), state: "passed" }));
    runner.on("pending", (test) => tell({ ...named(test), state: "skipped" }));
    runner.on("fail", (test, error) =>
      tell({ ...named(test), state: "failed", error: String(error?.stack ?? error) }),
    );
    runner.once("end", () => tell({ state: "ended" }));
  }
};

/** @param {import("mocha").Runnable} test */
function named(test) {
  const isHook = "type" in test && test.type === "hook";
  let suite = test.parent;
  while (suite?.parent && !suite.parent.root) suite = suite.parent;
  // What fails in a hook of all tests concerns all of them.
  const alone = isHook ? "" : test.title;
  const group = suite && !suite.root ? suite.title : alone;
  return { title: test.fullTitle(), group, isHook };
}
