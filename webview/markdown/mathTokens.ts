import type { Token } from "marked";

/** Longer formulas stay text. */
const LONGEST = 4_000;

/** Math between dollars or TeX's brackets. `display` stands on a line of its own. */
interface MathToken {
  readonly type: "math";
  readonly raw: string;
  readonly display: boolean;
}

/**
 * The formula at the start of inline text: `$a$`, `$$a$$` or `\(a\)`. A dollar beside a blank, or
 * before a letter or digit, is money or a variable of a shell.
 */
export function inlineMath(src: string): MathToken | undefined {
  if (src.startsWith("$$")) return between(src, "$$", "$$", true);
  if (src.startsWith("\\(")) return between(src, "\\(", "\\)", false);
  const found = src.startsWith("$")
    ? /^\$(?![\s$])(?:\\[^\n]|[^\\$\n])+?(?<!\s)\$(?![\p{L}\p{N}$])/u.exec(src.slice(0, LONGEST))
    : null;
  return found ? { type: "math", raw: found[0], display: false } : undefined;
}

/**
 * The formula at the start of a block: `$$` or `\[` begins its line, and its counterpart ends one.
 * It has no blank line. One whose end is missing is text, as long as that may still come.
 */
export function blockMath(src: string): Token | undefined {
  const [head = "", opener = ""] = /^ {0,3}(\$\$|\\\[)/.exec(src) ?? [];
  if (opener === "") return undefined;
  const isAlone = /^[ \t]*(?:\n|$)/.test(src.slice(head.length));
  // To the next blank line it can be far: a formula on its opener's line need not look.
  const blank = isAlone ? src.search(/\n[ \t]*(?:\n|$)/) : -1;
  const block = isAlone ? (blank < 0 ? src : src.slice(0, blank + 1)) : untilNewline(src);
  const closer = opener === "$$" ? "\\$\\$" : "\\\\\\]";
  const end = new RegExp(`${closer}[.,;:]?[ \\t]*(?:\\n|$)`).exec(block.slice(head.length));
  const inner = block.slice(head.length, head.length + (end?.index ?? 0));
  if (end && inner.trim() !== "" && !inner.includes(opener)) {
    const raw = block.slice(0, head.length + end.index + end[0].length);
    return raw.length > LONGEST ? textBlock(raw) : { type: "math", raw, display: true };
  }
  return isAlone && blank < 0 && src.trim() !== opener ? textBlock(src) : undefined;
}

/** Where a block of math may interrupt the paragraph that `src` begins with; -1 for nowhere. */
export function nextBlockMath(src: string): number {
  const near = src.slice(0, LONGEST);
  const blank = near.search(/\n[ \t]*\n/);
  const at = (blank < 0 ? near : near.slice(0, blank)).search(/\n {0,3}(?:\$\$|\\\[)/);
  return at < 0 ? -1 : at + 1;
}

/** The TeX of a formula without what it stands between. A full stop after it goes into it. */
export function texOf(raw: string): string {
  const [, , tex = "", mark = ""] =
    /^\s*(\$\$|\$|\\\(|\\\[)([\s\S]*?)(?:\$\$|\$|\\\)|\\\])([.,;:]?)\s*$/.exec(raw) ?? [];
  return tex.trim() + mark;
}

function between(
  src: string,
  opener: string,
  closer: string,
  display: boolean,
): MathToken | undefined {
  const end = src.slice(0, LONGEST).indexOf(closer, opener.length);
  const inner = src.slice(opener.length, end);
  if (end < 0 || inner.trim() === "" || /\n[ \t]*\n/.test(inner)) return undefined;
  return { type: "math", raw: src.slice(0, end + closer.length), display };
}

function untilNewline(src: string): string {
  const newline = src.indexOf("\n");
  return newline < 0 ? src : src.slice(0, newline + 1);
}

function textBlock(raw: string): Token {
  const text = { type: "text", raw, text: raw, escaped: false };
  return { type: "paragraph", raw, text: raw, tokens: [text] };
}
