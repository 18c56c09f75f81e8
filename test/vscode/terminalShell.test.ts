import * as vscode from "vscode";
import { createTerminalShell } from "../../src/host/workspace/terminalShell.ts";
import type { Shell } from "../../src/ports/process.ts";
import type { FileRef } from "../../src/ports/workspace.ts";
import { eventually, expectEqual, expectMatch } from "./expect.ts";

suite("commands in VS Code's terminal", () => {
  const fallback: Shell = {
    name: "bash",
    program: "/bin/bash",
    start: async (command) => ({ ok: false, error: { code: "not-started", program: command } }),
  };
  const ended: number[] = [];
  const shell = createTerminalShell({
    fallback,
    plainText: (text) => text,
    endChildren: async (pid) => void ended.push(pid),
  });

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

  suiteSetup(function () {
    // A terminal needs a machine to run on; where the window has none, the extension offers no commands.
    if (root().uri.startsWith("file:")) return;
    this.skip();
  });

  teardown(() => {
    for (const terminal of terminals()) terminal.dispose();
  });

  test("run in the workspace folder and return output and exit code", async () => {
    const { exited, output } = await start("pwd; echo to-err >&2; (exit 3)");
    expectEqual((await exited).code, 3, "exit code");
    expectMatch(output(), /graft[^\n]*\r?\nto-err\r?\n/, "output");
    expectEqual(ended.length > 0, true, "ended what was left");
  });

  test("return the exit code even if the shell itself exits", async () => {
    const { exited, output } = await start("echo last; sleep 1; \\exit 7");
    expectEqual((await exited).code, 7, "exit code");
    expectMatch(output(), /last/, "output");
  });

  test("keep their terminal open until the next command", async () => {
    await (await start("echo one")).exited;
    expectEqual(terminals().length, 1, "terminals");
    await (await start("echo two")).exited;
    await eventually("one terminal is left", () => terminals().length === 1);
  });

  test("close their terminal when killed", async () => {
    const { exited, kill } = await start("sleep 300");
    await kill();
    expectEqual((await exited).code, null, "exit code");
    await eventually("the terminal is gone", () => terminals().length === 0);
  });

  test("do not start when stopped while their terminal opens", async () => {
    const stop = new AbortController();
    const opening = start("touch begun.txt", stop.signal);
    stop.abort();
    const refused = await opening.then(
      () => "",
      (error: unknown) => String(error),
    );
    expectMatch(refused, /"stopped"/, "answer");
    await eventually("the terminal is gone", () => terminals().length === 0);
    const files = await vscode.workspace.findFiles("begun.txt");
    expectEqual(files.length, 0, "files");
  });

  test("run without a terminal if they have several lines or control characters, exit the shell or expand history", async () => {
    for (const command of [
      "echo one\necho two",
      "echo one\u0015echo two",
      "printf 'a\tb'",
      "echo one; exit 1",
      "false || exit 1",
      "if true; then exec ls; fi",
      "set -e; false",
      "eval 'exit 1'",
      ". ./settings.sh",
      "echo !rm",
      "^safe^harm",
    ]) {
      const started = await shell.start(command, root(), () => undefined, new AbortController().signal);
      expectEqual(started.ok ? "" : started.error.program, command, "fallback");
    }
    expectEqual(terminals().length, 0, "terminals");
  });
});
