import "mocha/mocha.js";
import { askedTests } from "./askedTests.ts";
import { report } from "./report.ts";

/** Called by VS Code in the web worker extension host. */
export async function run(): Promise<void> {
  mocha.setup({ ui: "tdd", reporter: "spec", ...(await askedTests()) });
  await import("graft:suites");
  await report((done) => mocha.run(done));
}
