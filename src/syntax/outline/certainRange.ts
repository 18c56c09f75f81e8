import {
  indentAt,
  lineEnd,
  lineStart,
  previousLineEnd,
  skipSpaceBack,
} from "../../base/text/scan.ts";
import type { Element } from "../paths/element.ts";

/**
 * Lines that may stand at a block's own indent inside of it: preprocessor lines, labels such as
 * `public:`, and its brace.
 */
const AT_OWN_INDENT = /^(?:#.*|\w[\w ]*:|\{.*)$/;

/**
 * True when a definition begins and ends where its lines say, whatever syntax errors it contains:
 * it begins its line behind another one's end, a `}` with the indent of that line ends it, and
 * every line between is deeper. `top` is where its comment block begins.
 */
export function hasCertainRange(
  { start, end, body, bodyStyle }: Element,
  text: string,
  top: number,
): boolean {
  if (!body || bodyStyle !== "braces") return false;
  const close = text[end - 1] === ";" ? skipSpaceBack(text, end - 1) - 1 : end - 1;
  const indent = indentAt(text, start);
  if (
    text[close] !== "}" ||
    indent === null ||
    indentAt(text, close) !== indent ||
    !followsEnd(text, top)
  )
    return false;
  const lines = text.slice(lineEnd(text, body.start), lineStart(text, close)).split(/\r\n|\n|\r/);
  return lines.every((line) => {
    const content = line.trim();
    const isDeeper = line.startsWith(indent) && /^[ \t]/.test(line.slice(indent.length));
    return content === "" || content.startsWith("#") || isDeeper || AT_OWN_INDENT.test(content);
  });
}

/** True when nothing above `offset` can be the beginning of what stands there. */
function followsEnd(text: string, offset: number): boolean {
  const before = skipSpaceBack(text, offset);
  if (before === 0 || /[;{}:]/.test(text.charAt(before - 1))) return true;
  const line = text.slice(lineStart(text, before), before).trimStart();
  const above = text.slice(0, previousLineEnd(text, lineStart(text, before)));
  return line.startsWith("#") && !above.endsWith("\\");
}
