import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { runCommandLine } from "../../src/cli/runCommandLine.ts";
import type { CliResult } from "./cliBundle.ts";
import { nodeGrammarSource } from "./editor/nodeGrammarSource.ts";

/** A run of the command line in this process. */
export interface RunningHere {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
  /** Its exit status. */
  readonly ended: Promise<number>;
}

/**
 * Starts the command line in this process with the home folder `home` and more variables of the
 * environment; it ends with its input. One at a time runs here. It costs a third of a process of
 * its own, which is for tests of signals, pipes and what is left of other processes.
 */
export function startHere(
  home: string,
  args: readonly string[],
  apiKey: string | null = null,
  env: Readonly<Record<string, string>> = {},
): RunningHere {
  const streams = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  };
  const before = { ...process.env };
  Object.assign(process.env, { HOME: home, ...env });
  const run = async () => {
    try {
      return await runCommandLine(args, {
        ...streams,
        ...{ grammars: nodeGrammarSource(), apiKey, mcpToken: null, version: "0.0.0" },
        interrupted: new AbortController().signal,
      });
    } finally {
      for (const name of ["HOME", ...Object.keys(env)]) delete process.env[name];
      Object.assign(process.env, before);
    }
  };
  return { ...streams, ended: run() };
}

/** Runs the command line in this process to its end, see {@link startHere}. */
export async function runHere(
  home: string,
  args: readonly string[],
  stdin = "",
  apiKey: string | null = null,
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  const { stdin: input, stdout, stderr, ended } = startHere(home, args, apiKey, env);
  input.end(stdin);
  const [out, errors] = [text(stdout), text(stderr)];
  const status = await ended;
  stdout.end();
  stderr.end();
  return { status, stdout: await out, stderr: await errors };
}
