import * as vscode from "vscode";
import { visibleText } from "../../base/text/visibleText.ts";
import type { ProcessExit, Shell } from "../../ports/process.ts";
import { t } from "../localize.ts";

/** The most output that waits for a terminal to open, in UTF-16 units. */
const MOST_WAITING = 200_000;
/** Ctrl+C. */
const INTERRUPT = "\u0003";

/**
 * Shows each command that `shell` runs in a terminal of VS Code, which stays until the next command. The command is a process of
 * Graft's own: what it writes says nothing about its end.
 */
export function createTerminalShell(shell: Shell): Shell {
  const idle = new Set<vscode.Terminal>();
  return {
    ...shell,
    async start(command, cwd, onOutput, signal) {
      const view = createView(command);
      const started = await shell.start(
        command,
        cwd,
        (text) => {
          onOutput(text);
          view.write(text);
        },
        signal,
      );
      if (!started.ok) return started;
      for (const terminal of idle) terminal.dispose();
      idle.clear();
      const { exited, kill } = started.value;
      const terminal = vscode.window.createTerminal({ name: "Graft", pty: view.pty });
      let isOver = false;
      view.onInterrupt(() => void kill());
      // A terminal that is closed before it opened does not close its content.
      const closing = vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) void kill();
      });
      return {
        ok: true,
        value: {
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

/** A terminal's content: the command, its output as text, and how it ended. Closing it or Ctrl+C interrupts the command. */
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
  const text = code === null ? t("Ended by {signal}.", { signal: signal ?? "?" }) : t("Exit code {code}.", { code });
  return `\n\u001b[2m${text}\u001b[0m\n`;
}
