/**
 * The letters of Windows-1252 by their bytes, from 0x80. The others are those of Latin-1. Node 20
 * decodes Windows-1252 as Latin-1.
 */
const FROM_80 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** The text of bytes in Windows-1252. */
export function windows1252Text(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString("latin1")
    .replace(/[\x80-\x9f]/g, (letter) => FROM_80[letter.charCodeAt(0) - 0x80] ?? "");
}

/** A text as bytes in Windows-1252; null for one that has other letters. */
export function windows1252Bytes(text: string): Buffer | null {
  const bytes = Array.from(text, (letter) => {
    const high = FROM_80.indexOf(letter);
    const code = letter.codePointAt(0) ?? 0;
    return high >= 0 ? high + 0x80 : code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : -1;
  });
  return bytes.includes(-1) ? null : Buffer.from(bytes);
}
