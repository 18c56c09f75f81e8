import { isForeignPhrase, isLoosePhrase } from "./elisionWords.ts";

const DOTS = "(?:\\.{3,}|…|⋮|⋯)";
const CODE =
  "(?:code|methods?|functions?|implementations?|logic|class(?:es)?|file|imports?|tests?|module|component|jsx|script|page|template|config|" +
  "content|lines?|styles?|body|members?|properties|fields|handlers?|routes?|document(?:ation)?|functionality|markup)";
const STAYS =
  "(?:unchanged|unmodified|untouched|omitted|elided|truncated|not shown|kept unchanged|left as is|(?:the )?same(?: as .*)?|identical to .*|" +
  "as (?:is|before|above|in the original|(?:it|they) (?:is|was|are|were))|(?:goes )?here|continues)";
const VERB = "(?:(?:is|are|remains?|stays?|left|kept) )?";
const KEEP =
  "(?:(?:keep|leave|insert|add|put|include|retain|preserve|copy|placeholder for|here goes|and|with|the|your|all|everything|previous) )*";
/** Words that say that text is there and not repeated. */
const KEPT =
  /\b(?:existing|rest|remaining|remainder|unchanged|previous|same|other|omitted|more|original|truncated|snip(?:ped)?|unmodified)\b/;

/** Comments that stand for left-out text, with or without dots. */
const PHRASES = [
  `${KEEP}(?:rest|remainder)(?: of (?:the |your |this )?(?:\\w+ )?${CODE})? ${VERB}${STAYS}(?: .*)?`,
  `${KEEP}(?:rest|remainder) of (?:the |your |this )?(?:\\w+ )?${CODE}`,
  `${KEEP}(?:existing|remaining|original|unchanged|previous|same) (?!file$)${CODE}(?: ${VERB}${STAYS}| above| below| remains)?`,
  `${KEEP}(?:other|more) ${CODE} (?:goes )?here`,
  `(?:\\w+ ){0,2}${CODE}(?: \\d+(?:\\W+(?:to )?\\d+)?)? ${VERB}(?!here|goes|continues)${STAYS}(?: .*)?`,
  `${KEEP}else ${VERB}${STAYS}`,
  `.*\\b(?:omitted|truncated|skipped|shortened|elided|removed) for (?:brevity|clarity|space)\\b.*`,
].map((phrase) => new RegExp(`^${phrase}$`));
/** Words that stand for left-out text as the whole of a comment. */
const ALONE = new RegExp(
  `^(?:(?:everything |all )?${VERB}(?!here)${STAYS}(?: from above| here)?|(?:no|nothing) (?:\\w+ )?chang(?:es?|ed)(?: here| needed)?|` +
    `(?:and )?(?:the )?(?:rest|etc|so on|so forth)(?: here)?|${KEEP}(?:rest|else)|snip(?:ped)?)$`,
);

