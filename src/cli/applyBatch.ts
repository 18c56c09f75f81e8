import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import * as z from "zod/mini";
import { thrownText } from "../base/text/sentence.ts";
import { type AppliedBlock, applyMessage } from "../edits/propose/applyMessage.ts";
import { APPLY_MODES } from "../edits/propose/applyMode.ts";
import { type FileSnapshot, missingFile } from "../ports/workspace.ts";
import { createSyntax } from "../syntax/createSyntax.ts";
import type { Syntax } from "../syntax/syntax.ts";
import { type CommandIo, fail, printJson, stderrLogger } from "./commandIo.ts";
import type { CliCommand } from "./commandLine.ts";

/** A row: an answer for a file with a text, null for a file that does not exist. */
const rowSchema = z.object({
  id: z.union([z.string(), z.number()]),
  path: z.string().check(z.minLength(1)),
  before: z.nullable(z.string()),
  answer: z.string(),
  mode: z._default(z.enum(APPLY_MODES), "auto"),
});
const idSchema = z.object({ id: rowSchema.shape.id });

type Row = z.infer<typeof rowSchema>;

/**
 * `graft apply --batch`: applies each row of JSON lines, and prints a line for it: `id`, the text
 * `after`, and `blocks`. A line that is no row gives `error` instead, with its `line`, 1-based, and its
 * `id` where it has one. Reads and writes no file but the rows. Returns the exit status: 1 if a line
 * was no row.
 */
export async function applyBatch(
  { file }: Extract<CliCommand, { name: "apply-batch" }>,
  io: CommandIo,
): Promise<number> {
  const syntax = createSyntax(io.grammars, stderrLogger(io));
  const input = file === "-" ? io.stdin : createReadStream(file);
  let line = 0;
  let status = 0;
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (io.interrupted.aborted) return 1;
      line += 1;
      if (text.trim() === "") continue;
      const read = readRow(text);
      if (!("row" in read)) status = 1;
      await printJson(io, "row" in read ? await applyRow(read.row, syntax, io) : { ...read, line });
    }
    return status;
  } catch (error) {
    return fail(io, `The rows cannot be read: ${thrownText(error)}`, 2);
  }
}

function readRow(
  text: string,
): { readonly row: Row } | { readonly id?: Row["id"]; readonly error: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { error: thrownText(error) };
  }
  const row = rowSchema.safeParse(value);
  if (row.success) return { row: row.data };
  const { data } = idSchema.safeParse(value);
  return { ...data, error: z.prettifyError(row.error) };
}

async function applyRow({ id, path, before, answer, mode }: Row, syntax: Syntax, io: CommandIo) {
  const file = { path, uri: `row:/${path}` };
  const snapshot: FileSnapshot =
    before === null ? missingFile(file) : { ...missingFile(file), exists: true, text: before };
  const options = { mode, chunk: Number.POSITIVE_INFINITY };
  const { text, blocks } = await applyMessage(snapshot, answer, options, syntax, io.interrupted);
  return { id, after: text, blocks: blocks.map(batchBlock) };
}

/** `reason` is the code of why a block was not applied; absent where it was. */
function batchBlock({ status, code, warnings = [], adjustments = [] }: AppliedBlock) {
  return {
    status,
    ...(status !== "applied" && code !== undefined && { reason: code }),
    warnings,
    repairs: adjustments.map(({ code }) => code),
  };
}
