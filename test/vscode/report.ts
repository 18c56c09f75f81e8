const LONGEST = 4_000;

/**
 * The part of a mocha run that both hosts share: prints each result where the page's console can be
 * read, and settles with it.
 */
export function report(run: (done: (failures: number) => void) => Mocha.Runner): Promise<void> {
  return new Promise((resolve, reject) => {
    const counts = { passes: 0, failures: 0, skipped: 0 };
    const runner = run((failures) => {
      console.log(`GRAFT-TESTS ${JSON.stringify(counts)}`);
      if (failures) reject(new Error(`${failures} tests failed`));
      else resolve();
    });
    runner.on("pass", (test) => {
      counts.passes++;
      console.log(`GRAFT-TEST ✔ ${test.fullTitle()}`);
    });
    runner.on("pending", (test) => {
      counts.skipped++;
      console.log(`GRAFT-TEST - skipped: ${test.fullTitle()}`);
    });
    runner.on("fail", (test, error: unknown) => {
      counts.failures++;
      // A window passes on no long line of its extension host.
      const why = (error instanceof Error ? error.stack : null) ?? String(error);
      console.log(`GRAFT-TEST ✘ ${test.fullTitle()}\n${why.slice(0, LONGEST)}`);
    });
  });
}
