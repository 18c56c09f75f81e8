import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { campaignRuns } from "../../fakes/campaignRuns.ts";

/** So often a parser is made and freed. */
const ROUNDS = campaignRuns(2, 10);

/**
 * Run in a process of its own, in which nothing has started the runtime yet. Prints how often it was
 * started.
 */
const TWO_AT_ONCE = `
  const { createSyntax } = require("./src/syntax/createSyntax.ts");
  const { nodeGrammarSource } = require("./test/fakes/editor/nodeGrammarSource.ts");
  const signal = new AbortController().signal;
  const open = () => createSyntax(nodeGrammarSource(), console).openFile("a.ts", "typescript", "f();\\n".repeat(200), signal);
  (async () => {
    const { Parser } = await import("web-tree-sitter");
    const { init } = Parser;
    let starts = 0;
    Parser.init = (...options) => {
      starts += 1;
      return init(...options);
    };
    for (const document of await Promise.all([open(), open()])) document.dispose();
    for (let round = 0; round < ${ROUNDS}; round++) {
      (await open()).dispose();
      gc();
      await new Promise(setImmediate);
    }
    console.log(starts);
  })();
`;

describe("the grammars' runtime", () => {
  it("is started once, also where two ask for it at the same time, so that no parser is freed in another's memory", async () => {
    const args = ["--import", "tsx", "--expose-gc", "-e", TWO_AT_ONCE];
    assert.deepEqual(await promisify(execFile)(process.execPath, args), {
      stdout: "1\n",
      stderr: "",
    });
  });
});
