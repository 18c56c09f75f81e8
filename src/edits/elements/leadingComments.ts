/** A comment above an element, or a run of line comments: 0-based lines, half-open. */
export interface CommentUnit {
  readonly start: number;
  readonly end: number;
  /** How it begins: `//`, `/**`, `#`. */
  readonly opener: string;
  /** `directive`: for a tool. `apart`: a license, a divider, the beginning of a region. */
  readonly use: "text" | "directive" | "apart";
}

const OPENER = /^\s*(\/\/[/!]?|\/\*\*?|#+(?!!?\[)|--|;+|%+|<!--|\(\*)/;
const BLOCK_ENDS: Readonly<Record<string, string>> = {
  "/*": "*/",
  "/**": "*/",
  "<!--": "-->",
  "(*": "*)",
};
/** Begins a comment that a tool reads. */
const DIRECTIVES = [
  /^[a-z][\w]*-(?:ignore|disable|enable)\b/,
  /^(?:eslint|tslint|pylint|mypy|pyright|ruff|flake8|isort|yapf|rubocop|shellcheck|swiftlint|swiftformat|ktlint|detekt|phpcs|nolint|lint|go|cgo|fmt|cspell|sonar|language|yaml-language-server)(?::| (?:disable|enable|ignore)\b)/i,
  /^(?:istanbul|c8|v8) ignore\b/,
  /^(?:noqa|nosec|nosonar|nolint|noinspection|nextline)\b|^NOLINT|^CHECKSTYLE/i,
  /^type:\s*ignore\b|^-\*-|^\+build\b|^@ts-|^@jsx|^@vite-|^@phpstan-|^@psalm-|^(?:frozen_string_literal|encoding):|^pragma\b/,
];
const OPENING = /^\s*(?:\/\/+|\/\*+|#+|--|<!--)\s*/;
/** A license, a file's overview, a region's beginning or end. */
const APART =
  /copyright\s+(?:\(c\)|©|\d)|©|licensed under|SPDX-|all rights reserved|@(?:file|fileoverview|overview|packageDocumentation|license)\b|^\s*(?:\/\/|#|\/\*|--|<!--)\s*#?(?:end)?region\b|^\s*(?:\/\/|#)\s*(?:MARK:|pragma mark)/i;
const DIVIDER = /[-=*#~_+]{4,}|\/{8,}/;

/** The comments that lines begin with: a run of line comments is one unit, and so is a block. */
export function leadingComments(lines: readonly string[]): readonly CommentUnit[] {
  const units: CommentUnit[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const opener = OPENER.exec(line)?.[1];
    if (opener === undefined) break;
    const close = BLOCK_ENDS[opener];
    const end = close === undefined ? at + 1 : blockEnd(lines, at, opener, close);
    if (end < 0) break;
    const use = useOf(lines.slice(at, end));
    const last = units.at(-1);
    const opened = close === undefined ? opener.slice(0, opener.startsWith("//") ? 3 : 1) : opener;
    if (close === undefined && last?.opener === opened && last.use === use)
      units[units.length - 1] = { ...last, end };
    else units.push({ start: at, end, opener: opened, use });
    at = end;
  }
  return units;
}

/** True for a comment that a tool reads: `// eslint-disable-line`, `# noqa`. */
export function isDirective(comment: string): boolean {
  const words = comment.replace(OPENING, "");
  return DIRECTIVES.some((directive) => directive.test(words));
}

function useOf(lines: readonly string[]): CommentUnit["use"] {
  const text = lines.join("\n");
  if (lines.length === 1 && isDirective(text)) return "directive";
  return APART.test(text) || DIVIDER.test(lines[0] ?? "") || DIVIDER.test(lines.at(-1) ?? "")
    ? "apart"
    : "text";
}

/** The line after a block comment; -1 where code follows it, or it does not end. */
function blockEnd(lines: readonly string[], start: number, opener: string, close: string): number {
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const from = at === start ? line.indexOf(opener) + opener.length : 0;
    const end = line.indexOf(close, from);
    if (end >= 0) return line.slice(end + close.length).trim() === "" ? at + 1 : -1;
  }
  return -1;
}

/** What a body that begins with comments does to those above its element. */
export type CommentPlan =
  /** They are apart from each other. */
  | { readonly code: "keep" }
  /** It may add one or replace one. */
  | { readonly code: "unclear" }
  /** It replaces those from a line on; directives below them go after its own comments. */
  | { readonly code: "replace"; readonly from: number; readonly directives: readonly string[] };

/** Compares a body's comments with those above the element it replaces; both as lines. */
export function planComments(above: readonly string[], body: readonly string[]): CommentPlan {
  const old = leadingComments(above);
  const own = leadingComments(body).filter(({ use }) => use !== "directive");
  if (old.length === 0 || own.length === 0) return { code: "keep" };
  const lastText = old.findLastIndex(({ use }) => use !== "directive");
  const text = old[lastText];
  if (text === undefined || text.use === "apart") return { code: "keep" };
  if (!own.some(({ opener, use }) => opener === text.opener && use === "text"))
    return { code: "unclear" };
  const written = new Set(body.map((line) => line.trim()));
  const directives = above.slice(text.end).filter((line) => !written.has(line.trim()));
  return { code: "replace", from: text.start, directives };
}
