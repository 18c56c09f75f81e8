import { text } from "node:stream/consumers";
import { applyMessage } from "../edits/propose/applyMessage.ts";
import { createFileApplier } from "../node/files/fileApplier.ts";
import { fileErrorMessage } from "../ports/messages.ts";
import { allowSecret, missingFile } from "../ports/workspace.ts";
import { createSyntax } from "../syntax/createSyntax.ts";
import { type CommandIo, complain, fail, print, printJson, stderrLogger } from "./commandIo.ts";
import type { CliCommand } from "./commandLine.ts";
import { openRoot } from "./openRoot.ts";

/**
 * `graft apply`: applies the edit blocks in the message on stdin to a file. Returns the exit
 * status.
 */
export async function applyCommand(
  command: Extract<CliCommand, { name: "apply" }>,
  io: CommandIo,
): Promise<number> {
  const workspace = await openRoot(command.root);
  if (!workspace.ok) return fail(io, workspace.error, 2);
  const ref = await workspace.value.resolve(command.file);
  if (!ref.ok) return fail(io, fileErrorMessage(ref.error), 1);
  // Naming the file on the command line allows reading it.
  const file = allowSecret(ref.value);
  const read = await workspace.value.read(file, io.interrupted);
  if (!read.ok && read.error.code !== "not-found") return fail(io, fileErrorMessage(read.error), 1);
  const snapshot = read.ok ? read.value : missingFile(file);
  const message = await text(io.stdin);
  const syntax = createSyntax(io.grammars, stderrLogger(io));
  const applied = await applyMessage(
    snapshot,
    message,
    { mode: command.mode, chunk: command.chunk },
    syntax,
    io.interrupted,
  );
  if (command.json) await printJson(io, applied);
  else await print(io.stdout, command.write ? `${applied.report}\n` : applied.text);
  const complete =
    applied.blocks.some(({ status }) => status === "applied") &&
    applied.blocks.every(({ status }) => status === "applied");
  if (command.write && applied.blocks.some(({ status }) => status === "applied")) {
    const written = await createFileApplier(workspace.value)(snapshot, applied.text);
    if (!written.ok) return fail(io, fileErrorMessage(written.error), 1);
  }
  if (!complete && !command.json && !command.write) await complain(io, applied.report);
  return complete ? 0 : 1;
}
