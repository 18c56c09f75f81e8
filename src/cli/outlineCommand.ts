import { fileErrorMessage } from "../ports/messages.ts";
import { readPath } from "../ports/workspace.ts";
import { createSyntax } from "../syntax/createSyntax.ts";
import { outlineUnavailableMessage } from "../syntax/messages.ts";
import { outlineText } from "../syntax/outline/outlineText.ts";
import { outlineUnavailableReason } from "../syntax/outlineUnavailable.ts";
import { type CommandIo, fail, print, printJson, stderrLogger } from "./commandIo.ts";
import type { CliCommand } from "./commandLine.ts";
import { openRoot } from "./openRoot.ts";

/** The longest readable outline, in UTF-16 units. */
const MAX_OUTLINE = 10_000_000;

/** `graft outline`: prints the elements of a file. Returns the exit status. */
export async function outlineCommand(
  { root, file, json }: Extract<CliCommand, { name: "outline" }>,
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
  const entries = document.outline();
  document.dispose();
  if (json)
    await printJson(
      io,
      entries.map(({ path, kind, startLine, endLine }) => ({ path, kind, startLine, endLine })),
    );
  else if (entries.length > 0) await print(io.stdout, `${outlineText(entries, MAX_OUTLINE)}\n`);
  return 0;
}
