import { firstPart } from "../base/text/clip.ts";
import { visibleText } from "../base/text/visibleText.ts";
import type { Usage } from "../model/streamPart.ts";
import { reasonText, warningsText } from "../turns/blockMessages.ts";
import type { EditBlock, EditStatus } from "../turns/editBlock.ts";
import { costText, noticeMessage } from "../turns/messages.ts";
import type { TurnEvent } from "../turns/turnEvent.ts";
import { commandLineWords } from "./messages.ts";

/** The most of a call's arguments that a line shows, in UTF-16 units. */
const MAX_ARGUMENTS = 100;

/** What an edit is before it is settled. */
const UNSETTLED: ReadonlySet<EditStatus> = new Set(["streaming", "captured"]);

/**
 * Turns events into text for people: the answer as it streams, a line for each call, edit and
 * notice, and at the end what the turn took. Control characters of models and files are shown, not
 * sent to the terminal.
 */
export function readableEvents(write: (text: string) => void): (event: TurnEvent) => void {
  let isAtLineStart = true;
  const told = new Map<string, string>();
  const used: Usage[] = [];
  const put = (text: string) => {
    if (text === "") return;
    write(text);
    isAtLineStart = text.endsWith("\n");
  };
  const line = (text: string) => put(`${isAtLineStart ? "" : "\n"}${visibleText(text)}\n`);

  function edit(block: EditBlock): void {
    if (UNSETTLED.has(block.status)) return;
    const text = editLine(block);
    if (told.get(block.blockId) === text) return;
    told.set(block.blockId, text);
    line(text);
  }

  return (event) => {
    switch (event.type) {
      case "text-delta":
        return put(visibleText(event.text));
      case "tool-call":
        return line(`> ${event.name} ${callArguments(event.input)}`);
      case "tool-result":
        return event.error ? line(`  ${event.error.message}`) : undefined;
      case "edit-update":
        return edit(event.edit);
      case "notice":
        return line(`! ${noticeMessage(event, commandLineWords)}`);
      case "usage":
        if (event.usage.inputTokens || event.usage.outputTokens) used.push(event.usage);
        return undefined;
      case "turn-end":
        return used.length > 0 ? line(`# ${usageLine(used)}`) : put(isAtLineStart ? "" : "\n");
      default:
        return undefined;
    }
  };
}

function editLine(block: EditBlock): string {
  const { path, target, op, status, warnings } = block;
  const why = reasonText(block, commandLineWords) ?? warningsText(warnings, commandLineWords);
  const mode = op === "make-executable" || op === "make-plain";
  const place = mode ? op : op === "rename" ? `to ${target}` : target;
  return `= ${path} (${place}): ${status}${why === null ? "" : `. ${why}`}`;
}

/** What the requests of a turn took together; `≈` marks what Graft estimated. */
function usageLine(used: readonly Usage[]): string {
  const sum = (of: (usage: Usage) => number | null | undefined) =>
    used.reduce((total, usage) => total + (of(usage) ?? 0), 0);
  const count = (tokens: number) => tokens.toLocaleString("en-US");
  const mark = used.some(({ estimated }) => estimated === "tokens") ? "≈" : "";
  const cached = sum(({ cachedInputTokens }) => cachedInputTokens);
  const thought = sum(({ reasoningTokens }) => reasoningTokens);
  const priced = used.filter(({ cost }) => cost !== undefined);
  const isEstimated = priced.length < used.length || priced.some((usage) => usage.estimated);
  return [
    `${mark}${count(sum((usage) => usage.inputTokens))} tokens in${cached > 0 ? ` (${count(cached)} cached)` : ""}`,
    `${mark}${count(sum((usage) => usage.outputTokens))} out${thought > 0 ? ` (${count(thought)} reasoning)` : ""}`,
    ...(priced.length > 0
      ? [`${isEstimated ? "≈" : ""}${costText(sum((usage) => usage.cost))}`]
      : []),
  ].join(", ");
}

function callArguments(input: unknown): string {
  const text = JSON.stringify(input) ?? "";
  return text.length > MAX_ARGUMENTS ? `${firstPart(text, MAX_ARGUMENTS)}…` : text;
}
