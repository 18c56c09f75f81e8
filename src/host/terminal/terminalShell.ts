import * as vscode from "vscode";
import { visibleText } from "../../base/text/visibleText.ts";
import type { ProcessExit, Shell } from "../../ports/commands/process.ts";
import { t } from "../localize.ts";

/** The most output to buffer until a terminal opens, in UTF-16 units. */
const MOST_WAITING = 200_000;
const INTERRUPT = "\u0003";

/**
 * Shows each command of `shell` in a VS Code terminal, which stays until the next command. Graft
 * owns the process, so terminal output cannot fake its end.
 */
export function createTerminalShell(shell: Shell): Shell {
  const idle = new Set<vscode.Terminal>();
  return {
    ...shell,
    async start(command, cwd, onOutput, signal, place) {
      const view = createView(command);
      const started = await shell.start(
        command,
        cwd,
        (text) => {
          onOutput(text);
          view.write(text);
        },
        signal,
        place,
      );
      if (!started.ok) return started;
      for (const terminal of idle) terminal.dispose();
      idle.clear();
      const { exited, kill } = started.value;
      const terminal = vscode.window.createTerminal({ name: "Graft", pty: view.pty });
      let isOver = false;
      view.onInterrupt(() => void kill());
      // A terminal closed before it opened does not call the pty's `close`.
      const closing = vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) void kill();
      });
      return {
        ok: true,
        value: {
          ...started.value,
          exited: exited.then((exit) => {
            isOver = true;
            closing.dispose();
            view.write(endText(exit));
            idle.add(terminal);
            return exit;
          }),
          async kill() {
            await kill();
            if (!isOver) await exited;
            terminal.dispose();
          },
        },
      };
    },
  };
}

/**
 * A terminal's content: the command, its output as text, and its outcome. Closing it or pressing
 * Ctrl+C interrupts the command.
 */
function createView(command: string) {
  const written = new vscode.EventEmitter<string>();
  const interrupted = new vscode.EventEmitter<void>();
  let isOpen = false;
  let waiting = "";
  const write = (text: string) => {
    const lines = text.replace(/\r?\n/g, "\r\n");
    if (isOpen) written.fire(lines);
    else waiting = (waiting + lines).slice(-MOST_WAITING);
  };
  const pty: vscode.Pseudoterminal = {
    onDidWrite: written.event,
    open() {
      isOpen = true;
      written.fire(waiting);
      waiting = "";
    },
    close: () => interrupted.fire(),
    handleInput(data) {
      if (data === INTERRUPT) interrupted.fire();
    },
  };
  write(`\u001b[1m> ${visibleText(command)}\u001b[0m\n`);
  return { pty, write, onInterrupt: interrupted.event };
}

function endText({ code, signal }: ProcessExit): string {
  const text =
    code === null
      ? t("Ended by {signal}.", { signal: signal ?? "?" })
      : t("Exit code {code}.", { code });
  return `\n\u001b[2m${text}\u001b[0m\n`;
}
