const DOTS = "(?:\\.{3,}|…|⋮|⋯|\\. \\. \\.)";
const NOUN =
  "(?:code|methods?|functions?|implementations?|logic|class(?:es)?|file|imports?|tests?|cases?|fields?|properties|members?|definitions?|" +
  "statements?|declarations?|rules?|styles?|sections?|content|contents|lines?|body|text|stuff|elements?|components?|props|entries|items|keys|handlers?|routes?)";
const KEPT =
  "(?:existing|rest|remaining|remainder|unchanged|previous|same|other|omitted|more|above|below|original|keep|kept|skipped|elided|truncated|snip(?:ped)?|etc|unmodified|untouched|as before|as is|goes? here|no changes?)";

const CODE =
  "(?:code|methods?|functions?|implementations?|logic|class(?:es)?|file|imports?|tests?|module|component|script|page|template|config)";
const KEPT_SO =
  "(?:unchanged|unmodified|untouched|omitted|(?:the )?same as (?:before|above|original)|as before|as is|as they (?:are|were)|goes? here)";

/** What is said of text that is there and not repeated. */
const STAYS =
  "(?:unchanged(?: from (?:before|above|the original))?|unmodified|untouched|omitted|elided|truncated|abbreviated|not (?:shown|changed)|" +
  "left (?:out|as is|unchanged)|kept (?:as is|unchanged)|removed for brevity|as (?:before|above|is|previously|it (?:is|was)|in the original)|" +
  "(?:the )?same as (?:before|above|earlier|previously|original|(?:in )?the original)|identical to (?:before|above|the original))";

const PLACED = "(?:goes |remains |stays |continues )?(?:here|above|below)";

