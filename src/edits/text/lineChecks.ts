/** 1-based and inclusive. */
interface CheckedLines {
  readonly start: number;
  readonly end: number;
}

/** How far a block may be moved to the lines that its checks fit. */
const REACH = 10;

/**
 * Reads up to two checks in double quotes, and the file name after them. A check may itself hold
 * quotes: it ends at a quote before the next check, before a rest without quotes, or at the end.
 * Linear.
 */
export function parseChecks(text: string): {
  readonly checks: readonly string[];
  readonly file: string | null;
} {
  const checks: string[] = [];
  const lastQuote = text.lastIndexOf('"');
  let at = 0;
  while (checks.length < 2 && text[at] === '"') {
    let close = at + 1;
    let next = text.length;
    for (; close < text.length; close++) {
      if (text[close] !== '"' || text[close - 1] === "\\") continue;
      next = close + 1;
      while (/\s/.test(text[next] ?? "")) next++;
      if (next === text.length || (next > close + 1 && (close === lastQuote || text[next] === '"')))
        break;
    }
    checks.push(text.slice(at + 1, close));
    at = close < text.length ? next : text.length;
  }
  return { checks, file: text.slice(at) || null };
}

/** True when the first and the last line begin as the checks say, apart from white space. */
export function checksFit(
  first: string | undefined,
  last: string | undefined,
  [check, lastCheck]: readonly string[],
): boolean {
  if (check === undefined) return true;
  if (first === undefined || last === undefined) return false;
  if (lastCheck === undefined) return begins(first, check);
  // Two checks may have been meant as one that holds quotes.
  return (
    (begins(first, check) && begins(last, lastCheck)) || begins(first, `${check}" "${lastCheck}`)
  );
}

/**
 * Where the checks fit: the lines as named; else the one place within {@link REACH} lines, moved as
 * a whole or with another last line; else null. Lines are 1-based and inclusive.
 */
export function locateChecked(
  lineAt: (line: number) => string | undefined,
  { start, end }: CheckedLines,
  checks: readonly string[],
): CheckedLines | null {
  const fits = (lines: CheckedLines) => checksFit(lineAt(lines.start), lineAt(lines.end), checks);
  if (fits({ start, end })) return { start, end };
  const found: CheckedLines[] = [];
  for (let by = -REACH; by <= REACH; by++) {
    if (by === 0) continue;
    const moved = { start: start + by, end: end + by };
    if (moved.start >= 1 && fits(moved)) found.push(moved);
    const resized = { start, end: end + by };
    if (checks.length > 1 && resized.end >= start && fits(resized)) found.push(resized);
  }
  const [only = null, ...others] = found;
  return others.length === 0 ? only : null;
}

function begins(line: string, check: string): boolean {
  const found = squeezed(line);
  const wanted = squeezed(check);
  if (wanted === "") return found === "";
  return [wanted, wanted.replaceAll('\\"', '"'), wanted.replace(/(?:\.{3}|…)$/, "")].some(
    (form) => form !== "" && found.startsWith(form),
  );
}

/** A text without white space. */
export function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}

/** Where else an end of a block's lines may be: further outside, or inside of them. */
export interface OpenSides {
  readonly outside: boolean;
  readonly inside: boolean;
}

/** Which ends of a block's lines are certain; `checked` where it has any check. */
export interface ProvenEnds {
  readonly checked: boolean;
  readonly first: OpenSides;
  readonly last: OpenSides;
}

/** True for an end that can only be where it is. */
export function isProven({ outside, inside }: OpenSides): boolean {
  return !outside && !inside;
}

/** Which ends of lines their checks prove: those that fit no line beside, or are a whole line. */
export function provenEnds(
  lineAt: (line: number) => string | undefined,
  { start, end }: CheckedLines,
  checks: readonly string[],
): ProvenEnds {
  const fits = (line: number, beside: number, check: string | undefined) => {
    if (check === undefined) return true;
    const isWhole = (text: string) => squeezed(text) === squeezed(check);
    const text = lineAt(beside);
    return (
      text !== undefined && (isWhole(lineAt(line) ?? "") ? isWhole(text) : begins(text, check))
    );
  };
  const [first, last] = checks;
  return {
    checked: checks.length > 0,
    first: { outside: fits(start, start - 1, first), inside: fits(start, start + 1, first) },
    last: { outside: fits(end, end + 1, last), inside: fits(end, end - 1, last) },
  };
}
