import Mocha from "mocha";
import { report } from "./report.ts";

/** Called by VS Code in the node extension host. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: "tdd", timeout: 180_000, grep: process.env.GRAFT_GREP ?? "" });
  mocha.suite.emit("pre-require", globalThis, "suites", mocha);
  await import("graft:suites");
  await report((done) => mocha.run(done));
}
