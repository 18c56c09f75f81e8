/** Milliseconds as people read them: `40 ms`, `1.2 s`, `75 s`, `3 min 5 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 120 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Shorter than this, in milliseconds, a time that still runs is not worth showing. */
const SHORTEST_ELAPSED = 2_000;

/** How long something has been running, in whole seconds; "" for a moment. */
export function elapsedText(milliseconds: number): string {
  if (milliseconds < SHORTEST_ELAPSED) return "";
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 10 ? `${seconds} s` : durationText(seconds * 1000);
}
