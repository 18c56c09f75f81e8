import { fileErrorMessage } from "../ports/messages.ts";
import { readPath } from "../ports/workspace.ts";
import { createSyntax } from "../syntax/createSyntax.ts";
import { outlineUnavailableMessage } from "../syntax/messages.ts";
import { outlineUnavailableReason } from "../syntax/outlineUnavailable.ts";
import { type CommandIo, fail, printJson, stderrLogger } from "./commandIo.ts";
import type { CliCommand } from "./commandLine.ts";
import { openRoot } from "./openRoot.ts";

/** `graft outline`: prints the elements of a file. Returns the exit status. */
export async function outlineCommand(
  { root, file }: Extract<CliCommand, { name: "outline" }>,
  io: CommandIo,
): Promise<number> {
  const workspace = await openRoot(root);
  if (!workspace.ok) return fail(io, workspace.error, 2);
  const read = await readPath(workspace.value, file, io.interrupted, true);
  if (!read.ok) return fail(io, fileErrorMessage(read.error), 1);
  const syntax = createSyntax(io.grammars, stderrLogger(io));
  const document = await syntax.openFile(read.value.file.path, "", read.value.text, io.interrupted);
  if (!document)
    return fail(
      io,
      outlineUnavailableMessage(outlineUnavailableReason(syntax, file, "", read.value.text)),
      1,
    );
  const outline = document
    .outline()
    .map(({ path, kind, startLine, endLine }) => ({ path, kind, startLine, endLine }));
  document.dispose();
  await printJson(io, outline);
  return 0;
}
