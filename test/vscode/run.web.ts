import "mocha/mocha.js";
import { report } from "./report.ts";

/** Called by VS Code in the web worker extension host. */
export async function run(): Promise<void> {
  mocha.setup({
    ui: "tdd",
    timeout: 180_000,
    reporter: "spec",
    grep: process.env.GRAFT_GREP ?? "",
  });
  await import("graft:suites");
  await report((done) => mocha.run(done));
}