/** Phrases that stand for left-out text whether or not there are dots, behind code too. */
const PHRASES = [
  new RegExp(
    `^(?:\\W|the |all |and |keep |with )*(?:rest|remainder)\\b.{0,40}?(?: (?:is|are|remains?|stays?))?(?: (?:${KEPT_SO}|the same|here))$`,
  ),
  new RegExp(`^(?:the )?(?:rest|remainder) of (?:the |your |this )?(?:\\w+ )?${CODE}(?: (?:here|continues).*)?$`),
  new RegExp(`^(?:\\w+ ){0,3}${CODE} (?:(?:is|are|remains?|stays?|left|kept) )?(?:${KEPT_SO}|remains?(?: the same)?|stays? the same)$`),
  new RegExp(
    `^(?:the |your |all )?(?:existing|previous|original|remaining) (?!file$)${CODE}(?: (?:here|above|below|continues|stays?|remains?).*)?$`,
  ),
  new RegExp(`^(?:put |add |insert |include |place )?(?:the )?(?:rest|remainder) of (?:the |your |this )?${CODE} ${PLACED}$`),
  new RegExp(
    `^(?:retain|preserve|include|insert|add|put|copy|paste|restore|placeholder for|here goes|here (?:is|comes)|leave)(?: in)? (?:the |all |your )*` +
      `(?:existing|rest|remaining|remainder|original|previous|old)\\b(?: of (?:the |your |this )?)?(?: ?(?:\\w+ )?${NOUN})?(?: (?:${KEPT_SO}|above|below|here|from above|the same))?$`,
  ),
  new RegExp(`^(?:the )?(?:unchanged|same|unmodified) ${CODE}(?: ${PLACED})?$`),
  new RegExp(
    `^(?:existing|previous|original|remaining) (?:functionality|markup|content|styles?|rules?|body|lines?)(?: ${PLACED}| ${KEPT_SO})?$`,
  ),
  new RegExp(`^\\d+ (?:more |other |unchanged )?(?:lines?|${CODE}) (?:omitted|unchanged|skipped|elided|not shown|here)$`),
  /^\d+ (?:more|unchanged|other) lines?$/,
  /^lines? \d+(?: ?(?:-|–|to|through) ?\d+)? (?:(?:is|are|remains?|stays?) )?(?:unchanged|unmodified|omitted|(?:the )?same(?: as before)?|as before)$/,
  /^(?:body|lines?|content|contents|details|text|the above|other parts) (?:omitted|unchanged|elided|unmodified)$/,
  /^(?:the )?(?:rest|remainder) (?:stays|remains|is left|is kept) (?:as it (?:was|is)|as before|intact|in place)$/,
  /^(?:keep|leave) (?:everything else|(?:the )?rest)(?: (?:unchanged|as is|as it is|as it was|alone|the same|intact))?$/,
  /^(?:nothing else changes|no (?:further|other|more) changes)$/,
  new RegExp(
    `^keep (?:the |all |your )*(?:existing|rest|remaining|original)(?: of (?:the |your |this )?)?(?: ?(?:\\w+ )?${NOUN})?(?: (?:${KEPT_SO}|here|the same))?$`,
  ),
  /^everything else (?:is |remains? |stays? )?(?:unchanged|(?:the )?same|as (?:is|before))$/,
  /\b(?:omitted|truncated|skipped|shortened|elided) for (?:brevity|clarity|space)\b/,
];
/** Phrases that stand for left-out text as the whole of a comment that has its line, or its braces, to itself. */
const ALONE = [
  /^(?:unchanged|no changes?(?: (?:here|below|above|needed))?|same as (?:before|above|original)|as before|as is|leave as is|snip(?:ped)?|omitted)$/,
  /^(?:etc|and so on|and so forth|(?:the |all the |and the )?rest(?: here)?|same|for brevity|code continues(?: here| below)?|continues)$/,
  new RegExp(
    `^(?:(?:everything|all|content|styles|${CODE}(?: above| below)?) )?${STAYS}(?: here| above| below)?(?: for (?:brevity|clarity))?$`,
  ),
  /^nothing (?:has )?changed(?: here| above| below)?$/,
  /^(?:remains?|stays?) (?:the same|unchanged|as (?:is|before|it was))$/,
  new RegExp(`^(?:add |put |insert |write )?your existing (?:${CODE}|content|body|handlers?|html|markup|styles?)(?: goes)? here$`),
  /^(?:other|more|remaining|additional) (?:code|implementation|methods|functions|logic)(?: goes)? here$/,
];
/** Phrases that ask somebody to write: they stand for left-out text where they come in the place of more lines. */
const PLACEHOLDER = new RegExp(
  `^(?:(?:please )?(?:add|put|insert|write|place|enter) )?(?:the |some )?(?:your )?(?:own |actual |custom )?(?:${CODE}|content|body|handlers?|html|markup|styles?)(?: goes| comes)? here$`,
);
/** What stands for left-out text in brackets of its own, where nothing else could be meant. */
const BRACKETED = /^(?:truncated|snip(?:ped)?|omitted|elided|unchanged|redacted for brevity)$/;
const DOTTED = [
  new RegExp(`^${DOTS}$`),
  new RegExp(`^${DOTS}(?![\\s.]*\\d[\\s.\\d]*$).{0,80}${DOTS}$`),
  new RegExp(`^${DOTS}.{0,60}\\b${KEPT}\\b`),
  new RegExp(`^${DOTS}\\W*and so (?:on|forth)$`),
  new RegExp(`^${DOTS}\\W*lines? \\d+(?:\\W+\\d+)?\\W*$`),
  new RegExp(`^${DOTS}\\s*\\(?(?:the |all |your )?(?:\\w+ ){0,2}${NOUN}\\)?$`),
  new RegExp(
    `^(?:the |all |your |keep |with )*(?:existing|remaining|other|previous|original|rest of|same|unchanged)\\b(?:\\W+\\w+){0,4}?\\W+${NOUN}\\W*${DOTS}$`,
  ),
  new RegExp(`^(?:unchanged|rest|existing|same|etc|continue[sd]?|snip|omitted|truncated|and so on)\\W*${DOTS}$`),
];

/** Longer lines do not stand for others, in UTF-16 units. */
const MAX_LENGTH = 200;

/** What the braces at a line's end hold. */
const BRACED = /\{\s*([^{}]*?)\s*\}[;,)\]]*$/;
const ONLY_DOTS = new RegExp(`^${DOTS}$`);
const DOTS_FIRST = new RegExp(`^${DOTS}`);
const TRAILING_DOTS = new RegExp(`\\W*${DOTS}$`);

