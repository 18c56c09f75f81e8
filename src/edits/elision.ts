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
    `^(?:the |your |all )?(?:existing|previous|original|remaining) (?!file$)${CODE}(?: (?:here|above|below|continues|stays?|remains?).*)?$`,
  ),
  /^(?:unchanged|no changes?(?: (?:here|below|above|needed))?|same as (?:before|above|original)|as before|snip(?:ped)?|omitted)$/,
  new RegExp(
    `^keep (?:the |all |your )*(?:existing|rest|remaining|original)(?: of (?:the |your |this )?)?(?: ?(?:\\w+ )?${NOUN})?(?: (?:${KEPT_SO}|here|the same))?$`,
  ),
  /^everything else (?:is |remains? |stays? )?(?:unchanged|(?:the )?same|as (?:is|before))$/,
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

/** What the braces at a line's end hold. */
const BRACED = /\{\s*([^{}]*?)\s*\}[;,)\]]*$/;
const ONLY_DOTS = new RegExp(`^${DOTS}$`);
const DOTS_FIRST = new RegExp(`^${DOTS}`);

/** How each comment style begins on a line of its own, and what ends it; the text between is the comment. */
const COMMENT_LINE =
  /^(?:\{\s*\/\*+|\/\*+|<!--|\(\*|\{-|\{\{!(?:--)?|<%--|%\{|--\[\[|#\||"""|'''|\/{2,}|#+|-{2,}|;+|%+|'|"|!|\*(?=\s)|\.\.(?=\s)|(?:rem|@rem|dnl)\b)\s*(.*?)\s*(?:\*+\/\s*\}?|-->|\*\)|-\}|--\}\}|--%>|%\}|\]\]|\|#|"""|''')?$/i;
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
  if (isAside(line) || (kind === "code" && isEmptied(line))) return true;
  const comment = COMMENT_LINE.exec(line)?.[1];
  if (comment !== undefined) return standsForText(comment, line);
  const trailing = TRAILING_COMMENT.exec(line)?.[1];
  if (trailing === undefined) return false;
  const text = bracketless(trailing);
  return DOTTED.some((pattern) => pattern.test(text)) && (isBraced(line) || !ONLY_DOTS.test(trailing.trim()));
}

function isProseElision(line: string): boolean {
  const comment = /^<!--\s*(.*?)\s*-->$/.exec(line)?.[1];
  if (comment !== undefined) return standsForText(comment, line);
  if (isAside(line)) return true;
  const bare = bracketless(line);
  return DOTS_FIRST.test(bare) && DOTTED.slice(1).some((pattern) => pattern.test(bare));
}

function standsForText(comment: string, line: string): boolean {
  const text = bracketless(comment.replace(/^[\s=_-]+|[\s=_-]+$/g, ""));
  // Dots alone in a documentation comment, or indented in a line comment, are more likely part of an example.
  if (/^(?:\*\s|\/{2,}(?:\t| {3}))/.test(line) && ONLY_DOTS.test(text)) return false;
  return DOTTED.some((pattern) => pattern.test(text)) || PHRASES.some((pattern) => pattern.test(text));
}

/** Dots right before a name or an expression are a spread, as in `...rest,`, `{...props}` and `...(x && { y }),`. */
const SPREAD = /^[[({]*\s*\.{3}(?:[\w$]+(?:[.([?!].*)?[,;)\]}]*$|\((?!\s*[\w\s]+\)$))/;

function startsLikeElision(line: string): boolean {
  return /^[[(<{]*\s*(\.{3,}|…)/.test(line) && !SPREAD.test(line);
}

/** `{ /* ... *\/ }`: a body that consists of an elision. */
function isBraced(line: string): boolean {
  return /[{([>]\s*(?:\/\*|\/\/|<!--)/.test(line);
}

/** `function f() { ... }`, `function f() { /* existing code *\/ }` */
function isEmptied(line: string): boolean {
  const inner = BRACED.exec(line)?.[1] ?? "";
  const comment = COMMENT_LINE.exec(inner)?.[1];
  return comment === undefined ? ONLY_DOTS.test(inner) : /^\//.test(inner) && standsForText(comment, inner);
}

/** `(rest of the file unchanged)` */
function isAside(line: string): boolean {
  return /^(?:\(.*\)|\[.*\])$/.test(line) && PHRASES.some((pattern) => pattern.test(bracketless(line)));
}

function bracketless(text: string): string {
  return text
    .toLowerCase()
    .replace(/^[\s[(<{]+/, "")
    .replace(/[\s\])>}:;]+$/, "")
    .replace(/(?<!\.)\.$/, "");
}
