import { untilAborted } from "../base/untilAborted.ts";
import { type CommandIo, fail, print } from "./commandIo.ts";
import { parseCommandLine, USAGE } from "./commandLine.ts";

/**
 * Runs the command line and returns an exit status as described in {@link USAGE}. A command is
 * loaded when it runs: most of what one needs, no other does.
 */
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
    case "apply": {
      const { applyCommand } = await import("./applyCommand.ts");
      return interruptible(applyCommand(command.value, io), io);
    }
    case "apply-batch": {
      const { applyBatch } = await import("./applyBatch.ts");
      return interruptible(applyBatch(command.value, io), io);
    }
    case "outline": {
      const { outlineCommand } = await import("./outlineCommand.ts");
      return interruptible(outlineCommand(command.value, io), io);
    }
    case "mcp": {
      const { mcpCommand } = await import("./mcpCommand.ts");
      return mcpCommand(command.value, io);
    }
    case "acp": {
      const { acpCommand } = await import("./acpCommand.ts");
      return acpCommand(command.value, io);
    }
    case "eval": {
      const { evalCommand } = await import("./eval/evalCommand.ts");
      return evalCommand(command.value, io);
    }
    case "run": {
      const { runCommand } = await import("./runCommand.ts");
      return runCommand(command.value, io);
    }
    case "review": {
      const { reviewCommand } = await import("./reviewCommand.ts");
      return reviewCommand(command.value, io);
    }
  }
}

/** For commands that need no cleanup when interrupted. */
async function interruptible(command: Promise<number>, io: CommandIo): Promise<number> {
  const status = await untilAborted(command, io.interrupted);
  return status.ok ? status.value : 130;
}
