const DOTS = "(?:\\.{3,}|…)";
const NOUN =
  "(?:code|methods?|functions?|implementations?|logic|class(?:es)?|file|imports?|tests?|cases?|fields?|properties|members?|definitions?|" +
  "statements?|declarations?|rules?|styles?|sections?|content|contents|lines?|body|text|stuff|elements?|components?|props|entries|items|keys|handlers?|routes?)";
const KEPT =
  "(?:existing|rest|remaining|remainder|unchanged|previous|same|other|omitted|more|above|below|original|keep|kept|skipped|elided|truncated|snip(?:ped)?|etc|unmodified|untouched|as before|as is|goes? here|no changes?)";

const CODE =
  "(?:code|methods?|functions?|implementations?|logic|class(?:es)?|file|imports?|tests?|module|component|script|page|template|config)";
const KEPT_SO = "(?:unchanged|unmodified|untouched|omitted|(?:the )?same as (?:before|above|original)|as before|as is|goes? here)";

/** Phrases that stand for left-out text whether or not there are dots. */
const PHRASES = [
  new RegExp(
    `^(?:\\W|the |all |and |keep |with )*(?:rest|remainder)\\b.{0,40}?(?: (?:is|are|remains?|stays?))?(?: (?:${KEPT_SO}|the same|here))$`,
  ),
  new RegExp(`^(?:the )?(?:rest|remainder) of (?:the |your |this )?(?:\\w+ )?${CODE}(?: (?:here|continues).*)?$`),
  new RegExp(`^(?:\\w+ ){0,3}${CODE} (?:(?:is|are|remains?|stays?|left|kept) )?(?:${KEPT_SO}|remains?(?: the same)?|stays? the same)$`),
  new RegExp(
    `^(?:the |your |all )?(?:existing|previous|original|remaining) ${CODE}(?: (?:here|above|below|continues|stays?|remains?).*)?$`,
  ),
  /^(?:unchanged|no changes?(?: (?:here|below|above|needed))?|same as (?:before|above|original)|as before|keep (?:the )?(?:existing|rest|remaining|original)\b.*|snip(?:ped)?|omitted)$/,
  /\b(?:omitted|truncated|skipped|shortened|elided) for (?:brevity|clarity|space)\b/,
];
const DOTTED = [
  new RegExp(`^${DOTS}$`),
  new RegExp(`^${DOTS}.{0,80}${DOTS}$`),
  new RegExp(`^${DOTS}.{0,60}\\b${KEPT}\\b`),
  new RegExp(`^${DOTS}\\s*\\(?(?:the |all |your )?(?:\\w+ ){0,2}${NOUN}\\)?$`),
  new RegExp(
    `^(?:the |all |your |keep |with )*(?:existing|remaining|other|previous|original|rest of|same|unchanged)\\b(?:\\W+\\w+){0,4}?\\W+${NOUN}\\W*${DOTS}$`,
  ),
  new RegExp(`^(?:unchanged|rest|existing|same|etc|continue[sd]?|snip|omitted|and so on)\\W*${DOTS}$`),
];

const ONLY_DOTS = new RegExp(`^${DOTS}$`);
const DOTS_FIRST = new RegExp(`^${DOTS}`);

/** How each comment style begins on a line of its own, and what ends it; the text between is the comment. */
const COMMENT_LINE =
  /^(?:\{\s*\/\*+|\/\*+|<!--|\(\*|\{-|\{\{!--|<%--|%\{|--\[\[|#\||"""|'''|\/{2,}|#+|-{2,}|;+|%+|'|"|!|\*(?=\s)|\.\.(?=\s)|(?:rem|@rem|dnl)\b)\s*(.*?)\s*(?:\*+\/\s*\}?|-->|\*\)|-\}|--\}\}|--%>|%\}|\]\]|\|#|"""|''')?$/i;
const TRAILING_COMMENT = new RegExp(
  `(?:\\/\\*+|\\/\\/|#|--|<!--)\\s*(${DOTS}.{0,80}?|[^*]{0,60}${DOTS})\\s*(?:\\*\\/|-->)?\\s*[\\])}>;,]*$`,
  "i",
);

/**
 * The line of a body that stands for text the model left out (`// ... existing code ...`, `# rest unchanged`), or null.
 * Lines that stand in `oldText` as well are the file's own. In `prose`, such as Markdown, code samples are content; in a `dotted`
 * language a line of three dots means something.
 */
export function findElision(lines: readonly string[], oldText: string, kind: "code" | "dotted" | "prose"): string | null {
  const own = new Set(oldText.split(/\r\n|\n|\r/).map((line) => line.trim()));
  let sample = false;
  for (const raw of lines) {
    const line = raw.trim();
    if (kind === "prose" && /^(```|~~~)/.test(line)) sample = !sample;
    if (line.length > 200 || sample || own.has(line)) continue;
    if (kind === "prose" ? isProseElision(line) : isElision(line, kind)) return line;
  }
  return null;
}

function isElision(line: string, kind: "code" | "dotted"): boolean {
  const bare = bracketless(line);
  if (DOTTED.some((pattern) => pattern.test(bare)) && !(kind === "dotted" && /^\.{3}$/.test(line))) return startsLikeElision(line);
  const comment = COMMENT_LINE.exec(line)?.[1];
  if (comment !== undefined) return standsForText(comment, line);
  const trailing = TRAILING_COMMENT.exec(line)?.[1];
  return (
    trailing !== undefined &&
    DOTTED.some((pattern) => pattern.test(bracketless(trailing))) &&
    (isBraced(line) || !ONLY_DOTS.test(trailing.trim()))
  );
}

function isProseElision(line: string): boolean {
  const comment = /^<!--\s*(.*?)\s*-->$/.exec(line)?.[1];
  if (comment !== undefined) return standsForText(comment, line);
  const bare = bracketless(line);
  return DOTS_FIRST.test(bare) && DOTTED.slice(1).some((pattern) => pattern.test(bare));
}

function standsForText(comment: string, line: string): boolean {
  const text = bracketless(comment);
  // Dots alone in a documentation comment are more likely part of an example.
  if (/^\*\s/.test(line) && ONLY_DOTS.test(text)) return false;
  return DOTTED.some((pattern) => pattern.test(text)) || PHRASES.some((pattern) => pattern.test(text));
}

/** Dots right before a name are a spread, as in `...rest,`. */
function startsLikeElision(line: string): boolean {
  return /^[[(<{]*\s*(\.{3,}|…)/.test(line) && !/^\.{3}[\w$]+([.([].*)?[,;)\]}]*$/.test(line);
}

/** `{ /* ... *\/ }`: a body that consists of an elision. */
function isBraced(line: string): boolean {
  return /[{([>]\s*(?:\/\*|\/\/|<!--)/.test(line);
}

function bracketless(text: string): string {
  return text
    .toLowerCase()
    .replace(/^[\s[(<{]+/, "")
    .replace(/[\s\])>}:;]+$/, "")
    .replace(/(?<!\.)\.$/, "");
}
