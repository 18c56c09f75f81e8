import assert from "node:assert/strict";

/** A message, and the facts that it must contain. */
export type Message = readonly [text: string | null, ...facts: readonly (string | number)[]];

/** What no message says in any language. */
const FAULTS: Readonly<Record<string, RegExp>> = {
  "a value that is missing": /\b(?:undefined|null|NaN)\b|\[object /,
  "a placeholder that is not filled": /(?<!\$|\\u)\{\w+\}/,
  "two blanks, or blanks at its end": /\S {2}|[^\S\n]$/,
  "two punctuation marks": /[,;:][.,;:!?]|(?<!\.)\.[.,;:](?![./])|[!?][.;,]/,
  "a blank before a punctuation mark": / [,;!?](?!\w)| [.:](?:\s|$)/,
  "brackets around nothing": /\(\)(?<!\w\(\))|“”/,
  "a plural of one": /\b1 (?!is\b|was\b|has\b|aus\b)[a-z]{2,}(?<!s)s\b/,
};

const SENTENCE_END = /[.!?…]["”)\]]?$/;

/** Asserts that `text` reads as a message, and contains its facts. */
export function assertText([text, ...facts]: Message): void {
  assert.ok(text, `no message for ${facts}`);
  for (const [fault, pattern] of Object.entries(FAULTS))
    assert.doesNotMatch(text, pattern, `${fault}: ${text}`);
  for (const fact of facts) assert.ok(text.includes(`${fact}`), `"${fact}" is not in: ${text}`);
}

/** Asserts the same of a whole sentence. */
export function assertSentence(message: Message): void {
  assertText(message);
  assert.match(message[0] ?? "", SENTENCE_END);
}

/** Asserts that no two of `texts` read the same. */
export function assertDistinct(texts: readonly (string | null)[]): void {
  const again = texts.filter((text, index) => texts.indexOf(text) < index);
  assert.deepEqual(again, [], "different causes read the same");
}

/** The words and numbers of `example`, except those under the keys in `except`. */
export function factsOf(example: unknown, ...except: readonly string[]): (string | number)[] {
  if (typeof example === "string" || typeof example === "number") return example ? [example] : [];
  if (typeof example !== "object" || example === null) return [];
  const skipped = new Set(["code", ...except]);
  return Object.entries(example).flatMap(([key, value]) =>
    skipped.has(key) ? [] : factsOf(value, ...except),
  );
}
