/** The capture that {@link withPatternRoots} adds. */
export const PATTERN_ROOT = "pattern.root";

const BRACKETS = /;.*|"(?:[^"\\]|\\.)*"|[()[\]]/g;

/**
 * Adds a capture to a query that names the outermost node of each pattern. A match depends on the subtree of this node alone, which
 * is what tells the matches that an edit cannot have changed.
 */
export function withPatternRoots(query: string): string {
  let depth = 0;
  let at = 0;
  let rooted = "";
  for (const { 0: token, index } of query.matchAll(BRACKETS)) {
    if (token === "(" || token === "[") depth++;
    else if (token === ")" || token === "]") depth--;
    else continue;
    if (depth > 0) continue;
    rooted += `${query.slice(at, index + 1)} @${PATTERN_ROOT}`;
    at = index + 1;
  }
  return rooted + query.slice(at);
}
