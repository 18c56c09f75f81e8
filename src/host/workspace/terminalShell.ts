import * as vscode from "vscode";
import { err, ok, type Result } from "../../base/result.ts";
import { thrownText } from "../../base/text/sentence.ts";
import { KEY_VARIABLES } from "../../model/connections/connectionKinds.ts";
import type { ProcessExit, ProcessFailure, RunningCommand, Shell } from "../../ports/process.ts";
import type { FileRef } from "../../ports/workspace.ts";
import { bufferAnsiSequences } from "./bufferAnsiSequences.ts";

/** How long a new terminal may take to report shell integration, in milliseconds. */
const INTEGRATION_MS = 4_000;
/** After this many terminals in a row without shell integration the shell has none; a single one may just be slow. */
const MOST_WITHOUT = 2;
/** How long output may arrive after the end, and the close event after disposal; a closing window sends none. In milliseconds. */
const OUTPUT_GRACE_MS = 500;
const CLOSE_GRACE_MS = 500;
/** A command that may end or replace its shell, which VS Code reports as an error or not at all. A false match only loses the terminal. */
const ENDS_SHELL = /(?:^|[;&|{!]|\b(?:then|else|do))\s*(?:(?:exit|exec|logout|set|eval|source)\b|\.\s)/;
/** Line ends, control characters, and history expansion: https://www.gnu.org/software/bash/manual/html_node/History-Interaction.html */
const TYPED_OTHERWISE = /\p{Cc}|!(?![\s=(]|$)|^\s*\^/u;

/** What a terminal does not provide. */
export interface TerminalShellDeps {
  /** Runs what a terminal cannot: commands that match the patterns above, and every command without shell integration. */
  readonly fallback: Shell;
  /** Removes a terminal's control sequences. */
  plainText(text: string): string;
  /** Ends every process that `pid` started, by force if needed, but not `pid` itself. */
  endChildren(pid: number): Promise<void>;
}

/**
 * Runs each command in its own VS Code terminal, where the user can watch and type. The terminal stays until the next command.
 * https://code.visualstudio.com/docs/terminal/shell-integration
 */
export function createTerminalShell({ fallback, plainText, endChildren }: TerminalShellDeps): Shell {
  let without = 0;
  const idle = new Set<vscode.Terminal>();

  async function open(cwd: FileRef): Promise<{ terminal: vscode.Terminal; integration: vscode.TerminalShellIntegration } | null> {
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
    if (!integration) terminal.dispose();
    without = integration ? 0 : without + 1;
    return integration ? { terminal, integration } : null;
  }

  return {
    name: fallback.name,
    program: fallback.program,
    async start(command, cwd, onOutput, signal) {
      // VS Code tells the user when a terminal's shell ends.
      if (without >= MOST_WITHOUT || TYPED_OTHERWISE.test(command) || ENDS_SHELL.test(command) || !vscode.workspace.isTrusted)
        return fallback.start(command, cwd, onOutput, signal);
      const opened = await open(cwd);
      if (!opened) return fallback.start(command, cwd, onOutput, signal);
      const { terminal, integration } = opened;
      // Asked for now, since a closing window may no longer answer.
      const pid = await terminal.processId;
      if (signal.aborted) {
        terminal.dispose();
        return err({ code: "stopped", program: fallback.name });
      }
      const complete = bufferAnsiSequences();
      const end = async () => {
        if (pid !== undefined) await endChildren(pid);
      };
      return run(
        terminal,
        integration,
        command,
        (piece) => onOutput(plainText(complete(piece))),
        end,
        () => idle.add(terminal),
      );
    },
  };
}

async function run(
  terminal: vscode.Terminal,
  integration: vscode.TerminalShellIntegration,
  command: string,
  onOutput: (text: string) => void,
  endChildren: () => Promise<void>,
  done: () => void,
): Promise<Result<RunningCommand, ProcessFailure>> {
  let finish: (exit: ProcessExit) => void = () => undefined;
  const ended = new Promise<ProcessExit>((resolve) => {
    const listeners = [
      vscode.window.onDidEndTerminalShellExecution(({ execution: over, exitCode }) => {
        if (over === execution) finish({ code: exitCode ?? null, signal: null });
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) finish(exitOf(closed.exitStatus));
      }),
    ];
    finish = (exit) => {
      for (const listener of listeners) listener.dispose();
      resolve(exit);
    };
  });
  let execution: vscode.TerminalShellExecution;
  try {
    execution = integration.executeCommand(command);
  } catch (error) {
    terminal.dispose();
    return err({ code: "not-started", program: terminal.name, detail: thrownText(error) });
  }
  const output = readAll(execution, onOutput);
  let disposed = false;
  const exited = ended.then(async (exit) => {
    await Promise.race([output, new Promise((resolve) => setTimeout(resolve, OUTPUT_GRACE_MS))]);
    if (disposed) return exit;
    await endChildren();
    if (terminal.exitStatus === undefined) done();
    return exit;
  });
  return ok({
    exited,
    async kill() {
      if (disposed) return void (await exited);
      disposed = true;
      // Also when the terminal is gone: a closing window ends the shell, but not what it started.
      await endChildren();
      terminal.dispose();
      const timer = setTimeout(() => finish({ code: null, signal: "SIGHUP" }), CLOSE_GRACE_MS);
      await exited;
      clearTimeout(timer);
    },
  });
}

/** How a command ended when its terminal closed: with the shell's exit code, unless the shell was killed. */
function exitOf(status: vscode.TerminalExitStatus | undefined): ProcessExit {
  const code = status?.reason === vscode.TerminalExitReason.Process ? status.code : undefined;
  return code === undefined ? { code: null, signal: "SIGHUP" } : { code, signal: null };
}

async function readAll(execution: vscode.TerminalShellExecution, onOutput: (text: string) => void): Promise<void> {
  for await (const data of execution.read()) onOutput(data);
}

function shellIntegration(terminal: vscode.Terminal): Promise<vscode.TerminalShellIntegration | null> {
  if (terminal.shellIntegration) return Promise.resolve(terminal.shellIntegration);
  return new Promise((resolve) => {
    const finish = (integration: vscode.TerminalShellIntegration | null) => {
      clearTimeout(timer);
      for (const listener of listeners) listener.dispose();
      resolve(integration);
    };
    const timer = setTimeout(() => finish(null), INTEGRATION_MS);
    const listeners = [
      vscode.window.onDidChangeTerminalShellIntegration((event) => {
        if (event.terminal === terminal) finish(event.shellIntegration);
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) finish(null);
      }),
    ];
  });
}
