import { untilAborted } from "../base/untilAborted.ts";
import { applyBatch } from "./applyBatch.ts";
import { applyCommand } from "./applyCommand.ts";
import { type CommandIo, fail, print } from "./commandIo.ts";
import { parseCommandLine, USAGE } from "./commandLine.ts";
import { mcpCommand } from "./mcpCommand.ts";
import { outlineCommand } from "./outlineCommand.ts";
import { reviewCommand } from "./reviewCommand.ts";
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
    case "apply-batch":
      return interruptible(applyBatch(command.value, io), io);
    case "outline":
      return interruptible(outlineCommand(command.value, io), io);
    case "mcp":
      return mcpCommand(command.value, io);
    case "acp": {
      // The protocol's package takes time to load.
      const { acpCommand } = await import("./acpCommand.ts");
      return acpCommand(command.value, io);
    }
    case "eval": {
      const { evalCommand } = await import("./eval/evalCommand.ts");
      return evalCommand(command.value, io);
    }
    case "run":
      return runCommand(command.value, io);
    case "review":
      return reviewCommand(command.value, io);
  }
}

/** For commands that need no cleanup when interrupted. */
async function interruptible(command: Promise<number>, io: CommandIo): Promise<number> {
  const status = await untilAborted(command, io.interrupted);
  return status.ok ? status.value : 130;
}
