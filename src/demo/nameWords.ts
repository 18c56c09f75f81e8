/** The words of an identifier: `parseHTTPUrl` and `parse_http_url` have three. Abbreviations stay as they are. */
export function nameWords(name: string): readonly string[] {
  const words = name.match(/\p{Lu}{2,}(?!\p{Ll})|\p{Lu}?[\p{Ll}\d]+|\p{Lu}/gu) ?? [name];
  return words.map((word) => (/^\p{Lu}{2,}$/u.test(word) ? word : word.toLowerCase()));
}

/** An identifier as the beginning of a sentence: `circleArea` gives `Circle area`. */
export function nameSentence(name: string): string {
  const text = nameWords(name).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** An identifier as a constant's name: `taxRate` gives `TAX_RATE`. */
export function constantCase(name: string): string {
  return nameWords(name).join("_").toUpperCase();
}
