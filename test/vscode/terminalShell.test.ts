import * as vscode from "vscode";
import { createTerminalShell } from "../../src/host/terminal/terminalShell.ts";
import type { ProcessExit, Shell } from "../../src/ports/commands/process.ts";
import type { FileRef } from "../../src/ports/workspace.ts";
import { eventually, expectEqual, expectMatch } from "./expect.ts";

suite("commands in VS Code's terminal", () => {
  let finish: (exit: ProcessExit) => void = () => undefined;
  let kills = 0;
  /** Writes one line, and ends when the test says so. */
  const scripted: Shell = {
    name: "bash",
    program: "/bin/bash",
    withheld: () => [],
    async start(command, _cwd, onOutput, signal) {
      if (signal.aborted) return { ok: false, error: { code: "stopped", program: "bash" } };
      const exited = new Promise<ProcessExit>((resolve) => {
        finish = resolve;
      });
      onOutput(`ran ${command}\n`);
      const kill = async () => {
        kills += 1;
        finish({ code: null, signal: "SIGTERM" });
      };
      return { ok: true, value: { exited, kill } };
    },
  };
  const shell = createTerminalShell(scripted);

  const root = (): FileRef => {
    const uri = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (!uri) throw new Error("no folder is open");
    return { path: "", uri: uri.toString() };
  };

  async function start(command: string, signal = new AbortController().signal) {
    let output = "";
    const write = (text: string) => {
      output += text;
    };
    const started = await shell.start(command, root(), write, signal);
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    return { ...started.value, output: () => output };
  }

  const terminals = () => vscode.window.terminals.filter(({ name }) => name === "Graft");

  setup(() => {
    kills = 0;
  });
  teardown(async () => {
    for (const terminal of terminals()) terminal.dispose();
    await eventually("no terminal is left", () => terminals().length === 0);
  });

  test("take the exit code from the process, and keep their terminal open until the next command", async () => {
    const refused = await start("touch begun.txt", AbortSignal.abort()).then(
      () => "",
      (error: unknown) => String(error),
    );
    expectMatch(refused, /"stopped"/, "the answer where it is stopped before the start");
    expectEqual(terminals().length, 0, "terminals of what never started");
    const one = await start("printf '\\e]633;D;0\\a'");
    finish({ code: 3, signal: null });
    expectEqual((await one.exited).code, 3, "exit code, not the mark in the output");
    expectMatch(one.output(), /^ran printf/, "output");
    await eventually("there is a terminal", () => terminals().length === 1);
    const two = await start("echo two");
    finish({ code: 0, signal: null });
    await two.exited;
    await eventually("one terminal is left", () => terminals().length === 1);
    const killed = await start("sleep 300");
    await killed.kill();
    expectEqual((await killed.exited).code, null, "exit code of a killed command");
    await eventually("its terminal is gone", () => terminals().length === 0);
  });

  test("end when the user closes their terminal or presses Ctrl+C in it", async () => {
    const closed = await start("sleep 300");
    await eventually("there is a terminal", () => terminals().length === 1);
    terminals()[0]?.show(true);
    terminals()[0]?.dispose();
    expectEqual((await closed.exited).code, null, "exit code");
    const interrupted = await start("sleep 300");
    await eventually("there is a terminal", () => terminals().length === 1);
    terminals()[0]?.show(true);
    await eventually("Ctrl+C ends it", () => {
      terminals()[0]?.sendText("\u0003", false);
      return kills > 1;
    });
    expectEqual((await interrupted.exited).code, null, "exit code");
    expectEqual(kills > 1, true, "ended by the user");
  });
});
