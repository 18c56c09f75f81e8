import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Run in a process of its own, in which nothing has started the runtime yet. */
const TWO_AT_ONCE = `
  const { createSyntax } = require("./src/syntax/createSyntax.ts");
  const { nodeGrammarSource } = require("./test/fakes/editor/nodeGrammarSource.ts");
  const signal = new AbortController().signal;
  const open = () => createSyntax(nodeGrammarSource(), console).openFile("a.ts", "typescript", "f();\\n".repeat(200), signal);
  (async () => {
    for (const document of await Promise.all([open(), open()])) document.dispose();
    for (let round = 0; round < 10; round++) {
      (await open()).dispose();
      gc();
      await new Promise(setImmediate);
    }
  })();
`;

describe("the grammars' runtime", () => {
  it("is started once, also where two ask for it at the same time, so that no parser is freed in another's memory", async () => {
    const args = ["--import", "tsx", "--expose-gc", "-e", TWO_AT_ONCE];
    assert.deepEqual(await promisify(execFile)(process.execPath, args), { stdout: "", stderr: "" });
  });
});
