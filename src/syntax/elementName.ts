/** Longer names, such as a test's title of a page's length, are cut: a path must fit a line. In UTF-16 units. */
const MAX_NAME_LENGTH = 120;

/** Brings what the model wrote, or what stands in the source, to one form: one line, no backticks (they cannot stand in a fence's opener). */
export function normalisePath(text: string): string {
  return text
    .replaceAll("`", "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

function withoutQuotes(text: string): string {
  const first = text[0];
  const quoted = text.length >= 2 && (first === '"' || first === "'" || first === "`") && text.endsWith(first);
  return quoted ? text.slice(1, -1) : text;
}

/** How much of a statement is its name. */
const MAX_HEAD_LENGTH = 60;

/**
 * A statement is called by how its first line begins, as far as its arguments or its block. A single word gets parentheses, so that
 * no statement has the name of the function that it calls.
 */
function statementName(text: string): string {
  const line = /\S.*/.exec(text.slice(0, MAX_NAME_LENGTH * 4))?.[0] ?? "";
  const head = /^[\s("'`[{;!]*([^({"'`;=]*[^({["'`;=\s:,])/.exec(line)?.[1] ?? "";
  const name = normalisePath(normalisePath(head).slice(0, MAX_HEAD_LENGTH));
  return /^[\p{L}_$][^\s]*$/u.test(name) ? `${name}()` : name;
}

/** An element's name in a path: a string without its quotes, a heading without its closing `#`s, the beginning of a statement. */
export function elementName(rawName: string, kind: string): string {
  if (kind === "statement") return statementName(rawName);
  const raw = rawName.slice(0, MAX_NAME_LENGTH * 4);
  const text =
    kind === "heading" ? raw.replace(/(^|\s)#+\s*$/, "") : raw.length === rawName.length ? withoutQuotes(raw) : raw.replace(/^["'`]/, "");
  // The declarator of a C++ conversion is its name and more: `operator bool() const`.
  const name = normalisePath(text.replace(/^(operator\s.+?)\(\)(?![^()]*>).*$/s, "$1"));
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}
