import { english } from "../../base/localize.ts";
import { countTextLines } from "../../base/text/lines.ts";
import { withoutThinking } from "../../model/thinking/thinkTagSplitter.ts";
import type { BlockWarning } from "../../ports/review.ts";
import type { FileSnapshot } from "../../ports/workspace.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import { reasonText, warningsText } from "../../turns/blockMessages.ts";
import { claimsOfOne } from "../answer/openSessions.ts";
import { type Block, type BlockAdjustment, become, isCaptured, outcomeFields } from "../block.ts";
import { withEditedFile } from "../place/editedFile.ts";
import type { ApplyMode } from "./applyMode.ts";
import { BlockCapture } from "./blockCapture.ts";
import { editReport } from "./editReport.ts";

/** One block of the message, in words that stay; `address` is as the opener writes it. */
export interface AppliedBlock {
  /** 1-based. */
  readonly index: number;
  readonly address: string;
  readonly op: string;
  readonly status: "applied" | "ignored" | "refused" | "incomplete";
  /** The code of why it was not applied, or of the first warning about a block that was. */
  readonly code?: string;
  /** The same in words. */
  readonly reason?: string;
  /** The codes of all warnings; left out for none. */
  readonly warnings?: readonly BlockWarning["code"][];
  /** What Graft changed in the block; left out for nothing. */
  readonly adjustments?: readonly BlockAdjustment[];
}

/** A file with every valid block of a message applied. */
export interface AppliedMessage {
  readonly file: string;
  /** Without an empty one after a final line break. */
  readonly lineCount: number;
  readonly text: string;
  readonly blocks: readonly AppliedBlock[];
  /** The report that the model would get. */
  readonly report: string;
}

/**
 * Applies an assistant message, without the thinking in it, fed in pieces of `chunk` UTF-16 units, to
 * a file's text. Writes nothing. Applies blocks with a warning too, and reports the warning.
 */
export async function applyMessage(
  snapshot: FileSnapshot,
  message: string,
  options: { readonly mode: ApplyMode; readonly chunk: number },
  syntax: Syntax,
  signal: AbortSignal,
): Promise<AppliedMessage> {
  const { path } = snapshot.file;
  const asked = options.mode === "auto" ? null : options.mode;
  const mode = snapshot.exists ? asked : "complete";
  const parameter = asked === null || asked === "complete" ? undefined : asked === "lines";
  return withEditedFile(snapshot, syntax, signal, (file) => {
    const capture = new BlockCapture({
      ...{ callId: "apply", file, mode, parameter },
      claims: claimsOfOne(file, mode === "complete"),
      onBlock() {},
    });
    capture.startMessage(0);
    const step = Math.max(1, options.chunk);
    const { said, doubtful } = withoutThinking(message);
    const push = (text: string) => {
      for (let at = 0; at < text.length; at += step) capture.push(text.slice(at, at + step));
    };
    push(said.slice(0, doubtful));
    if (doubtful > 0) capture.doubt();
    push(said.slice(doubtful));
    capture.endMessage("whole");
    capture.finish();
    const { text } = capture.proposal();
    const blocks = capture.blocks.map((block) => {
      const applied = { blockId: block.blockId, status: "applied", reason: null } as const;
      return isCaptured(block) ? become(block, outcomeFields(applied)) : block;
    });
    const lineCount = countTextLines(text);
    const report = editReport({ path, mode: capture.mode, blocks, lineCount });
    return { file: path, lineCount, text, blocks: blocks.map(appliedBlock), report };
  });
}

function appliedBlock(block: Block): AppliedBlock {
  const { index, written: address, op, reason, warnings, adjustments } = block;
  const status =
    block.status === "applied" || block.status === "ignored" || block.status === "incomplete"
      ? block.status
      : "refused";
  const code = status === "applied" ? warnings[0]?.code : reason?.code;
  const words = status === "applied" ? warningsText(warnings, english) : reasonText(block, english);
  return {
    index,
    address,
    op,
    status,
    ...(code !== undefined && { code }),
    ...(words !== null && { reason: words }),
    ...(warnings.length > 0 && { warnings: warnings.map((warning) => warning.code) }),
    ...(adjustments.length > 0 && { adjustments }),
  };
}
