/** Halves of characters, and NUL: strict servers refuse a request that holds one. */
const REFUSED = /[\p{Cs}\0]/gu;

/** A text that every server takes: NUL is shown as ␀, and half of a character as �. */
export function wireText(text: string): string {
  return text.replace(REFUSED, (unit) => (unit === "\0" ? "\u2400" : "\uFFFD"));
}

/** Plain JSON with all its texts, and the names of its fields, as {@link wireText} writes them. */
export function wireValue<Value>(value: Value): Value;
export function wireValue(value: unknown): unknown {
  if (typeof value === "string") return wireText(value);
  if (Array.isArray(value)) return value.map((each) => wireValue<unknown>(each));
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [wireText(name), wireValue<unknown>(each)]),
  );
}

/** JSON text whose texts are {@link wireText}, also where they are written as escapes. */
export function wireJson(json: string): string {
  if (!/\\u(?:0000|d[89a-f])/i.test(json)) return wireText(json);
  try {
    return JSON.stringify(wireValue<unknown>(JSON.parse(json)));
  } catch {
    return wireText(json);
  }
}
