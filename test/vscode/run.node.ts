import Mocha from "mocha";
import { askedTests } from "./askedTests.ts";
import { report } from "./report.ts";

/** Called by VS Code in the node extension host. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: "tdd", ...(await askedTests()) });
  mocha.suite.emit("pre-require", globalThis, "suites", mocha);
  await import("graft:suites");
  await report((done) => mocha.run(done));
}
