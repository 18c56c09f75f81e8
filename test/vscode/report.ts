const LONGEST = 4_000;

/**
 * The part of a mocha run that both hosts share: prints each result where the page's console can be
 * read, as a JSON value that `test/harness/testResults.mjs` describes, and settles with it.
 */
export function report(run: (done: (failures: number) => void) => Mocha.Runner): Promise<void> {
  const tell = (event: object) => console.log(`GRAFT-TEST ${JSON.stringify(event)}`);
  return new Promise((resolve, reject) => {
    const runner = run((failures) => {
      tell({ state: "ended" });
      if (failures) reject(new Error(`${failures} tests failed`));
      else resolve();
    });
    runner.on("test", (test) => tell({ state: "running", title: test.fullTitle() }));
    runner.on("pass", (test) => tell({ ...named(test), state: "passed", ms: test.duration ?? 0 }));
    runner.on("pending", (test) => tell({ ...named(test), state: "skipped" }));
    runner.on("fail", (test, error: unknown) => {
      // A window passes on no long line of its extension host.
      const why = (error instanceof Error ? error.stack : null) ?? String(error);
      tell({ ...named(test), state: "failed", error: why.slice(0, LONGEST) });
    });
  });
}

function named(test: Mocha.Runnable) {
  const isHook = "type" in test && test.type === "hook";
  let suite = test.parent;
  while (suite?.parent && !suite.parent.root) suite = suite.parent;
  // What fails in a hook of all tests concerns all of them.
  const alone = isHook ? "" : test.title;
  const group = suite && !suite.root ? suite.title : alone;
  return { title: test.fullTitle(), group, isHook };
}
