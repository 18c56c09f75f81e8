/** The JSON objects and arrays that a text consists of, with white space, commas or semicolons between them; null where it holds anything else. */
export function jsonValues(text: string): readonly unknown[] | null {
  const values: unknown[] = [];
  let start = nextValue(text, 0);
  while (start < text.length) {
    const end = valueEnd(text, start);
    if (end === null) return null;
    try {
      values.push(JSON.parse(text.slice(start, end)));
    } catch {
      return null;
    }
    start = nextValue(text, end);
  }
  return values;
}

function nextValue(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[\s,;]/.test(text.charAt(at))) at++;
  return at;
}

/** Where the brackets that open at `start` are closed; null where they are not. */
function valueEnd(text: string, start: number): number | null {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (quoted) {
      if (char === "\\") at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
    if (depth <= 0) return depth === 0 && at > start ? at + 1 : null;
  }
  return null;
}
