import { pause } from "../base/pause.ts";
import type { ModelError } from "../model/streamPart.ts";
import type { EmitTurnEvent } from "../turns/streamRegistry.ts";
import { type RetryPolicy, retryWait } from "./retryPolicy.ts";

/**
 * What `request` gave in the end: made again, after a wait that is put on record, as long as `passing` names a failure that may pass,
 * and until `signal` aborts.
 */
export async function withRetries<Answer>(
  policy: RetryPolicy,
  emit: EmitTurnEvent,
  signal: AbortSignal,
  request: () => Promise<Answer>,
  passing: (answer: Answer) => ModelError | null,
): Promise<Answer> {
  let waitedMs = 0;
  for (let retries = 0; ; retries++) {
    const answer = await request();
    const error = passing(answer);
    const waitMs = error && retryWait(policy, error, retries, waitedMs);
    if (!error || waitMs === null) return answer;
    const { kind, message } = error;
    emit({ type: "retry", attempt: retries + 1, maxAttempts: policy.maxRetries, waitMs, error: { kind, message } });
    await pause(waitMs, signal);
    if (signal.aborted) return answer;
    waitedMs += waitMs;
  }
}
