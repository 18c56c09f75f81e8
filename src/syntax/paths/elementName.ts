import { firstPart } from "../../base/text/clip.ts";

/**
 * Longer names, such as a test title of a page, are clipped: a path must fit a line. In UTF-16
 * units.
 */
const MAX_NAME_LENGTH = 120;

/**
 * One form for paths from the model and names from the source: one line, and no backticks, which
 * cannot stand in a fence's opener.
 */
export function normalizePath(text: string): string {
  return text
    .replaceAll("`", "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

function withoutQuotes(text: string): string {
  const first = text[0];
  const quoted =
    text.length >= 2 && (first === '"' || first === "'" || first === "`") && text.endsWith(first);
  return quoted ? text.slice(1, -1) : text;
}

/** A statement is named by at most so much of it. */
const MAX_HEAD_LENGTH = 60;

/**
 * A statement is named by the beginning of its first line, for a string the first with text, up to
 * its arguments or block. A single word gets parentheses, so that no statement has the name of the
 * function it calls.
 */
function statementName(text: string): string {
  const line = /[^\s"'`].*/.exec(text.slice(0, MAX_NAME_LENGTH * 4))?.[0] ?? "";
  const head = /^[\s("'`[{;!]*([^({"'`;=]*[^({["'`;=\s:,])/.exec(line)?.[1] ?? "";
  const name = normalizePath(firstPart(normalizePath(head), MAX_HEAD_LENGTH));
  return /^[\p{L}_$][^\s]*$/u.test(name) ? `${name}()` : name;
}

/**
 * An element's name in a path: a string without its quotes, a heading without its closing `#`s, the
 * beginning of a statement.
 */
export function elementName(rawName: string, kind: string): string {
  if (kind === "statement") return statementName(rawName);
  const raw = rawName.slice(0, MAX_NAME_LENGTH * 4);
  const text =
    kind === "heading"
      ? raw.replace(/(^|\s)#+\s*$/, "")
      : raw.length === rawName.length
        ? withoutQuotes(raw)
        : raw.replace(/^["'`]/, "");
  // The declarator of a C++ conversion contains more than its name: `operator bool() const`.
  const name = normalizePath(text.replace(/^(operator\s.+?)\(\)(?![^()]*>).*$/s, "$1"));
  return name.length > MAX_NAME_LENGTH ? `${firstPart(name, MAX_NAME_LENGTH)}…` : name;
}
