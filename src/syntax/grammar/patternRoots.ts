/** The capture that {@link withPatternRoots} adds, unless a pattern has its own. */
export const PATTERN_ROOT = "pattern.root";

/** What a match with its own root depends on besides: from the first of these to the last. */
export const PATTERN_ALSO = "pattern.also";

/**
 * Takes the pattern for every child of a file's root out of a query: it would find them all again
 * after each edit. Null where there is none.
 */
export function withoutStatements(query: string, root: string): string | null {
  const pattern = `(${root} (_) @definition.statement @name)`;
  return query.includes(pattern) ? query.replace(pattern, "") : null;
}

/** A node with one child and nothing else, up to where its child begins. */
const ONLY_CHILD = /^\s*\(\w+\s+(?:\w+:\s+)?(?=[([])/;

const BRACKETS = /;.*|"(?:[^"\\]|\\.)*"|[()[\]]/g;

/**
 * Adds a capture for the node that each match of a pattern depends on: it shows what an edit cannot
 * have changed. It is the outermost one that is captured or has several children: the types of
 * those around it only change where the whole tree does.
 */
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
    if (query.slice(start, index).includes(`@${PATTERN_ROOT}`)) continue;
    const end = rootEnd(query, start, index + 1);
    rooted += `${query.slice(at, end)} @${PATTERN_ROOT}${query.slice(end, index + 1)}`;
    at = index + 1;
  }
  return rooted + query.slice(at);
}

/** The end of the node that the pattern between `start` and `end` depends on. */
function rootEnd(query: string, start: number, end: number): number {
  // A captured parent is part of the match.
  if (/^\s*@/.test(query.slice(end, end + 100))) return end;
  const opened = ONLY_CHILD.exec(query.slice(start, end));
  if (!opened) return end;
  const child = start + opened[0].length;
  const childEnd = closing(query, child);
  const captures = /^(?:\s+@[\w.]+)*/.exec(query.slice(childEnd, end))?.[0] ?? "";
  if (query.slice(childEnd + captures.length, end) !== ")") return end;
  return captures === "" ? rootEnd(query, child, childEnd) : childEnd;
}

/** The end of the bracket pair that begins at `start`. */
function closing(query: string, start: number): number {
  let depth = 0;
  for (const { 0: token, index } of query.slice(start).matchAll(BRACKETS)) {
    if (token === "(" || token === "[") depth++;
    else if (token === ")" || token === "]") depth--;
    if (depth === 0) return start + index + 1;
  }
  return query.length;
}
