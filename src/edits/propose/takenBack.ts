import { err, ok, type Result } from "../../base/result.ts";
import type {
  BlockOutcome,
  BlockSource,
  PendingProposal,
  Reviewer,
  ReviewOrigin,
} from "../../ports/review.ts";
import { allowSecret, type FileRef, readToEdit, type Workspace } from "../../ports/workspace.ts";
import type { EditBlock } from "../../turns/editBlock.ts";
import { innermost } from "../review/userLines.ts";
import { changesBetween } from "../text/changeSet.ts";
import { mergeTexts } from "../text/mergeTexts.ts";
import type { HeldFailure } from "./heldBlocks.ts";

/** A file's proposal before and after the command of a call changed it, and its blocks before. */
export interface TakenBack {
  readonly callId: string;
  readonly file: FileRef;
  readonly before: string;
  readonly after: string;
  readonly blocks: PendingProposal["blocks"];
}

/** What is pending again, by the turn that wrote it. */
export interface BroughtBack {
  readonly origin: ReviewOrigin;
  readonly blocks: readonly BlockOutcome[];
}

/** Where it is proposed. */
interface BringingBack {
  readonly chatId: string;
  readonly takenBack: TakenBackTexts;
  readonly workspace: Workspace;
  readonly reviewer: Reviewer;
  readonly signal: AbortSignal;
}

const MOST = 50;

/** The latest changes of commands to the proposals of one chat. */
export class TakenBackTexts {
  private readonly kept: TakenBack[] = [];

  keep(taken: TakenBack): void {
    this.kept.push(taken);
    if (this.kept.length > MOST) this.kept.shift();
  }

  /** What took a withdrawn edit back; null where that is forgotten, or was no command. */
  of({ path, reason }: Pick<EditBlock, "path" | "reason">): TakenBack | null {
    const callId = reason?.code === "taken-back" ? reason.callId : undefined;
    return this.kept.find((each) => each.callId === callId && each.file.path === path) ?? null;
  }
}

/**
 * Proposes again what a command took back with `edit`, beside what was proposed since. Gives the
 * outcomes of the blocks that `isWithdrawn`, by the turn that wrote them.
 */
export async function bringBack(
  { turnId, edit }: { readonly turnId: string; readonly edit: EditBlock },
  deps: BringingBack,
  isWithdrawn: (block: BlockSource) => boolean,
): Promise<Result<readonly BroughtBack[], HeldFailure>> {
  if (edit.op === "delete" || edit.op === "rename") return bringOperationBack(turnId, edit, deps);
  const taken = deps.takenBack.of(edit);
  if (!taken) return err({ code: "forgotten" });
  const { file, before, after, blocks } = taken;
  const lost = blocks.filter(isWithdrawn);
  const origins = new Map(lost.map(({ origin }) => [origin.turnId, origin]));
  const brought: BroughtBack[] = [];
  for (const origin of origins.values()) {
    const read = await readToEdit(deps.workspace, allowSecret(file), deps.signal);
    if (!read.ok) return err({ code: "file", error: read.error });
    const merged = mergeTexts(after, read.value.text, before);
    if (!merged.ok) return err({ code: "file-changed", path: file.path });
    const moved = changesBetween(before, merged.value);
    const own = lost
      .filter((block) => block.origin.turnId === origin.turnId)
      .map(({ blockId, warnings, ...range }) => ({
        blockId,
        warnings,
        ...innermost(range, moved),
      }));
    const review = deps.reviewer.open(read.value, origin);
    const proposed = await review.propose({ text: merged.value, blocks: own }, false);
    brought.push({ origin, blocks: proposed.blocks });
  }
  return ok(brought);
}

async function bringOperationBack(
  turnId: string,
  { callId, blockId, path, op, target }: EditBlock,
  { chatId, workspace, reviewer }: BringingBack,
): Promise<Result<readonly BroughtBack[], HeldFailure>> {
  const places = [path, ...(op === "rename" ? [target] : [])].map((each) =>
    workspace.resolve(each),
  );
  const [file, to] = await Promise.all(places);
  const failed = [file, to].find((place) => place !== undefined && !place.ok);
  if (failed && !failed.ok) return err({ code: "file", error: failed.error });
  if (!file?.ok || !reviewer.operations) return err({ code: "forgotten" });
  const origin = { chatId, turnId, callId };
  const operation = { file: file.value, to: to?.ok ? to.value : null, origin, blockId };
  const proposed = await reviewer.operations.propose(operation);
  return proposed.ok
    ? ok([{ origin, blocks: [proposed.value] }])
    : err({ code: "file", error: proposed.error });
}
