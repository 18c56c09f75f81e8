import type { Localize } from "../base/localize.ts";

/** What nobody wants to hear: addresses, tags, formulas, ids, hashes and pictures. */
const UNHEARD = [
  /<?\b[a-z][a-z\d+.-]*:\/\/[^\s>)]*>?|\bwww\.[^\s>)]+/gi,
  /(?<![\w./\\@-])(?:[\w-]+\.)+(?:com|org|net|io|dev)\/[^\s>)]*/g,
  /<\/?[a-zA-Z][^>]*>|<!--.*?-->|&(?!amp;)(?:[a-z]+|#\d+);/g,
  /\\begin\{(\w+\*?)\}.*?\\end\{\1\}|\$\$[^$]*\$\$|\\\(.*?\\\)|\\\[.*?\\\]/g,
  /\$(?=\S)[^$]*[\\^_{=][^$]*(?<=\S)\$(?!\w)|\$[a-zA-Z]\$|\\[a-zA-Z]+(?:\{[^}]*\})+/g,
  /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi,
  /\b(?:sha\d+-)?(?=(?:[a-z+/]*\d){4})(?!\S*\.\w)[a-z\d+/]{32,}={0,2}/gi,
  /\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,64}\b|\b0x[\da-f]{5,}\b/gi,
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}✓✗✘•▪●]|\u{FE0F}|\u{200D}|\u{20E3}/gu,
];
/** A file in a folder, an absolute path, or a file's line. */
const PATH =
  /(?<![\w.])(?:(?:[A-Za-z]:[\\/]|(?:~|\.{1,2})?\/)(?:[\w.@-]+[\\/])*|(?:[\w.@-]+[\\/])+)([\w.@-]*\w)(?:(?::|#L)(\d+))?(?::\d+|-L?\d+)?|(?<![\w./\\])([\w@-][\w.@-]*\.(?!(?:com|org|net|io|dev|local):)[a-z]\w{0,7})(?::|#L)(\d+)(?::\d+|-L?\d+)?/g;
/** Code of one line that reads as words: a name, a command, a path. */
const READABLE_CODE = /^[\w@./\\:~#$ -]{1,60}(?:\(\))?$/;
/** Links, of which the words are read, and marks of footnotes and notes, which are not. */
const LINK = /!?\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)|(?<![\w\]])\[([^\]]+)\]\[[^\]]*\]/g;
const LINK_MARK = /\[\^[^\]]+\]:?|^\[![A-Z]+\]|\[[^\]]+\]:\s*(?=<?[a-z]+:\/\/)/g;
/** A `*` that is a sign: between spaces, numbers or names. Any other is a mark. */
const STAR =
  /((?<=[\p{L}\p{N})])(?:\*(?=[\p{L}\p{N}(])|\*\*(?=[\p{N}(]))|(?<=[\s\d])\*+(?=[\s\d]))|\*+/gu;

/** A sentence of Markdown as a person would read it aloud. */
export function withoutMarks(markdown: string, t: Localize): string {
  let text = markdown
    .replace(LINK_MARK, "")
    .replace(LINK, (_, words?: string, named = "") => words ?? named);
  text = text.replace(/(`+)([^`]+)\1/g, (_, _marks, code: string) =>
    READABLE_CODE.test(code.trim()) ? code.replace(/\(\)\s*$/, "") : " ",
  );
  for (const unheard of UNHEARD) text = text.replace(unheard, " ");
  return text
    .replace(PATH, (whole: string, name?: string, line?: string, file?: string, at?: string) => {
      const last = name ?? file ?? "";
      // Words such as "and/or" are no path.
      if (name !== undefined && !/^[\\/~.]|^[A-Za-z]:|\.\w+(?:(?::|#L)\d+|$)/.test(whole))
        return whole;
      const number = line ?? at;
      return number === undefined ? last : t("{file}, line {line}", { file: last, line: number });
    })
    .replace(/(?<![\p{L}\p{N})])(\*{1,3})(?=\S)([^*]+?)(?<=\S)\1(?![\p{L}\p{N}(])/gu, "$2")
    .replace(STAR, (_, sign = "") => sign)
    .replace(/~~|`+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "")
    .replace(/\\(?=[^\w\s])/g, "")
    .replace(/&amp;/g, "&")
    .replace(/\s+(?:[→⇒➜]|[-=]>)(?=\s)/g, ",")
    .replace(/^(?:[→⇒➜]|[-=]>)\s|\(\s*\)|\s+(?=\))/g, "")
    .replace(/\s+(?=[,.;:!?](?:\s|$))/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
