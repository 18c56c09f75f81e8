import { err, ok, type Result } from "../../base/result.ts";
import { type FileError, MAX_FILE_BYTES } from "../../ports/workspace.ts";
import { openFile } from "./openFolder.ts";
import { readError } from "./systemError.ts";
import { windows1252Text } from "./windows1252.ts";

const SNIFFED_BYTES = 8192;

/**
 * Reads the file at the absolute path `real` below `root` as UTF-8 text, or as `decode` does. Errors
 * refer to it as `name`. Never blocks on a pipe or device, and never follows a link that appeared meanwhile.
 */
export async function readTextFile(
  root: string,
  real: string,
  name: string,
  signal: AbortSignal,
  decode = decodeText,
): Promise<Result<string, FileError>> {
  if (real === root) return err({ code: "is-directory", path: name });
  try {
    const handle = await openFile(root, real);
    try {
      const stat = await handle.stat();
      if (stat.isDirectory()) return err({ code: "is-directory", path: name });
      if (!stat.isFile()) return err({ code: "not-regular", path: name });
      if (stat.size > MAX_FILE_BYTES)
        return err({ code: "too-large", path: name, bytes: stat.size });
      const text = decode(await handle.readFile({ signal }));
      return text === null ? err({ code: "binary", path: name }) : ok(text);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return err(readError(error, name));
  }
}

/**
 * Decodes bytes as text, with a byte order mark as U+FEFF. Null if it is not text: a NUL in the
 * first 8 KB, or invalid UTF-8.
 */
function decodeText(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Decodes bytes as text to search, also of UTF-16 with a byte order mark and of Windows-1252. */
export function decodeAnyText(bytes: Uint8Array): string | null {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  if (mark === 0xfffe && bytes[2] === 0 && bytes[3] === 0) return null;
  if (mark === 0xfffe) return new TextDecoder("utf-16le").decode(bytes);
  if (mark === 0xfeff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return null;
  return decodeText(bytes) ?? windows1252Text(bytes);
}
