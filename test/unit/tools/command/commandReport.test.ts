import assert from "node:assert/strict";
import type { Shell } from "../../../../src/ports/commands/process.ts";
import { CommandJobs } from "../../../../src/tools/command/commandJobs.ts";
import { commandReport, commandState } from "../../../../src/tools/command/commandReport.ts";

const lines = Array.from({ length: 9_000 }, (_, index) => `line ${index}\n`).join("");

/** Every command writes `lines` and ends with `code`. */
const shell = (code: number): Shell => ({
  name: "fake",
  program: "/bin/fake",
  withheld: () => [],
  async start(_command, _cwd, onOutput) {
    onOutput(lines);
    const exited = Promise.resolve({ code, signal: null });
    return { ok: true, value: { exited, kill: async () => undefined } };
  },
});

const start = (code: number) =>
  new CommandJobs(shell(code)).start({
    command: "x",
    cwd: { path: ".", uri: "file:///w" },
    turnId: "t",
    callId: "c",
    onOutput: () => undefined,
    signal: new AbortController().signal,
  });

describe("the report on a command", () => {
  it("omits the middle, and says where to read on, also when it begins later", async () => {
    const started = await start(0);
    assert.ok(started.ok);
    for (const from of [0, 5_000]) {
      const report = commandReport(started.value, from);
      const offset = Number(/"offset":(\d+)/.exec(report)?.[1]);
      const shown = report.slice(report.indexOf("line "), report.indexOf("[")).trimEnd();
      const rest = lines.slice(from, offset);
      assert.equal(shown, rest.slice(rest.indexOf("line ")).trimEnd());
      assert.ok(report.endsWith("line 8999\n"));
    }
  });

  it("has the last lines of a command that failed, for the panel", async () => {
    const [failed, done] = [await start(2), await start(0)];
    assert.ok(failed.ok && done.ok);
    await Promise.all([failed.value.exited, done.value.exited]);
    const tail = lines.trimEnd().split("\n").slice(-10).join("\n");
    assert.deepEqual(commandState(failed.value), { code: "exited", exitCode: 2, tail });
    assert.deepEqual(commandState(done.value), { code: "exited", exitCode: 0 });
  });
});
