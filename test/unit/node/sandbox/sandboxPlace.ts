import assert from "node:assert/strict";
import { startChild } from "../../../../src/node/processes/childProcess.ts";
import type { CommandPlace, Program } from "../../../../src/ports/commands/process.ts";
import type { Sandbox } from "../../../../src/ports/commands/shadow.ts";
import { needsShadows, type ShadowWorkspace, shadowWorkspace } from "../shadow/shadowWorkspace.ts";

const signal = new AbortController().signal;

/** A workspace whose commands can have a sandbox; skips a suite where there is none. */
export async function sandboxWorkspace(suite: Mocha.Context): Promise<ShadowWorkspace> {
  await needsShadows(suite, "overlay");
  const files = { "a.txt": "a\n", ".gitignore": "out/\n" };
  const workspace = await shadowWorkspace(files, "overlay");
  const problem = await workspace.shadows.sandboxProblem();
  if (problem === null) return workspace;
  await workspace.remove();
  console.log(`    no sandbox here: ${problem.code} ${problem.detail}`);
  return suite.skip();
}

/** Enters a new stay in the shadow, in which `use` has a sandbox. */
export async function inNewSandbox<T>(
  workspace: ShadowWorkspace,
  use: (sandbox: Sandbox, shadow: CommandPlace) => Promise<T>,
): Promise<T> {
  const shadow = workspace.shadows.of("chat");
  const place = await shadow.enter([workspace.proposed("a.txt", "proposed\n")], signal);
  assert.ok(place.ok);
  const made = await place.value.newSandbox();
  assert.ok(made.ok);
  try {
    return await use(made.value, place.value);
  } finally {
    await shadow.leave();
  }
}

/** Starts a program as Graft does; `said` is what it wrote by now. */
export async function startProgram(program: Program) {
  let output = "";
  const listen = (text: string) => {
    output += text;
  };
  const child = await startChild({
    ...program,
    ...{
      env: { ...process.env, ...program.variables },
      input: "",
      verbatim: false,
      onStdout: listen,
      onStderr: listen,
    },
  });
  assert.ok(child.ok);
  return { child: child.value, said: () => output };
}

/** A command line in a shell. */
export function shellCommand(command: string, cwd: string): Program {
  return { file: "/bin/sh", args: ["-c", command], cwd };
}