/** A comment that has its line to itself, in any style; the text is in the first group. */
const COMMENT =
  /^(?:\{?\s*\/\*+|<!--|<%(?:--?|#|\/\*)|<#|@\*|\*>|-#|=begin\b|\{%-? comment -?%\}|\{\{!(?:--)?|\{#|\(\*|\{-|--\[\[|#\||"""|'''|\/{2,}|#+|-{2,}|;+|%+|'|"|!|\*(?=\s)|(?:rem|dnl)\b)\s*(.*?)\s*(?:\*+\/\s*\}?|-->|(?:--|\*\/)?%>|#>|\*+@|\{%-? endcomment -?%\}|(?:--)?\}\}|#\}|\*\)|-\}|\]\]|\|#|"""|''')?$/i;
/** Directives, strings and private members, which begin like comments. */
const NO_COMMENT =
  /^(?:#\s+(?:else|endif)$|#(?:if|ifdef|ifndef|else|elif|elseif|endif)\b|#[a-z_$][\w$]*\s*[;=(:]|"(?!"").*"|'(?!'').*')/i;
const AFTER_CODE = /\s(?:\/\/|#|--|\/\*)\s*(.{3,80}?)\s*(?:\*\/\s*)?[\])};]*$/;
const EMPTIED = /\{\s*\/[*/]\s*(.*?)\s*(?:\*\/\s*\}[;,)]*)?$/;
const DOTS_FOR_CODE = new RegExp(
  `\\{\\s*${DOTS}\\s*\\}|\\/\\*\\s*${DOTS}\\s*\\*\\/|(?:=>?|\\breturn)\\s*${DOTS}\\s*[;,]?$`,
);
const ONLY_DOTS = new RegExp(`^${DOTS}$`);
const FIRST_DOTS = new RegExp(`^${DOTS}`);
const LAST_DOTS = new RegExp(`[^\\p{L}\\p{N}_]*${DOTS}$`, "u");

/** Longer lines do not stand for others, in UTF-16 units. */
const MAX_LENGTH = 200;

/**
 * The line of a body that stands for text the model left out (`// ... existing code ...`, `# rest
 * unchanged`), or null. Lines that `oldText` has too are the file's own. Code samples in Markdown
 * are content, and so is a `...` in a language that has one. In a file that `isEmpty`, dots alone
 * leave nothing out.
 */
export function findElision(
  lines: readonly string[],
  oldText: string,
  path: string,
  isEmpty = false,
): string | null {
  const old = oldText.split(/\r\n|\n|\r/).map((line) => line.trim());
  const own = new Set(old);
  const prose = /\.(md|mdx|markdown|txt|rst|adoc)$/i.test(path);
  const dotted =
    /\.(pyi?|ya?ml|tex|lua|p[lm]|r|m)$/i.test(path) ||
    (prose && filledLines(lines) >= filledLines(old));
  // Words that may also head a part of the text stand for what is missing.
  const leavesOut = filledLines(old) > 1 && filledLines(lines) <= filledLines(old);
  let sample = false;
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    if (prose && /^(```|~~~)/.test(line)) sample = !sample;
    if (line === "" || line.length > MAX_LENGTH || own.has(line)) continue;
    if (sample) {
      const beside = [lines[index - 1]?.trim() ?? "", lines[index + 1]?.trim() ?? ""] as const;
      if (isCommentElision(line, "") && standsBetween(beside, old)) return line;
      continue;
    }
    if (isEmpty && isOnlyDots(line)) continue;
    if (isBareElision(line, dotted)) return line;
    if (
      prose
        ? line.startsWith("<!--") && isCommentElision(line, "")
        : isCommentElision(line, lines[index - 1] ?? "")
    )
      return line;
    if (!prose && isElisionAfterCode(line, dotted)) return line;
    if (!prose && leavesOut && isLooseElision(line, lines.slice(index + 1))) return line;
  }
  return null;
}

function filledLines(lines: readonly string[]): number {
  return lines.filter((line) => line.trim() !== "").length;
}

/** True where two lines stand side by side that had others between them. */
function standsBetween(beside: readonly [string, string], old: readonly string[]): boolean {
  const above = old.indexOf(beside[0]);
  return !beside.includes("") && above >= 0 && old.indexOf(beside[1], above) > above + 2;
}

function isOnlyDots(line: string): boolean {
  return ONLY_DOTS.test(undecorated(COMMENT.exec(line)?.[1] ?? line));
}

/** `... existing code ...`, `(rest unchanged)`, `...`; dots before a name are a spread. */
function isBareElision(line: string, dotted: boolean): boolean {
  const text = undecorated(line);
  if (ONLY_DOTS.test(text)) return !dotted && !/^\*\s|[({]/.test(line);
  if (FIRST_DOTS.test(text))
    return (
      (/^[[(<]*\s*(?:…|\.+\s)/.test(line) || LAST_DOTS.test(text)) &&
      isMarker(text) &&
      !/[;,{]$/.test(line)
    );
  return (
    /^[*_]*(?:\(.*\)|\[.*\]|<.*>|\{.*\})[*_]*$/.test(line) &&
    (isPhrase(text) || (/^[[(]/.test(line) && ALONE.test(text)))
  );
}

function isCommentElision(line: string, above: string): boolean {
  const comment = NO_COMMENT.test(line) ? undefined : COMMENT.exec(line)?.[1];
  if (comment === undefined) return false;
  const text = undecorated(comment);
  // In a documentation comment, or indented, dots are part of an example.
  if (ONLY_DOTS.test(text)) return !/^(?:\*\s|\/{2,}(?:\t| {3}))/.test(line);
  // A word may end the sentence of the comment above.
  const wrapped = above.trim().charAt(0) === line.charAt(0) && /\w\W+\w+\W+\w+$/.test(above.trim());
  return isMarker(text) || (!wrapped && ALONE.test(text.replace(LAST_DOTS, "")));
}

/** A comment such as `// other methods` that nothing follows at its own indent. */
function isLooseElision(line: string, rest: readonly string[]): boolean {
  const comment = NO_COMMENT.test(line)
    ? undefined
    : (COMMENT.exec(line)?.[1] ?? EMPTIED.exec(line)?.[1]);
  if (
    comment === undefined ||
    !isLoosePhrase(undecorated(comment).replace(LAST_DOTS, "").replace(FIRST_DOTS, "").trim())
  )
    return false;
  const next = rest[0]?.trim() ?? "";
  return next === "" || /^(?:[)\]}]|<\/|end\b|\/\/|#|\/\*)/.test(next);
}

/** `foo(); // ... rest of the function`, `function f() { /* ... *\/ }` */
function isElisionAfterCode(line: string, dotted: boolean): boolean {
  if (!dotted && DOTS_FOR_CODE.test(line)) return true;
  const emptied = EMPTIED.exec(line)?.[1];
  if (emptied !== undefined && ALONE.test(undecorated(emptied))) return true;
  const comment = AFTER_CODE.exec(line)?.[1];
  return comment !== undefined && isMarker(undecorated(comment));
}

/** True for words between dots that say what stays, and for clear words without dots. */
function isMarker(text: string): boolean {
  if (isPhrase(text.replace(FIRST_DOTS, "").trim())) return true;
  return (
    KEPT.test(text) &&
    FIRST_DOTS.test(text) &&
    (LAST_DOTS.test(text) || /^\W*(?:\w+\W+){1,6}$/.test(`${text} `))
  );
}

function isPhrase(text: string): boolean {
  const words = text.replace(LAST_DOTS, "");
  return PHRASES.some((phrase) => phrase.test(words)) || isForeignPhrase(words.trim());
}

/** A comment's words, in lower case and without what frames them. */
function undecorated(comment: string): string {
  const framed = comment
    .replace(/^(?:[\s=_*~>|#@!↓↑→-]|region\b)+|[\s=_*~<|#↓↑/-]+$/gi, "")
    .toLowerCase();
  return framed
    .replace(/^(?:todo|note): ?/, "")
    .replace(/^[\s[(<{]+/, "")
    .replace(/[\s\])>}:;/]+$/, "")
    .replace(/(?<!\.)\.$/, "");
}
