import { err, ok, type Result } from "../base/result.ts";
import { countLines } from "../base/text.ts";
import type { Proposal, Reviewer } from "../ports/review.ts";
import type { FileSnapshot, Workspace } from "../ports/workspace.ts";
import type { Syntax, SyntaxDocument } from "../syntax/syntaxTypes.ts";
import type { ShownTexts } from "../tools/shownTexts.ts";
import type { EmitTurnEvent } from "../turns/streamRegistry.ts";
import type { Address, EditOp } from "./address.ts";
import { AstDraft } from "./astDraft.ts";
import { type CapturedBlock, decideBlock, editBlockOf } from "./capturedBlock.ts";
import { editsBetween } from "./changeSet.ts";
import { CompleteDraft } from "./completeDraft.ts";
import type { Draft } from "./draft.ts";
import { deletionWarning } from "./guards.ts";
import type { HeldBlock } from "./heldBlocks.ts";
import { LineDraft } from "./lineDraft.ts";
import { lineMap } from "./lineMap.ts";
import { reportText } from "./report.ts";

/** What a held block needs to be proposed. */
export interface ProposeHeldDeps {
  readonly workspace: Workspace;
  readonly syntax: Syntax;
  readonly reviewer: Reviewer;
  readonly shown: ShownTexts;
  readonly emit: EmitTurnEvent;
}

/**
 * Proposes, at the user's wish, a block that a guard held back: in the file as it is now, with the guard's warning, so that nothing is
 * accepted automatically. Settles once the user has decided, or at once with a sentence for him where the block has no place any more;
 * then it stays held back.
 */
export async function proposeHeld(held: HeldBlock, deps: ProposeHeldDeps, signal: AbortSignal): Promise<string | null> {
  const { workspace, syntax } = deps;
  const locked = await workspace.writable(held.file);
  if (locked) return locked.message;
  const read = await workspace.read(held.file, signal);
  if (!read.ok && read.error.kind !== "not-found") return read.error.message;
  const snapshot: FileSnapshot = read.ok ? read.value : { file: held.file, exists: false, text: "", version: 0, languageId: "" };
  const bom = snapshot.text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const text = snapshot.text.slice(bom.length);
  // A grammar's paths are those of the text that the model was shown; the editor knows no symbols but those of now.
  const { path } = held.file;
  const shownText = held.address?.kind === "ast" && syntax.languageOf(path, snapshot.languageId) ? held.base.replace(/^\uFEFF/, "") : text;
  const document = await syntax.openFile(path, snapshot.languageId, shownText, signal);
  try {
    if (signal.aborted) return "Stopped; nothing was proposed.";
    if (held.block.status !== "held") return "This change has already been proposed.";
    document?.pinPaths();
    for (const edit of editsBetween(shownText, text).reverse()) document?.edit(edit, edit.newText);
    const made = proposalOf(held, bom, text, document);
    if (!made.ok) return made.error;
    await review(held, snapshot, made.value, deps, signal);
    return null;
  } finally {
    document?.dispose();
  }
}

async function review(
  { block, callId, file, turnId }: HeldBlock,
  snapshot: FileSnapshot,
  proposal: Proposal,
  { reviewer, emit, shown }: ProposeHeldDeps,
  signal: AbortSignal,
): Promise<void> {
  const show = () => emit({ type: "edit-update", edit: editBlockOf(block, callId, file.path) });
  block.reportReason = null;
  const shownReview = reviewer.open(snapshot, callId);
  try {
    if (decideBlock(block, [], "pending")) show();
    const outcome = await shownReview.decide(proposal, signal, (outcomes) => {
      if (decideBlock(block, outcomes, "pending")) show();
    });
    if (decideBlock(block, outcome.blocks, "rejected")) show();
    if (block.status === "applied" || block.status === "partly-applied") {
      shown.edited(file.path, turnId);
      emit({ type: "change-done", callId, blockId: block.blockId, path: file.path, target: block.target });
    }
    const { text, userDiff } = outcome;
    const report = reportText({
      path: file.path,
      mode: null,
      blocks: [block],
      lineCount: countLines(text ?? ""),
      userDiff,
      lookalike: null,
    });
    emit({ type: "edit-report", text: `The user had ${block.target} proposed all the same, as you wrote it.\n\n${report}` });
  } finally {
    shownReview.dispose();
  }
}

/** The file with the block in it; the block gets the warnings. */
function proposalOf(held: HeldBlock, bom: string, text: string, document: SyntaxDocument | null): Result<Proposal, string> {
  const { block, bodyEol, warning } = held;
  const { blockId, target } = block;
  const place = placeNow(held, bom + text);
  if (!place.ok) return place;
  const { address, op } = place.value;
  const draft = draftFor(address, text, document);
  if (!draft) return err(`AST paths do not work in ${held.file.path} as it is now. Ask for the change again.`);
  const opened = draft.open({ blockId, address: address ?? WHOLE_FILE, op, target });
  if (!opened.ok) return err(cannot(held, opened.error));
  const { oldText } = opened.value;
  const closed = draft.close(block.lines, bodyEol);
  if (!closed.ok) return err(cannot(held, closed.error));
  const syntaxWarning = draft.finish().get(blockId) ?? null;
  const deleted = deletionWarning(block.lines, oldText);
  warn(block, warning, deleted, syntaxWarning);
  const range = draft.ranges().get(blockId) ?? { start: 0, end: 0 };
  const start = range.start + bom.length;
  const end = range.end + bom.length;
  return ok({ text: bom + draft.text(), blocks: [{ blockId, target, warning: block.warning, start, end }] });
}

const WHOLE_FILE: Address = { kind: "ast", path: "@file" };

function draftFor(address: Address | null, text: string, document: SyntaxDocument | null): Draft | null {
  if (address === null) return new CompleteDraft(text, document);
  if (address.kind === "lines") return new LineDraft(text, document);
  return document ? new AstDraft(document) : null;
}

/** The block's address in the file's text of now. */
function placeNow(held: HeldBlock, now: string): Result<{ readonly address: Address | null; readonly op: EditOp }, string> {
  const { address, base, block, file } = held;
  const changed = `${file.path} has changed since this block was written, so it has no place any more. Ask for the change again.`;
  if (address === null || block.op === "complete") return base === now ? ok({ address: null, op: "replace" }) : err(changed);
  if (address.kind === "ast") return ok({ address, op: block.op });
  const lines = lineMap(base, now)(address, block.op);
  if (lines.ok) return ok({ address: { kind: "lines", ...lines.value }, op: block.op });
  return err(lines.error.kind === "conflict" ? changed : cannot(held, lines.error.reason));
}

function cannot({ block, file }: HeldBlock, reason: string): string {
  return `The change to ${block.target} of ${file.path} cannot be proposed: ${reason}.`;
}

function warn(block: CapturedBlock, ...warnings: readonly [elision: string, deletion: string | null, syntax: string | null]): void {
  const [, deletion, syntax] = warnings;
  block.deletionWarning = deletion;
  block.warning = warnings.filter((warning) => warning !== null).join(" ");
  block.guards = ["elision", ...(deletion === null ? [] : ["deletion" as const]), ...(syntax === null ? [] : ["syntax" as const])];
}
