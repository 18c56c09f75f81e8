import { Readable, Writable } from "node:stream";
import { runCommandLine } from "../../src/cli/runCommandLine.ts";
import type { CliResult } from "./cliBundle.ts";
import { nodeGrammarSource } from "./editor/nodeGrammarSource.ts";

/**
 * Runs the command line in this process with the home folder `home`. It costs a third of a process
 * of its own, which is for tests of signals, pipes and what is left of other processes.
 */
export async function runHere(
  home: string,
  args: readonly string[],
  stdin = "",
  apiKey: string | null = null,
): Promise<CliResult> {
  const text = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof text) =>
    new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        text[name] += chunk;
        done();
      },
    });
  const { HOME } = process.env;
  process.env.HOME = home;
  try {
    const status = await runCommandLine(args, {
      ...{ stdin: Readable.from([stdin]), stdout: sink("stdout"), stderr: sink("stderr") },
      ...{ grammars: nodeGrammarSource(), apiKey, mcpToken: null, version: "0.0.0" },
      interrupted: new AbortController().signal,
    });
    return { status, ...text };
  } finally {
    if (HOME === undefined) delete process.env.HOME;
    else process.env.HOME = HOME;
  }
}
