import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeShell } from "../../../../src/node/processes/nodeShell.ts";
import { backgroundCommands } from "../../../../src/tools/command/backgroundCommands.ts";
import { CommandJobs } from "../../../../src/tools/command/commandJobs.ts";
import { comes } from "../../../fakes/comes.ts";
import { commandTool } from "../../../fakes/commandTool.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { fileWithText, processGone } from "../processes.ts";
import { type ToolHarness, toolHarness } from "../toolHarness.ts";

describe("command tools", () => {
  let folder: TempFolder;
  let tools: ToolHarness;
  /** They wait for an early end however slow the machine is. */
  let patient: ToolHarness;
  let jobs: CommandJobs;
  const call: ToolHarness["call"] = (...args) => tools.call(...args);
  const run = (command: string, more: object = {}, signal?: AbortSignal) =>
    call("run_command", { command, ...more }, signal);
  const pidOf = async (name: string) => Number(await fileWithText(path.join(folder.root, name)));

  beforeEach(async () => {
    folder = await tempFolder({ "sub/here.txt": "here\n" });
    const workspace = await createNodeWorkspace(folder.root);
    const shell = createNodeShell();
    jobs = new CommandJobs(shell);
    tools = toolHarness([commandTool(workspace, jobs, shell.name), ...backgroundCommands(jobs)]);
    patient = toolHarness([commandTool(workspace, jobs, shell.name, { lookMs: 60_000 })]);
  });
  afterEach(async () => {
    await jobs.dispose();
    await folder.remove();
  });

  /** What a running command has written, once it has `text`, after what `run_command` showed of it. */
  async function written(id: string, text: string, shown: string): Promise<string> {
    let all = shown.split("\n").slice(1).join("\n").replace("(no output)", "");
    await comes(`the output ${text}`, async () => {
      if (all.includes(text)) return true;
      const more = await call("read_command_output", { command_id: id });
      all += more.split("\n").slice(1).join("\n").replace("(no output)", "");
      return false;
    });
    return all;
  }

  it("returns the exit code and both outputs", async () => {
    assert.equal(await run("echo out; echo err >&2; exit 3"), "Exit code 3.\nout\nerr\n");
    assert.equal(await run("true"), "Exit code 0.\n(no output)");
    assert.equal(await run("cat here.txt", { working_directory: "sub" }), "Exit code 0.\nhere\n");
    assert.match(await run("nonsense-command"), /^Exit code 127\.\n.*not found/s);
    assert.equal(await run("printf 'Größe 概要 😀'"), "Exit code 0.\nGröße 概要 😀");
  });

  it("gives commands an empty input and no terminal", async () => {
    assert.equal(await run("cat; test -t 0 || echo no terminal"), "Exit code 0.\nno terminal\n");
  });

  it("hides the API key and VS Code's variables from commands", async () => {
    const names = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "VSCODE_PID", "ELECTRON_RUN_AS_NODE"];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = "leak-1234";
    try {
      assert.doesNotMatch(await run("env"), /leak-1234/);
    } finally {
      for (const [index, name] of names.entries()) {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      }
    }
  });

  it("runs only in folders of the workspace", async () => {
    for (const working_directory of ["..", "/etc", "gone", "sub/here.txt"]) {
      assert.match(
        await run("pwd", { working_directory }),
        /^Error \((permission|not-found|validation)\)/,
        working_directory,
      );
    }
  });

  it("shows the start and the end of a long output, and reads the middle on request", async () => {
    const output = await run("for i in $(seq 1 20000); do echo line $i; done");
    assert.match(output, /^Exit code 0\.\nline 1\nline 2\n/);
    assert.match(output, /\nline 20000\n$/);
    const [, left, args = ""] =
      /\n\[(\d+) characters omitted\. To see them: read_command_output (\{.*\})\]\n/.exec(output) ??
      [];
    assert.ok(Number(left) > 100_000);
    const shown = output.slice(0, output.indexOf("\n[")).split("\n").at(-1);
    assert.match(
      await call("read_command_output", JSON.parse(args)),
      new RegExp(`^Exit code 0\\.\nline ${Number(shown?.slice(5)) + 1}\n`),
    );
  });

  it("keeps the end of a huge output and says what is gone", async () => {
    const output = await run("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end");
    assert.match(output, /^Exit code 0\.\n\[\d+ earlier characters are no longer kept\]\nx/);
    assert.match(output, /x?\nend\n$/);
    assert.ok(output.length < 30_000);
  });

  it("shows only the last state of a progress bar, without colors", async () => {
    assert.equal(
      await run("printf '10%%\\r50%%\\r100%%\\ndone\\r\\n\\033[31mred\\033[0m\\n'"),
      "Exit code 0.\n100%\ndone\nred\n",
    );
  });

  it("emits the output of a running command", async () => {
    const shown = () =>
      tools.events.flatMap((event) => (event.type === "tool-progress" ? [event.text] : []));
    const over = run("echo working; until [ -f gate ]; do sleep 0.02; done; echo more");
    await comes("its output", () => shown().length > 0);
    assert.equal(shown()[0], "working\n");
    await folder.write("gate", "");
    await over;
  });

  it("moves a slow command to the background, where it can be read and killed with its children", async () => {
    const output = await run("echo started; sleep 300 & echo $! > pid; wait", {
      timeout_seconds: 1,
    });
    assert.match(output, /^Still running after \d+ s as c1\. /);
    assert.equal(await written("c1", "started\n", output), "started\n");
    const pid = await pidOf("pid");
    assert.match(
      await call("read_command_output", { command_id: "c1" }),
      /^Still running after \d+ s as c1\..*\n\(no output\)$/,
    );
    assert.match(
      await call("kill_command", { command_id: "c1" }),
      /^It was ended\. Ended by SIGTERM\./,
    );
    await processGone(pid);
    assert.match(await call("kill_command", { command_id: "c1" }), /^It had already ended\./);
  });

  it("starts a server in the background and reports an early failure", async () => {
    const listening = await run("echo listening; sleep 300", { background: true });
    assert.match(listening, /^Still running after \d+ s as c1\./);
    assert.equal(await written("c1", "listening\n", listening), "listening\n");
    const background = true;
    assert.match(
      await patient.call("run_command", { command: "echo port in use; exit 1", background }),
      /^Exit code 1\.\nport in use\n$/,
    );
    await call("kill_command", { command_id: "c1" });
    const reading = { command: "read -r line < gate.txt; echo $line", background };
    const ended = await patient.call("run_command", reading);
    assert.match(ended, /gate\.txt/);
    assert.match(
      await run("until [ -f gate ]; do sleep 0.02; done; echo open", { background: true }),
      /^Still running .* c4/,
    );
    await folder.write("gate", "");
    assert.equal(
      await call("read_command_output", { command_id: "c4", wait_seconds: 20 }),
      "Exit code 0.\nopen\n",
    );
  });

  it("kills a command and its children when the turn stops, even if they ignore SIGTERM", async () => {
    const stop = new AbortController();
    const output = run(
      "trap '' TERM; (trap '' TERM; echo $BASHPID > inner; sleep 300) & echo $$ > outer; wait",
      {},
      stop.signal,
    );
    const pids = [await pidOf("inner"), await pidOf("outer")];
    stop.abort();
    assert.match(await output, /^Error \(cancelled\)/);
    for (const pid of pids) await processGone(pid);
  });

  it("kills the children of a finished command", async () => {
    assert.match(await run("sleep 300 & echo $! > pid"), /^Exit code 0\./);
    await processGone(await pidOf("pid"));
  });

  it("kills running commands when the window closes", async () => {
    await run("echo $$ > pid; sleep 300", { background: true });
    const pid = await pidOf("pid");
    await jobs.dispose();
    await processGone(pid);
  });

  it("names the known commands, and limits how many run", async () => {
    assert.equal(await tools.code("kill_command", { command_id: "c7" }), "unknown-command");
    await Promise.all(Array.from({ length: 10 }, () => run("sleep 300", { background: true })));
    assert.equal(
      await tools.code("run_command", { command: "echo one more" }),
      "too-many-commands",
    );
    assert.match(await call("read_command_output", { command_id: "x" }), /The commands are: c1, /);
  });

  it("forgets finished commands but the last twenty", async () => {
    for (let count = 0; count < 22; count++) await run("true");
    assert.equal(await tools.code("read_command_output", { command_id: "c1" }), "unknown-command");
    assert.match(await call("read_command_output", { command_id: "c22" }), /^Exit code 0\./);
  });

  it("waits for late output", async () => {
    assert.equal(
      await run("echo first; (sleep 0.05; echo second)"),
      "Exit code 0.\nfirst\nsecond\n",
    );
    assert.equal((await readFile(path.join(folder.root, "sub/here.txt"), "utf8")).trim(), "here");
  });
});
