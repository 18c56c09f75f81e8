import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { MAX_FILE_BYTES } from "../../ports/workspace.ts";
import { isExecutable } from "../files/fileMode.ts";
import { windows1252Bytes, windows1252Text } from "../files/windows1252.ts";
import { withPlainFile } from "../processes/readPlain.ts";

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16_MARK = Buffer.from([0xff, 0xfe]);

/** How a file's bytes stand for its text. */
type Encoding = "utf8" | "utf8-mark" | "utf16" | "windows-1252";

/** A text as the bytes of the file it belongs to: `like` is the file as it is, null for a new one. */
export function bytesOf(text: string, like: Buffer | null): Buffer {
  const encoding = like === null ? "utf8" : encodingOf(like);
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (encoding === "utf16") return Buffer.concat([UTF16_MARK, Buffer.from(plain, "utf16le")]);
  if (encoding === "utf8-mark") return Buffer.concat([UTF8_MARK, Buffer.from(plain)]);
  const narrow = encoding === "windows-1252" ? windows1252Bytes(plain) : null;
  return narrow ?? Buffer.from(text);
}

/**
 * The text of bytes, without a byte order mark; null for what is no text. They are read as `like`
 * is, if they are no UTF-8.
 */
export function textOf(bytes: Buffer, like: Buffer | null): string | null {
  if (bytes.length > MAX_FILE_BYTES) return null;
  const encoding = encodingOf(bytes);
  if (encoding === "utf16") return bytes.subarray(2).toString("utf16le");
  if (bytes.includes(0)) return null;
  if (encoding === "utf8-mark") return bytes.subarray(3).toString("utf8");
  if (encoding === "utf8") return bytes.toString("utf8");
  const isNarrow = like !== null && encodingOf(like) === "windows-1252";
  return isNarrow ? windows1252Text(bytes) : null;
}

function encodingOf(bytes: Buffer): Encoding {
  if (bytes.subarray(0, 3).equals(UTF8_MARK)) return "utf8-mark";
  if (bytes.subarray(0, 2).equals(UTF16_MARK)) return "utf16";
  return isUtf8(bytes) ? "utf8" : "windows-1252";
}

/** A larger file is known by its size and time: one with holes could take days to read. */
const MOST_HASHED = 100_000_000;

/** What is in a file. */
export interface FileContent {
  readonly hash: string;
  /** Null where they are too many for a text. */
  readonly bytes: Buffer | null;
  readonly isExecutable: boolean;
}

/**
 * What is in a file; null where there is none that can be read. Of a shadow's, `isShadows`, no link
 * is followed: it may have come meanwhile.
 */
export async function fileContent(place: string, isShadows = false): Promise<FileContent | null> {
  return withPlainFile(place, isShadows, async (file, { size, mtimeMs, mode }) => {
    const facts = { bytes: null, isExecutable: isExecutable(mode) };
    if (size <= MAX_FILE_BYTES) {
      const bytes = await file.readFile();
      return { ...facts, hash: hashOf(bytes), bytes };
    }
    if (size > MOST_HASHED) return { ...facts, hash: `${size} ${mtimeMs}` };
    const hash = createHash("sha256");
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk);
    return { ...facts, hash: hash.digest("hex") };
  });
}

/** Stands for what is no file that can be read: its kind, and where a link leads. */
export async function otherHash(own: string, entry: Stats): Promise<string> {
  const target = entry.isSymbolicLink() ? await readlink(own) : "";
  return hashOf(Buffer.from(`${entry.mode} ${target}`));
}

/** The same for a link of the user's; null for anything else. */
export async function linkHash(place: string): Promise<string | null> {
  const entry = await lstat(place).catch(() => null);
  return entry?.isSymbolicLink() ? otherHash(place, entry) : null;
}

/** A hash of bytes. */
export function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
