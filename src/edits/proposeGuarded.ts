import { err, ok, type Result } from "../base/result.ts";
import type { Proposal } from "../ports/review.ts";
import { allowSecret, readToEdit } from "../ports/workspace.ts";
import type { SyntaxDocument } from "../syntax/syntax.ts";
import type { BlockReason } from "../turns/blockReason.ts";
import type { EmitTurnEvent } from "../turns/streamRegistry.ts";
import type { GuardedBlock, GuardedFailure } from "./blocks/guardedBlocks.ts";
import { type Address, linesOf, withLines } from "./drafts/address.ts";
import { createPlacer } from "./drafts/createPlacer.ts";
import { mapLines } from "./drafts/mapLines.ts";
import type { EditModeDeps } from "./editModeDeps.ts";
import { bodyWarnings } from "./guards/bodyWarnings.ts";
import { proposeWithReport } from "./proposeBlocks.ts";
import { editsBetween } from "./text/changeSet.ts";

/**
 * Proposes a guarded block in the file as it is now, with the guard's warning, so that nothing is
 * accepted automatically. After a failure the block stays guarded.
 */
export async function proposeGuarded(
  held: GuardedBlock,
  deps: EditModeDeps,
  emit: EmitTurnEvent,
  signal: AbortSignal,
): Promise<GuardedFailure | null> {
  const { workspace, syntax } = deps;
  const read = await readToEdit(workspace, allowSecret(held.file), signal);
  if (!read.ok) return { code: "file", error: read.error };
  const snapshot = read.value;
  const bom = snapshot.text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const text = snapshot.text.slice(bom.length);
  // A grammar's paths are those of the text that the model saw; the editor only knows the current
  // symbols.
  const { path } = held.file;
  const shownText =
    held.block.address?.kind === "ast" && syntax.languageOf(path, snapshot.languageId)
      ? held.base.replace(/^\uFEFF/, "")
      : text;
  const document = await syntax.openFile(path, snapshot.languageId, shownText, signal);
  try {
    if (signal.aborted) return { code: "stopped" };
    if (held.block.status !== "held") return { code: "forgotten" };
    document?.pinPaths();
    for (const edit of editsBetween(shownText, text).reverse()) document?.edit(edit, edit.newText);
    const made = proposalWith(held, bom, text, document);
    if (!made.ok) return made.error;
    const { block, callId, turnId } = held;
    const report = await proposeWithReport(
      { ...deps, emit },
      snapshot,
      { chatId: deps.chatId, turnId, callId },
      [block],
      made.value,
    );
    emit({
      type: "edit-report",
      text: `The user asked to see ${block.target} anyway, as you wrote it.\n\n${report}`,
    });
    return null;
  } finally {
    document?.dispose();
  }
}

/** The file with the block in it; the block gets the warnings. */
function proposalWith(
  held: GuardedBlock,
  bom: string,
  text: string,
  document: SyntaxDocument | null,
): Result<Proposal, GuardedFailure> {
  const { block, file } = held;
  const { blockId, bodyEol, lines, reason } = block;
  const found = addressNow(held, bom + text);
  if (!found.ok) return found;
  const address = found.value;
  const placer = createPlacer(address?.kind ?? "complete", text, document);
  if (!placer) return err({ code: "no-ast-paths", path: file.path });
  const opened = placer.open({ ...block, address, checks: [] });
  if (!opened.ok) return err(noPlace(held, opened.error));
  const closed = opened.value.close(lines, bodyEol);
  if (!closed.ok) return err(noPlace(held, closed.error));
  const elision = reason?.code === "elision" ? [reason] : [];
  const own = bodyWarnings(
    lines,
    opened.value.oldText.split(/\r\n|\n|\r/),
    placer.finish().addsSyntaxError.has(blockId),
  );
  block.warnings = [...elision, ...own, ...(closed.value.warnings ?? [])];
  const range = placer.ranges().get(blockId) ?? { start: 0, end: 0 };
  const start = range.start + bom.length;
  const end = range.end + bom.length;
  return ok({
    text: bom + placer.text(),
    blocks: [{ blockId, warnings: block.warnings, start, end }],
  });
}

/** The block's address in the file's current text; null for the whole file. */
function addressNow(held: GuardedBlock, now: string): Result<Address | null, GuardedFailure> {
  const { base, block, file } = held;
  const { address, op } = block;
  const changed: GuardedFailure = { code: "file-changed", path: file.path };
  if (address === null) return base === now ? ok(null) : err(changed);
  const named = linesOf(address);
  if (!named) return ok(address);
  const lines = mapLines(base, now, named, op);
  if (lines.ok) return ok(withLines(address, lines.value));
  return err(lines.error.kind === "conflict" ? changed : noPlace(held, lines.error.reason));
}

function noPlace({ block, file }: GuardedBlock, reason: BlockReason): GuardedFailure {
  return { code: "no-place", path: file.path, target: block.target, reason };
}
