/** What one parse, and one search for elements, may cost. */
export interface ParseLimits {
  /** Milliseconds after which it is given up. */
  readonly timeMs: number;
}

/** Answers whether so many milliseconds are over. */
export function timeLimit(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() > end;
}
