import * as vscode from "vscode";
import { withLineEndsOf } from "../../base/text/lines.ts";
import { openDocument } from "./documentText.ts";

const MARK = "\uFEFF";
const UTF8_MARK = [0xef, 0xbb, 0xbf];

/**
 * The bytes of a new file, which the editor reads as `text`: in the encoding of the settings, else
 * as UTF-8 with a byte order mark.
 */
export async function encodeNewText(uri: vscode.Uri, text: string): Promise<Uint8Array> {
  const plain = withoutMark(text);
  const bytes = await vscode.workspace.encode(plain, { uri });
  const isRead = (await decoded(bytes, uri)) === plain;
  const isMarked = text !== plain || !isRead;
  return isMarked && !(isRead && hasMark(bytes)) ? utf8WithMark(plain) : bytes;
}

/**
 * The bytes of a file whose text is replaced: with its encoding, byte order mark and line ends.
 * Null if that encoding is unknown or lacks a character of `text`.
 */
export async function encodeReplacement(
  uri: vscode.Uri,
  text: string,
  old: Uint8Array,
): Promise<Uint8Array | null> {
  const options = { encoding: openDocument(uri)?.encoding ?? markedEncoding(old) };
  const read = (bytes: Uint8Array) =>
    options.encoding
      ? vscode.workspace.decode(bytes, { encoding: options.encoding }).then(withoutMark)
      : decoded(bytes, uri);
  const write = (written: string) =>
    options.encoding
      ? vscode.workspace.encode(written, { encoding: options.encoding })
      : vscode.workspace.encode(written, { uri });
  const before = await read(old);
  if (!options.encoding && !isEqual(await write(before), old)) return null;
  const plain = withoutMark(text);
  const own = withLineEndsOf(before, plain);
  const bytes = await write(own);
  if ((await read(bytes)) !== own) return null;
  return hasMark(old) && !hasMark(bytes) ? utf8WithMark(own) : bytes;
}

/** Whether a document's encoding has all characters of the texts. */
export async function canHold(
  { encoding }: Pick<vscode.TextDocument, "encoding">,
  texts: () => readonly string[],
): Promise<boolean> {
  if (/^utf/.test(encoding)) return true;
  const text = texts().join("\n");
  const bytes = await vscode.workspace.encode(text, { encoding });
  return (await vscode.workspace.decode(bytes, { encoding })) === text;
}

/** The encoding that a byte order mark names. */
function markedEncoding(bytes: Uint8Array): string | null {
  if (hasMark(bytes)) return "utf8bom";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf16be" : null;
}

async function decoded(bytes: Uint8Array, uri: vscode.Uri): Promise<string> {
  return withoutMark(await vscode.workspace.decode(bytes, { uri }));
}

function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(MARK.length) : text;
}

function hasMark(bytes: Uint8Array): boolean {
  return UTF8_MARK.every((byte, at) => bytes[at] === byte);
}

function utf8WithMark(text: string): Uint8Array {
  return new TextEncoder().encode(`${MARK}${text}`);
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
