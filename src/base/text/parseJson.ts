/** From this length on a text is first looked through for {@link MAX_DEPTH}, in characters. */
const LONG = 1024 * 1024;
/** More levels than any value of Graft's has. Millions of them keep the parser busy for minutes. */
const MAX_DEPTH = 10_000;

/** Parses JSON. Undefined if the text is invalid, or if it is long and nested absurdly deep. */
export function parseJson(text: string): unknown {
  try {
    return text.length > LONG && isTooDeep(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
    else if (char === '"') at = stringEnd(text, at);
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Where the string ends that begins at `start`. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
