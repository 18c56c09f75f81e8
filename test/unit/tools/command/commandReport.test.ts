import assert from "node:assert/strict";
import type { Shell } from "../../../../src/ports/commands/process.ts";
import { CommandJobs } from "../../../../src/tools/command/commandJobs.ts";
import { commandReport, commandState } from "../../../../src/tools/command/commandReport.ts";

const lines = Array.from({ length: 9_000 }, (_, index) => `line ${index}\n`).join("");

/** Every command writes `output` and ends with `code`. */
const shell = (code: number, output: string): Shell => ({
  name: "fake",
  program: "/bin/fake",
  withheld: () => [],
  async start(_command, _cwd, onOutput) {
    onOutput(output);
    const exited = Promise.resolve({ code, signal: null });
    return { ok: true, value: { exited, kill: async () => undefined } };
  },
});

const start = (code: number, output = lines) =>
  new CommandJobs(shell(code, output)).start({
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

  const notice =
    "npm notice\nnpm notice New minor version of npm available! 11.3.0 -> 11.6.2\nnpm notice To update run: npm install -g npm@11.6.2\nnpm notice\n";
  const failure = "not ok 3 - adds\nnpm error code 1\n";
  const tails: readonly (readonly [string, string, string])[] = [
    ["npm's update notice", `${failure}${notice}`, failure.trimEnd()],
    ["it and blank lines", `${failure}\n${notice}\n\n`, failure.trimEnd()],
    [
      "it with line ends of Windows",
      `${failure}${notice}`.replaceAll("\n", "\r\n"),
      failure.trimEnd(),
    ],
    ["nothing where it comes before", `${notice}${failure}`, `${notice}${failure}`.trimEnd()],
    ["nothing where a line only mentions it", "see npm notice\n", "see npm notice"],
    ["it where there is nothing else", notice, ""],
  ];
  for (const [what, output, tail] of tails)
    it(`leaves out of a failure's last lines ${what}`, async () => {
      const failed = await start(1, output);
      assert.ok(failed.ok);
      await failed.value.exited;
      assert.deepEqual(commandState(failed.value), { code: "exited", exitCode: 1, tail });
    });
});
