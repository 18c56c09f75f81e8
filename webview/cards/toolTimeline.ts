import type { ToolCallState } from "../../src/turns/turn.ts";

type TimelineCall = Pick<ToolCallState, "callId" | "beside" | "startedAt" | "durationMs">;

/**
 * When a call ran within the time of all of them, as shares of it, and the others that ran at the
 * same time.
 */
export interface CallSpan {
  readonly start: number;
  readonly length: number;
  readonly beside: readonly string[];
}

/**
 * When each call ran, by its id; empty while one of them is not over, and where none ran at the
 * same time as another.
 */
export function toolTimeline(calls: readonly TimelineCall[]): ReadonlyMap<string, CallSpan> {
  const ran = calls.flatMap(({ callId, beside, startedAt, durationMs }) =>
    startedAt === null || durationMs === null
      ? []
      : [{ callId, beside, start: startedAt, end: startedAt + Math.max(1, durationMs) }],
  );
  const ids = new Set(calls.map(({ callId }) => callId));
  const together = ran.map((call) => ({
    ...call,
    beside: call.beside.filter((id) => ids.has(id)),
  }));
  if (ran.length < calls.length || !together.some(({ beside }) => beside.length > 0))
    return new Map();
  const first = Math.min(...ran.map(({ start }) => start));
  const all = Math.max(...ran.map(({ end }) => end)) - first;
  return new Map(
    together.map(({ callId, beside, start, end }) => [
      callId,
      { start: (start - first) / all, length: (end - start) / all, beside },
    ]),
  );
}
