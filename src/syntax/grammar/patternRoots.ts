/** The capture that {@link withPatternRoots} adds. */
export const PATTERN_ROOT = "pattern.root";

/** A pattern over any child of a node: each match depends on that child alone. */
const ANY_CHILD = /^(\s*\(\w+\s+\(_\)(?:\s+@[\w.]+){1,2})\)$/;

const BRACKETS = /;.*|"(?:[^"\\]|\\.)*"|[()[\]]/g;

/** Adds a capture for the node that each match of a pattern depends on, which is its outermost one: it shows what an edit cannot have changed. */
export function withPatternRoots(query: string): string {
  let depth = 0;
  let at = 0;
  let start = 0;
  let rooted = "";
  for (const { 0: token, index } of query.matchAll(BRACKETS)) {
    if (token === "(" || token === "[") {
      if (depth++ === 0) start = index;
    } else if (token === ")" || token === "]") depth--;
    else continue;
    if (depth > 0) continue;
    const pattern = query.slice(start, index + 1);
    // A captured parent is part of the match.
    const isAnyChild = ANY_CHILD.test(pattern) && !/^\s*@/.test(query.slice(index + 1, index + 100));
    const rootedPattern = isAnyChild ? pattern.replace(ANY_CHILD, `$1 @${PATTERN_ROOT})`) : `${pattern} @${PATTERN_ROOT}`;
    rooted += query.slice(at, start) + rootedPattern;
    at = index + 1;
  }
  return rooted + query.slice(at);
}
