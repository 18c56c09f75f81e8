import { ok, type Result } from "../../base/result.ts";
import type { ModelError } from "../../model/modelFailure.ts";
import { clipText } from "../../tools/results/clippedResults.ts";
import type { ModelConnection } from "../chatOptions.ts";
import { completeText } from "./completeText.ts";
import { COMMIT_MESSAGE_PROMPT } from "./prompts.ts";

/** How long the model may take, in milliseconds. */
const LIMIT_MS = 60_000;
/** UTF-16 units of the diff that the model sees. */
const MAX_DIFF = 60_000;

/**
 * Asks the model for a message for the changes in `diff`. `begun` is what the user wrote of it, or
 * "". Never throws.
 */
export async function commitMessage(
  diff: string,
  begun: string,
  connection: ModelConnection,
  signal: AbortSignal,
): Promise<Result<string, ModelError>> {
  const { text, end, length } = clipText(diff, 0, MAX_DIFF);
  const parts = [
    begun.trim() === "" ? null : `The user began the message like this:\n${begun.trim()}`,
    `The changes:\n${text}`,
    end < length ? `[${length - end} more characters of the diff are left out.]` : null,
  ];
  const request = [
    { role: "system" as const, text: COMMIT_MESSAGE_PROMPT },
    { role: "user" as const, text: parts.filter((part) => part !== null).join("\n\n") },
  ];
  const answer = await completeText(request, connection, LIMIT_MS, signal);
  return answer.ok ? ok(withoutFence(answer.value.text)) : answer;
}

/** Some models put the message into a code fence. */
function withoutFence(text: string): string {
  return (/^```[^\n]*\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text).trim();
}
