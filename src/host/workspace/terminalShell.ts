import * as vscode from "vscode";
import { DisposableStack } from "../../base/disposable.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { thrownText } from "../../base/text/sentence.ts";
import { KEY_VARIABLES } from "../../model/connections/connectionKinds.ts";
import type { ProcessExit, ProcessFailure, RunningCommand, Shell, TerminalParts } from "../../ports/process.ts";
import type { FileRef } from "../../ports/workspace.ts";
import { bufferAnsiSequences } from "./bufferAnsiSequences.ts";

/** How long a new terminal may take to report shell integration, in milliseconds. */
const INTEGRATION_MS = 4_000;
/** After this many terminals in a row without shell integration the shell has none; a single one may just be slow. */
const MOST_WITHOUT = 2;
/** How long output may arrive after the end, and the close event after disposal; a closing window sends none. In milliseconds. */
const GRACE_MS = 500;
/** A command that may end or replace its shell, which VS Code reports as an error or not at all. A false match only loses the terminal. */
const ENDS_SHELL = /(?:^|[;&|{!]|\b(?:then|else|do))\s*(?:(?:exit|exec|logout|set|eval|source)\b|\.\s)/;
/** Line ends, control characters, and history expansion: https://www.gnu.org/software/bash/manual/html_node/History-Interaction.html */
const TYPED_OTHERWISE = /\p{Cc}|!(?![\s=(]|$)|^\s*\^/u;

interface OpenTerminal {
  readonly terminal: vscode.Terminal;
  readonly integration: vscode.TerminalShellIntegration;
  readonly pid: number | undefined;
}

/**
 * Runs each command in its own VS Code terminal, where the user can watch and type. The terminal stays until the next command.
 * https://code.visualstudio.com/docs/terminal/shell-integration
 */
export function createTerminalShell({ fallback, plainText, endChildren }: TerminalParts): Shell {
  let without = 0;
  const idle = new Set<vscode.Terminal>();

  async function open(cwd: FileRef): Promise<OpenTerminal | null> {
    for (const terminal of idle) terminal.dispose();
    idle.clear();
    const terminal = vscode.window.createTerminal({
      name: "Graft",
      cwd: vscode.Uri.parse(cwd.uri, true),
      shellPath: fallback.program,
      env: { ...Object.fromEntries(KEY_VARIABLES.map((name) => [name, null])), PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" },
      isTransient: true,
    });
    const integration = await shellIntegration(terminal);
    without = integration ? 0 : without + 1;
    // Asked for now, since a closing window may no longer answer.
    if (integration) return { terminal, integration, pid: await terminal.processId };
    terminal.dispose();
    return null;
  }

  function run(
    { terminal, integration, pid }: OpenTerminal,
    command: string,
    onOutput: (text: string) => void,
  ): Result<RunningCommand, ProcessFailure> {
    const listeners = new DisposableStack();
    let finish: (exit: ProcessExit) => void = () => undefined;
    const ended = new Promise<ProcessExit>((resolve) => {
      finish = resolve;
    });
    listeners.add(
      vscode.window.onDidEndTerminalShellExecution((event) => {
        if (event.execution === execution) finish({ code: event.exitCode ?? null, signal: null });
      }),
    );
    listeners.add(
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) finish(exitOf(closed.exitStatus));
      }),
    );
    let execution: vscode.TerminalShellExecution;
    try {
      execution = integration.executeCommand(command);
    } catch (error) {
      listeners.dispose();
      terminal.dispose();
      return err({ code: "not-started", program: terminal.name, detail: thrownText(error) });
    }
    const output = readAll(execution, onOutput);
    const endStarted = async () => (pid === undefined ? undefined : endChildren(pid));
    let isKilled = false;
    const exited = ended.then(async (exit) => {
      listeners.dispose();
      await Promise.race([output, new Promise((resolve) => setTimeout(resolve, GRACE_MS))]);
      if (isKilled) return exit;
      await endStarted();
      if (terminal.exitStatus === undefined) idle.add(terminal);
      return exit;
    });
    return ok({
      exited,
      async kill() {
        if (!isKilled) {
          isKilled = true;
          // Also when the terminal is gone: a closing window ends the shell, but not what it started.
          await endStarted();
          terminal.dispose();
          setTimeout(() => finish({ code: null, signal: "SIGHUP" }), GRACE_MS);
        }
        await exited;
      },
    });
  }

  return {
    name: fallback.name,
    program: fallback.program,
    async start(command, cwd, onOutput, signal) {
      // VS Code tells the user when a terminal's shell ends.
      const isTypeable = !TYPED_OTHERWISE.test(command) && !ENDS_SHELL.test(command);
      const opened = isTypeable && without < MOST_WITHOUT && vscode.workspace.isTrusted ? await open(cwd) : null;
      if (!opened) return fallback.start(command, cwd, onOutput, signal);
      if (signal.aborted) {
        opened.terminal.dispose();
        return err({ code: "stopped", program: fallback.name });
      }
      const complete = bufferAnsiSequences();
      return run(opened, command, (piece) => onOutput(plainText(complete(piece))));
    },
  };
}

/** How a command ended when its terminal closed: with the shell's exit code, unless the shell was killed. */
function exitOf(status: vscode.TerminalExitStatus | undefined): ProcessExit {
  const code = status?.reason === vscode.TerminalExitReason.Process ? status.code : undefined;
  return code === undefined ? { code: null, signal: "SIGHUP" } : { code, signal: null };
}

async function readAll(execution: vscode.TerminalShellExecution, onOutput: (text: string) => void): Promise<void> {
  for await (const data of execution.read()) onOutput(data);
}

async function shellIntegration(terminal: vscode.Terminal): Promise<vscode.TerminalShellIntegration | null> {
  if (terminal.shellIntegration) return terminal.shellIntegration;
  const listeners = new DisposableStack();
  const integration = await new Promise<vscode.TerminalShellIntegration | null>((resolve) => {
    setTimeout(() => resolve(null), INTEGRATION_MS);
    listeners.add(
      vscode.window.onDidChangeTerminalShellIntegration((event) => {
        if (event.terminal === terminal) resolve(event.shellIntegration);
      }),
    );
    listeners.add(
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) resolve(null);
      }),
    );
  });
  listeners.dispose();
  return integration;
}
