import { lastPart } from "../base/text/clip.ts";
import { countTextLines } from "../base/text/lines.ts";
import type { ToolError } from "../tools/tool.ts";

/** Tells the model why a call did not run. */
export function notRunError(tool: string, cutOff: boolean): ToolError {
  const message = `${tool} was not run because the answer was cut off or tools are not available.`;
  return {
    category: "execution",
    message,
    recovery: cutOff ? "Call it again in a shorter message." : null,
  };
}

/**
 * Tells the model that a tool stopped receiving its text. `reason` is an exception's sentence, null
 * for a timeout.
 */
export function requestDropped(callId: string, reason: string | null): string {
  return `The request ${callId} failed inside Graft (${reason ?? "it did not stop in time"}) and is over; what it had not yet done was not done.`;
}

/** Tells an agent of another maker how it may write edits; once, before its first prompt. */
export const AGENT_BLOCKS = `Besides by your own tools you may change files that exist by edit blocks in your text: the user sees them grow while you write, reviews and edits them. The opener of such a block ends with an address and with the file's path in the workspace:

\`\`\`js:ast-path:Shape-area src/shape.js
the complete new element
\`\`\`

An address is an element's path (names from the outermost to the element, joined by \`-\`), after which \`:before\`, \`:after\`, \`:append\`, \`:prepend\` and \`:remove\` say what else to do than to replace it; or lines as the file is now (first:last, 1-based, inclusive) with the words that the first and the last of them begin with: \`js:3:9 "const total" "return" src/shape.js\`. In one message all blocks of a file name elements, or all name lines. Leave no code out in them. You hear with the user's next message what became of them; until then your own tools show the files without them. To create a file, use your own tools. Code blocks that only show something have no address.`;

/** Tells an agent that a block with lines was not taken. */
export function blockUnproven(address: string, file: string): string {
  return `The block for '${address}' of '${file}' was not taken: after its lines, its opener must quote how the first and the last of them begin.`;
}

/** Tells an agent why no block for a file was taken. */
export function blocksRefused(file: string, why: string): string {
  return `Nothing was proposed for '${file}'. ${why}`;
}

/** Tells an agent that blocks of one message were not taken. */
export function tooManyFiles(most: number): string {
  return `One message can change at most ${most} files by blocks; those of the others were not taken.`;
}

/** Tells an agent what of its work is lost, see the notice `agent-changes-lost`. */
export function changesLost(
  files: number,
  repository: boolean,
  unproposed: readonly string[],
): string {
  const lost = [
    ...(files > 0
      ? [
          `You changed ${files} files at once, which is too many to propose: these changes are lost. Change fewer with one command.`,
        ]
      : []),
    ...(repository
      ? [
          "What you did in the git repository, such as a commit, does not last: the user commits once the changes are accepted.",
        ]
      : []),
    ...(unproposed.length > 0
      ? [
          `Not proposed, since they are links or no text: ${unproposed.join(", ")}. The user does not get them: where they are needed, say so.`,
        ]
      : []),
  ];
  return lost.join(" ");
}

/** Marks a tool result of which the model sees only the beginning. */
export function clippedResult(start: string, whole: string): string {
  return `${start.trimEnd()}\n[clipped: ${countTextLines(whole)} lines in all; read again to see them]`;
}

/** Marks a long message of which a summary request has the beginning and the end. */
export function shortenedMessage(start: string, omitted: number, end: string): string {
  return `${start}\n[… ${omitted} characters left out …]\n${end}`;
}

/** Marks a rules file of which the model sees only the beginning. */
export function clippedRules(start: string, omitted: number): string {
  return `${start.trim()}\n[The rest of the file, ${omitted} characters, is left out.]`;
}

/** Marks a summary that was too long. */
export function clippedSummary(start: string): string {
  return `${start.trimEnd()} [The summary is cut off here.]`;
}

/** Stands for the messages that a summary request has no room for. */
export const EARLIER_MESSAGES_OMITTED = "[Earlier messages are left out.]";

/** The most of an earlier conversation that an agent gets, in UTF-16 units from its end. */
const MOST_HISTORY = 60_000;

/**
 * Tells an agent of a conversation that it was not part of, before the user's message, or after it
 * where that must come first.
 */
export function historyText(
  messages: readonly { readonly role: string; readonly text: string }[],
  isBefore: boolean,
): string {
  const all = messages.map(({ role, text }) => `${role}: ${text}`).join("\n\n");
  const text = `The conversation so far, with another assistant:\n\n${lastPart(all, MOST_HISTORY)}`;
  return isBefore ? `${text}\n\nThe user's message now:` : text;
}
