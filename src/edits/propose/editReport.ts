import { FenceScanner } from "../../base/text/fenceScanner.ts";
import { pluralize } from "../../base/text/sentence.ts";
import { openerHint } from "../answer/blockFormat.ts";
import type { AddressFormat } from "../answer/captureOptions.ts";
import { parseOpener, targetOf } from "../answer/parseOpener.ts";
import {
  type Block,
  become,
  isAlreadyThere,
  isApplied,
  isPending,
  linesOf,
  openedBlock,
  refused,
} from "../block.ts";
import { blockReport, ignoredReport, proposedReport } from "../messages.ts";

/** The facts of a report. */
export interface EditReportFacts {
  readonly path: string;
  readonly mode: AddressFormat;
  readonly blocks: readonly Block[];
  /** Lines of the file with the blocks; used when something was applied or proposed. */
  readonly lineCount: number;
  /** True while other files are in edit mode too, so that each block needs its file. */
  readonly isOneOfSeveral?: boolean;
}

const PROVE_LINES =
  "Next time quote how the first and the last of the lines begin: a wrong number then changes nothing.";
const PROBLEM = "There was a problem applying the changes.";

/** Reports to the model on its blocks, once the message is over. */
export function editReport(input: EditReportFacts): string {
  const { path, blocks, mode } = input;
  const applied = blocks.some((block) => isApplied(block) && !isAlreadyThere(block));
  const pending = blocks.filter(isPending).length;
  const offered =
    pending > 0 ||
    blocks.some(isApplied) ||
    blocks.some(({ status }) => status === "rejected" || status === "conflict");
  const parts: string[] = [];
  if (applied)
    parts.push(
      `File '${path}' has been updated. It now has ${pluralize(input.lineCount, "line")}.`,
    );
  else if (pending > 0) parts.push(proposedReport(path, pending, input.lineCount));
  else if (offered) parts.push(`Nothing was changed in '${path}'.`);
  else
    parts.push(
      `${PROBLEM} Nothing was proposed for '${path}'${blocks.length === 0 ? ": no edit block for it was found in your message" : ""}.`,
    );
  const bullets = blockBullets(blocks);
  if (blocks.some((block) => block.status !== "ignored" && !isPlain(block))) parts.push(bullets);
  const ignored = ignoredReport(blocks);
  if (ignored !== null) parts.push(ignored);
  if (blocks.some(isUnproven)) parts.push(PROVE_LINES);
  const isMisshapen = blocks.some(
    ({ reason }) => reason?.code === "other-form" || reason?.code === "file-needed",
  );
  const active = activeMode(blocks);
  if (active !== null || isMisshapen || !offered)
    parts.push(openerHint(active ?? mode, path, input.isOneOfSeveral === true));
  return parts.join("\n\n");
}

/** The mode that the ignored ones are not in; null without any. */
function activeMode(blocks: readonly Block[]): AddressFormat | null {
  for (const { reason } of blocks) if (reason?.code === "mode-mismatch") return reason.active;
  return null;
}

/** True for a change of lines by their numbers, of which its opener does not quote both ends. */
function isUnproven(block: Block): boolean {
  const lines = block.address && linesOf(block.address);
  if (!lines || !(isApplied(block) || isPending(block))) return false;
  const isReplaced = block.op === "replace" || block.op === "remove";
  return isReplaced && block.checks.length < (lines.start === lines.end ? 1 : 2);
}

/** True where the first sentence says all of a block. */
function isPlain(block: Block): boolean {
  const { status, warnings, adjustments } = block;
  return (
    (status === "applied" || status === "pending") &&
    !isAlreadyThere(block) &&
    warnings.length + adjustments.length === 0
  );
}

/** Reports to a model whose message was cut off, once on each failed block. Edit mode stays on. */
export function cutOffReport(path: string, blocks: readonly Block[]): string {
  const open = blocks.some(({ status }) => status === "incomplete");
  const rest = open
    ? "Write that block again from its beginning, then what is still missing."
    : "Go on with what is still missing.";
  return [
    `Edit mode for '${path}' is still on.`,
    blockBullets(blocks),
    ignoredReport(blocks) ?? "",
    `${rest} Everything is proposed at the end of your message.`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/**
 * Reports to the model on the blocks of a message that came while no file was in edit mode; null
 * where none has an address. `knowsFile` tells a file's name from the rest of an AST path;
 * `turnsOn` says who can turn edit mode on.
 */
export function unclaimedReport(
  message: string,
  knowsFile: (name: string) => boolean,
  turnsOn: "model" | "user",
): string | null {
  const scanner = new FenceScanner();
  const blocks: Block[] = [];
  for (const event of [...scanner.push(message), ...scanner.flush()]) {
    if (event.type !== "open") continue;
    const opener = parseOpener(event.info, { isOpenFile: knowsFile, namesElement: () => false });
    if (opener.kind !== "address") continue;
    const { address, file, op, written } = opener;
    const index = blocks.length + 1;
    const opened = openedBlock({
      blockId: `${index}`,
      index,
      step: 0,
      target: targetOf(address),
      written,
      op,
      textStart: event.start,
    });
    blocks.push(become(opened, refused({ code: "no-edit-mode", file, turnsOn })));
  }
  return blocks.length === 0 ? null : `${PROBLEM} Nothing was proposed.\n\n${blockBullets(blocks)}`;
}

/** One line for each block, but for those ignored for their mode. */
function blockBullets(blocks: readonly Block[]): string {
  const reported = blocks.filter(({ status }) => status !== "ignored");
  const name = blockNames(reported);
  return reported.map((block) => `- ${blockReport(block, name(block))}`).join("\n");
}

/** Names each block by its target and operation; blocks with the same name are numbered. */
function blockNames(blocks: readonly Block[]): (block: Block) => string {
  return (block) => {
    const { target, op } = block;
    const alike = blocks.filter((other) => other.target === target && other.op === op);
    const marks = [
      ...(op === "replace" || op === "complete" ? [] : [op]),
      ...(alike.length > 1 ? [`block ${alike.indexOf(block) + 1}`] : []),
    ];
    return marks.length === 0 ? target : `${target} (${marks.join(", ")})`;
  };
}
