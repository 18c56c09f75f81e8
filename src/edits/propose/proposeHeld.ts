import { err, ok, type Result } from "../../base/result.ts";
import { allowSecret, readToEdit } from "../../ports/workspace.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import { type Address, type Block, become, linesOf, withLines } from "../block.ts";
import { judgeBlocks } from "../check/judgeBlocks.ts";
import type { EditModeDeps } from "../editModeDeps.ts";
import { EditedFile } from "../place/editedFile.ts";
import { mapLines } from "../place/mapLines.ts";
import type { Draft } from "../place/placer.ts";
import { rewriteDocument } from "../text/changeSet.ts";
import type { HeldEdit, HeldFailure } from "./heldBlocks.ts";
import { proposalOf, proposeWithReport } from "./proposeBlocks.ts";
import { proposeBody } from "./proposeBody.ts";

/** Proposes a held block, with the guard's warning. After a failure it stays held. */
export async function proposeHeld(
  held: HeldEdit,
  deps: EditModeDeps,
  emit: EmitTurnEvent,
  signal: AbortSignal,
): Promise<HeldFailure | null> {
  const { workspace, syntax } = deps;
  const { block, callId, turnId } = held;
  const { path } = held.file;
  const read = await readToEdit(workspace, allowSecret(held.file), signal);
  if (!read.ok) return { code: "file", error: read.error };
  const snapshot = read.value;
  const text = snapshot.text.replace(/^\uFEFF/, "");
  // A grammar's paths are those of the text that the model saw; the editor only knows the current
  // symbols.
  const shownText =
    block.address?.kind === "ast" && syntax.languageOf(path, snapshot.languageId)
      ? held.base.replace(/^\uFEFF/, "")
      : text;
  const document = await syntax.openFile(path, snapshot.languageId, shownText, signal);
  try {
    if (signal.aborted) return { code: "stopped" };
    document?.pinPaths();
    if (document) rewriteDocument(document, text);
    const file = new EditedFile(held.file, snapshot.text, document);
    const made = capturedIn(held, file);
    if (!made.ok) return made.error;
    if (!deps.held.release(held)) return { code: "forgotten" };
    const { captured, draft } = made.value;
    const report = await proposeWithReport(
      { ...deps, emit },
      snapshot,
      { chatId: deps.chatId, turnId, callId },
      [captured],
      proposalOf([captured], draft, file, null),
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

/** The block in the file as it is now. */
function capturedIn(
  held: HeldEdit,
  file: EditedFile,
): Result<{ readonly captured: Block<"captured">; readonly draft: Draft }, HeldFailure> {
  const { block } = held;
  const noPlace = (reason: BlockReason) =>
    err({ code: "no-place", path: file.path, target: block.target, reason } as const);
  const found = addressNow(held, file.text);
  if (!found.ok)
    return found.error === "changed"
      ? err({ code: "file-changed", path: file.path })
      : noPlace(found.error);
  const address = found.value;
  const draft = file.placer(address?.kind ?? "complete");
  if (!draft) return err({ code: "no-ast-paths", path: file.path });
  const moved = become(block, { address });
  const opened = draft.open({ ...moved, checks: [] });
  if (!opened.ok) return noPlace(opened.error);
  const at = {
    file,
    draft,
    place: opened.value,
    warnings: [],
    shown: null,
    repairs: "slips" as const,
  };
  const made = proposeBody(moved, block.body, at);
  if (made.status !== "captured") return noPlace(made.reason);
  const warningsOf = judgeBlocks([made], draft, file, () => false);
  return ok({ captured: become(made, { warnings: warningsOf(made) }), draft });
}

/** The block's address in the file's current text; null for the whole file. */
function addressNow(held: HeldEdit, now: string): Result<Address | null, BlockReason | "changed"> {
  const { address, op } = held.block;
  const base = held.base.replace(/^\uFEFF/, "");
  if (address === null) return base === now ? ok(null) : err("changed");
  const named = linesOf(address);
  if (!named) return ok(address);
  const lines = mapLines(base, now, named, op);
  if (lines.ok) return ok(withLines(address, lines.value));
  return err(lines.error.kind === "conflict" ? "changed" : lines.error.reason);
}