/** How each comment style begins on a line of its own, and what ends it; the text between is the comment. */
const COMMENT_LINE =
  /^(?:\{\s*\/\*+|\/\*+|<!--|<%#|<#|@\*|\{#|\{%-? comment -?%\}|=begin\b|-#|\*>|\(\*|\{-|\{\{!(?:--)?|<%--|%\{|--\[\[|#\||"""|'''|\/{2,}|#+|-{2,}|;+|%+|'|"|!|\*(?=\s)|\.\.(?=\s)|(?:rem|@rem|dnl)\b)\s*(.*?)\s*(?:\*+\/\s*\}?|-->|%>|\*+@|\{%-? endcomment -?%\}|#\}|\*\)|-\}|--\}\}|--%>|%\}|\]\]|\|#|"""|''')?$/i;
const TRAILING_COMMENT = new RegExp(
  `(?:\\/\\*+|\\/\\/|#|--|<!--)\\s*(${DOTS}.{0,80}?|[^*]{0,60}${DOTS})\\s*(?:\\*\\/|-->)?\\s*[\\])}>;,]*$`,
  "i",
);

/**
 * The line of a body that stands for text the model left out (`// ... existing code ...`, `# rest unchanged`), or null.
 * Lines that stand in `oldText` as well are the file's own. In `prose`, such as Markdown, code samples are content. A line of dots alone
 * in prose, and a request to write something (`// your code here`), mean what they say unless the body has fewer lines than it replaces;
 * dots in a `dotted` language always do.
 */
export function findElision(lines: readonly string[], oldText: string, kind: "code" | "dotted" | "prose"): string | null {
  const old = oldText.split(/\r\n|\n|\r/).map((line) => line.trim());
  const own = new Set(old);
  const shrinks = filled(lines) < filled(old);
  let sample = false;
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    if (kind === "prose" && /^(```|~~~)/.test(line)) sample = !sample;
    if (line === "" || line.length > MAX_LENGTH || sample || own.has(line)) continue;
    if (line === "..." && isParameter(lines, index)) continue;
    if (!shrinks && isPlaceholder(line)) continue;
    if (kind === "prose" ? isProseElision(line) || (shrinks && isBareDots(line)) : isElision(line, kind, endsSentence(lines, index)))
      return line;
  }
  return null;
}

function isElision(line: string, kind: "code" | "dotted", wrapped: boolean): boolean {
  const bare = bracketless(line);
  if (DOTTED.some((pattern) => pattern.test(bare)) && !(kind === "dotted" && MEANT_DOTS.test(line))) return startsLikeElision(line);
  if (isAside(line) || (kind === "code" && isEmptied(line))) return true;
  const comment = NO_COMMENT.test(line) ? undefined : COMMENT_LINE.exec(line)?.[1];
  if (comment !== undefined) return standsForText(comment, line, wrapped);
  if (kind === "code" && VALUE.test(line)) return true;
  const behind = BEHIND_CODE.exec(line);
  if (behind && isPhrase(undecorated(behind[2] ?? ""))) return true;
  if (behind && EMPTY_CODE.test(behind[1] ?? "") && standsForText(behind[2] ?? "", line)) return true;
  const trailing = TRAILING_COMMENT.exec(line)?.[1];
  if (trailing === undefined) return false;
  const text = bracketless(trailing);
  return DOTTED.some((pattern) => pattern.test(text)) && (isBraced(line) || !ONLY_DOTS.test(trailing.trim()));
}

function isProseElision(line: string): boolean {
  const comment = /^<!--\s*(.*?)\s*-->$/.exec(line)?.[1];
  if (comment !== undefined) return standsForText(comment, line);
  if (isAside(line)) return true;
  const bare = bracketless(line.replace(/^[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}$/g, ""));
  return DOTS_FIRST.test(bare) && DOTTED.slice(1).some((pattern) => pattern.test(bare));
}

/** `...`, `[…]`: an author may write it, but not where other lines go. */
function isBareDots(line: string): boolean {
  return ONLY_DOTS.test(bracketless(line.replace(/^(?:[>*-] )?[*_]{0,2}|[*_]{1,2}$/g, "")));
}

function filled(lines: readonly string[]): number {
  return lines.filter((line) => line.trim() !== "").length;
}

/** `wrapped` where the comment may end a sentence of the line above: then a word or two may be all that is left of it. */
function standsForText(comment: string, line: string, wrapped = false): boolean {
  const text = undecorated(comment);
  // Dots alone in a documentation comment, or indented in a line comment, are more likely part of an example.
  if (/^(?:\*\s|\/{2,}(?:\t| {3}))/.test(line) && ONLY_DOTS.test(text)) return false;
  if (isPhrase(text) || DOTTED.some((pattern) => pattern.test(text)) || isAside(comment.trim())) return true;
  const words = text.replace(TRAILING_DOTS, "");
  return !wrapped && [...ALONE, PLACEHOLDER].some((pattern) => pattern.test(words));
}

function isPlaceholder(line: string): boolean {
  const comment = COMMENT_LINE.exec(line)?.[1] ?? BEHIND_CODE.exec(line)?.[2];
  return comment !== undefined && PLACEHOLDER.test(undecorated(comment).replace(TRAILING_DOTS, ""));
}

/** Dots right before a name or an expression are a spread, as in `...rest,`, `{...props}` and `...(x && { y }),`. */
const SPREAD = /^[[({]*\s*\.{3}(?:infer\s+\w+.*|[\w$]+\s*:.*|[\w$]+(?:[.([?!].*)?[,;)\]}]*$|\((?!\s*[\w\s]+\)$))/;

function startsLikeElision(line: string): boolean {
  return /^[[(<{]*\s*(\.{3,}|…|⋮|⋯)/.test(line) && !SPREAD.test(line);
}

/** Code, and a comment behind it to the line's end. */
const BEHIND_CODE = /^(.*?\S)\s+(?:\/\/|#|--|\/\*|<!--|;)\s*(.{3,80}?)\s*(?:\*\/|-->)?\s*[})\]]*;?$/;
/** Code that does nothing, or only begins something. */
const EMPTY_CODE = /(?:^|:\s*)pass$|[{(]$|^\.\.\.$|:\s*\.\.\.$/;
/** `...` where it is code, and the lines of a Python session that go on. */
const MEANT_DOTS = /^\.{3}(?:$|\s+[\])}]|\s{2,})/;
/** `#rest = 1;` in JavaScript, and strings. */
const NO_COMMENT = /^(?:#[a-z_$][\w$]*\s*[;=(:]|"(?!"").*"|'(?!'').*')/i;
/** Dots in the place of a value. */
const VALUE = /(?:=>?|\breturn)\s*(?:\.{3}|…)\s*[;,]?$/;

/** `{ /* ... *\/ }`: a body that consists of an elision. */
function isBraced(line: string): boolean {
  return /(?:[{([>=:]|\breturn)\s*(?:\/\*|\/\/|<!--)/.test(line);
}

/** `function f() { ... }`, `function f() { /* existing code *\/ }` */
function isEmptied(line: string): boolean {
  const inner = BRACED.exec(line)?.[1] ?? "";
  const comment = COMMENT_LINE.exec(inner)?.[1];
  return comment === undefined ? ONLY_DOTS.test(inner) : /^\//.test(inner) && standsForText(comment, inner);
}

/** `(rest of the file unchanged)`, `<existing code>`, `[truncated]` */
function isAside(line: string): boolean {
  if (!/^[*_]{0,2}(?:\(.*\)|\[.*\]|<.*>|\{.*\})[*_]{0,2}$/.test(line)) return false;
  const text = undecorated(line);
  return isPhrase(text) || (/^(?:<\w+>|\[.*\]|\(\w+\))$/.test(line) && BRACKETED.test(text));
}

/** True for a line of a documentation comment, and for one below a comment whose words may go on in it. */
function endsSentence(lines: readonly string[], index: number): boolean {
  const opening = /^\s*(\*(?=\s)|\/{2,}|#+|-{2,}|;+|%+)/;
  const own = opening.exec(lines[index] ?? "")?.[1];
  const above = lines[index - 1] ?? "";
  return own !== undefined && (own === "*" || (own === opening.exec(above)?.[1] && /\w\W+\w+\W+\w.*[^.:;!?]\s*$/.test(above)));
}

/** The dots of a list of parameters, which its end follows. */
function isParameter(lines: readonly string[], index: number): boolean {
  const next = lines.slice(index + 1, index + 3).find((line) => line.trim() !== "");
  return next?.trim().startsWith(")") ?? false;
}

function isPhrase(text: string): boolean {
  const words = text.replace(/^(?:todo|note|fixme)\b:? ?/, "").replace(TRAILING_DOTS, "");
  return PHRASES.some((pattern) => pattern.test(words));
}

/** A comment's words, without what frames them. */
function undecorated(comment: string): string {
  const framed = comment.replace(/^(?:[\s=_*~>|#@!↓↑→⬇⬆-]|region\b)+|[\s=_*~<|#↓↑⬇⬆-]+$/gi, "").replace(/\s*\/$/, "");
  return bracketless(framed);
}

function bracketless(text: string): string {
  return text
    .toLowerCase()
    .replace(/^[\s[(<{]+/, "")
    .replace(/[\s\])>}:;/]+$/, "")
    .replace(/(?<!\.|\. )\.$/, "");
}
