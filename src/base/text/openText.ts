/**
 * The end of the text of several lines that is open, such as a string or a comment; null in code.
 */
export type OpenText = RegExp | null;

/** The longest line that is read for what begins in it, in UTF-16 units: each pair costs a look. */
const LONGEST = 1_000;

/**
 * How strings, comments and other text of several lines begin in the languages that have them, and
 * how they end. `end` gets the match of the beginning, which is the first of its sign where `isFirst`.
 */
const OPENINGS: readonly {
  readonly start: RegExp;
  readonly isFirst?: true;
  readonly end: (match: RegExpExecArray) => RegExp;
}[] = [
  { start: /"""/, end: () => /"""/ },
  { start: /'''/, end: () => /'''/ },
  { start: /^\s*\/\*/, end: () => /\*\// },
  { start: /<!--/, end: () => /-->/ },
  { start: /<!\[CDATA\[/, end: () => /\]\]>/ },
  { start: /^\s*\{-/, end: () => /-\}/ },
  { start: /^\s*\(\*/, end: () => /\*\)/ },
  { start: /^\s*<#/, end: () => /#>/ },
  { start: /^\s*#\|/, end: () => /\|#/ },
  { start: /^=(?:begin|pod|head\d|encoding|over|item)\b.*/, end: () => /^=(?:end|cut)\b.*/ },
  { start: /(?:--)?\[(=*)\[\s*$/, end: ([, marks = ""]) => new RegExp(`\\]${marks}\\]`) },
  { start: /@(["'])\s*$/, end: ([, quote = ""]) => new RegExp(`^${quote}@`) },
  { start: /=\s*''\s*$/, end: () => /^\s*''/ },
  { start: /"\s*$/, isFirst: true, end: () => /^\s*"/ },
  { start: /'\s*$/, isFirst: true, end: () => /^\s*'/ },
  { start: /^__(?:END|DATA)__\s*$/, end: () => /(?!)/ },
  { start: /(?:^|\s)\?>\s*$/, end: () => /<\?/ },
  { start: /^---\s+(?:!\S+\s+)?[|>][-+\d]*\s*$/, end: () => /^(?:---|\.\.\.)(?:\s|$)/ },
  { start: /R"(\w*)\(/, end: ([, name = ""]) => new RegExp(`\\)${name}"`) },
  { start: /(?<=\s)<<-?([a-z]\w*)\s*$/, end: ([, word = ""]) => new RegExp(`^\\s*${word}\\s*$`) },
  {
    start: /<<<?[-~]?\s?(?:"([A-Za-z_]\w*)"|'([A-Za-z_]\w*)'|\\?([A-Z_][A-Z\d_]*)\b)/,
    end: ([, a, b, c]) => new RegExp(`^\\s*${a ?? b ?? c ?? ""}\\b`),
  },
];

/** A comment to the end of the line. It begins no other text. */
const LINE_COMMENT = /(?:^|\s)(?:\/\/|#(?!\|)(?:\s|$))/;

/**
 * Follows text of several lines, such as strings and comments, through code of any language: `open` is what is
 * open before `line`, the result what is open after it. Reads their usual forms only, so something
 * else must prove what depends on it.
 */
export function openTextAfter(line: string, open: OpenText): OpenText {
  if (line.length > LONGEST) return open?.test(line) ? null : open;
  let end = open;
  let rest = line;
  while (rest !== "") {
    if (end) {
      const closing = end.exec(rest);
      if (!closing) return end;
      rest = rest.slice(closing.index + closing[0].length);
      end = null;
      continue;
    }
    const opening = firstOpening(rest);
    if (!opening) return null;
    end = opening.end;
    rest = rest.slice(opening.at);
  }
  return end;
}

function firstOpening(line: string): { readonly at: number; readonly end: RegExp } | null {
  let first: { start: number; at: number; end: RegExp } | null = null;
  for (const { start, isFirst, end } of OPENINGS) {
    const match = start.exec(line);
    if (!match || (isFirst && line.indexOf(match[0].charAt(0)) < match.index)) continue;
    if (!first || match.index < first.start)
      first = { start: match.index, at: match.index + match[0].length, end: end(match) };
  }
  const comment = LINE_COMMENT.exec(line);
  return comment && first && comment.index < first.start ? null : first;
}
