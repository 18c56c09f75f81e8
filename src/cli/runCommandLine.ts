import { untilAborted } from "../base/untilAborted.ts";
import { applyCommand } from "./applyCommand.ts";
import { type CommandIo, fail, print } from "./commandIo.ts";
import { parseCommandLine, USAGE } from "./commandLine.ts";
import { outlineCommand } from "./outlineCommand.ts";
import { runCommand } from "./runCommand.ts";

/** Runs the command line and returns an exit status as described in {@link USAGE}. */
export async function runCommandLine(args: readonly string[], io: CommandIo): Promise<number> {
  const command = parseCommandLine(args);
  if (!command.ok) {
    return fail(io, `${command.error}\n\n${USAGE.trimEnd()}`, 2);
  }
  switch (command.value.name) {
    case "help":
      await print(io.stdout, USAGE);
      return 0;
    case "version":
      await print(io.stdout, `${io.version}\n`);
      return 0;
    case "apply":
      return interruptible(applyCommand(command.value, io), io);
    case "outline":
      return interruptible(outlineCommand(command.value, io), io);
    case "run":
      return runCommand(command.value, io);
  }
}

/** For commands that need no cleanup when interrupted. */
async function interruptible(command: Promise<number>, io: CommandIo): Promise<number> {
  const status = await untilAborted(command, io.interrupted);
  return status.ok ? status.value : 130;
}
