import type { EditMode } from "./blockCapture.ts";
import { openerHint } from "./blockFormat.ts";
import type { CapturedBlock } from "./capturedBlock.ts";
import { ignoredSection } from "./modeMessages.ts";

/** What the report is about. */
export interface ReportInput {
  readonly path: string;
  readonly mode: EditMode;
  readonly blocks: readonly CapturedBlock[];
  /** Lines of the file afterwards as the editor counts them; used when something was applied. */
  readonly lineCount: number;
  /** What the user changed in the proposal, as a unified diff, or null. */
  readonly userDiff: string | null;
  /** An info string that was taken for chat but could have been meant as an address, or null. */
  readonly lookalike: string | null;
}

/** What the model is told about its blocks when the message is over and the user has decided. */
export function reportText(input: ReportInput): string {
  const { path, blocks, mode } = input;
  const applied = blocks.some(({ status }) => status === "applied" || status === "partly-applied");
  const offered = applied || blocks.some(({ status }) => status === "rejected" || status === "conflict");
  const parts: string[] = [];
  if (applied) parts.push(`File '${path}' has been updated. It now has ${input.lineCount} lines.`);
  else if (offered) parts.push(`Nothing was changed in '${path}'.`);
  else parts.push("There was a problem applying the changes.");
  const heard = blocks.filter(({ status }) => status !== "ignored");
  if (heard.some((block) => block.status !== "applied" || block.warning !== null)) {
    const name = blockNames(heard);
    parts.push(heard.map((block) => bullet(block, name(block))).join("\n"));
  }
  const ignored = ignoredPart(blocks, mode);
  if (ignored !== null) parts.push(ignored);
  if (input.userDiff !== null) parts.push(`The user changed the proposal before accepting it:\n${input.userDiff}`);
  if (blocks.length === 0 && input.lookalike !== null) parts.push(lookalikeHint(input.lookalike, mode));
  if (!offered && ignored === null) parts.push(openerHint(mode, path));
  return parts.join("\n\n");
}

/** What the model is told when its answer was cut off while edit mode is on, and goes on: of every block, for those that failed are not told of again. */
export function cutOffText(path: string, mode: EditMode, blocks: readonly CapturedBlock[]): string {
  const open = blocks.some(({ status }) => status === "incomplete");
  const told = blocks.filter(({ status }) => status !== "ignored");
  const name = blockNames(told);
  const heard = told.map((block) => (block.status === "captured" ? `- ${name(block)} is complete and kept` : bullet(block, name(block))));
  const rest = open ? "Write that block again from its beginning, then what is still missing." : "Go on with what is still missing.";
  return [
    `Edit mode for '${path}' is still on.`,
    heard.join("\n"),
    ignoredPart(blocks, mode) ?? "",
    `${rest} Everything is applied at the end of your message.`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function ignoredPart(blocks: readonly CapturedBlock[], mode: EditMode): string | null {
  const ignored = blocks.flatMap((block) => (block.status === "ignored" ? [block.reportReason ?? block.reason ?? block.target] : []));
  return ignored.length > 0 ? ignoredSection(ignored, mode === "lines" ? "lines" : "ast") : null;
}

/** Names each block by its target, with the operation where it is not to replace; those that would be named alike are counted. */
function blockNames(blocks: readonly CapturedBlock[]): (block: CapturedBlock) => string {
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

function bullet(block: CapturedBlock, name: string): string {
  const { target, status, reason, warning } = block;
  const said = block.reportReason ?? reason;
  const warned = warning === null ? "" : ` (warning: ${warning})`;
  switch (status) {
    case "applied":
      return `- ${name} applied${warned}`;
    case "partly-applied":
      return `- ${name} applied in part: ${said ?? "the user rejected the rest"}${warned}`;
    case "rejected":
      return said === null || said === "rejected by the user" ? `- ${name} rejected by the user` : `- ${name} was not applied: ${said}`;
    case "incomplete":
      return `- ${said ?? `block for ${target} was not closed; nothing applied for it`}`;
    default:
      return `- ${name} was not applied: ${said ?? status}`;
  }
}

function lookalikeHint(info: string, mode: EditMode): string {
  if (mode === "complete") return `\`${info}\` is not the plain block that was expected.`;
  return `\`${info}\` is no address: a file's name is not one, it may stand behind the address after a space.`;
}
