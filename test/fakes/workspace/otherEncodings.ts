/** Files that no search reads as they are, and two that one does. */
export const OTHER_ENCODINGS: Readonly<Record<string, string | Uint8Array>> = {
  "iso2022.txt": Buffer.from("\x1b$BF|K\\\x1b(B odd\n", "latin1"),
  "latin1.txt": Buffer.from("caf\xe9 odd\n", "latin1"),
  "sjis.txt": Buffer.from("\x93\xfa\x96\x7b\x8c\xea\x81\x42 odd\n", "latin1"),
  "utf32be.txt": Buffer.from("0000feff0000006f0000006400000064", "hex"),
  "utf32le.txt": Buffer.from("fffe00006f0000006400000064000000", "hex"),
  "utf8.txt": "日本 caf\u00e9 odd\n",
};

const UTF32 = ["utf32be.txt", "utf32le.txt"];

/** What a search finds among them, and what it names as not searched. */
export const ENCODED_SEARCHES: readonly (readonly [
  string,
  readonly string[],
  readonly string[],
])[] = [
  ["日本", ["utf8.txt"], ["iso2022.txt", "latin1.txt", "sjis.txt", ...UTF32]],
  ["日月", [], ["iso2022.txt", "latin1.txt", "sjis.txt", ...UTF32]],
  ["café", ["latin1.txt", "utf8.txt"], ["iso2022.txt", "sjis.txt", ...UTF32]],
  ["odd", ["iso2022.txt", "latin1.txt", "sjis.txt", "utf8.txt"], []],
  ["even", [], UTF32],
];
