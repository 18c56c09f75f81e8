import { open, stat } from "node:fs/promises";
import * as path from "node:path";
import {
  MOST_UNSEARCHED,
  type TextMatch,
  type TextSearch,
  type Unsearched,
} from "../../ports/workspace.ts";
import { isSecretPath } from "../../tools/permissions/protectedPath.ts";
import { errorCode } from "./systemError.ts";
import { windows1252Bytes, windows1252Text } from "./windows1252.ts";

/** The most files that are looked at, and told: one more than are named. */
const MOST_LOOKED_AT = 2_000;
const MOST_TOLD = MOST_UNSEARCHED + 1;
const SNIFFED_BYTES = 8_192;
/** How much of a file is looked at to learn its encoding. */
const DECODED_BYTES = 1_048_576;
/** Names of files that nobody expects to be searched. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|webp|ico|bmp|avif|woff2?|ttf|otf|eot|zip|gz|tgz|bz2|xz|zst|7z|jar|class|pdf|exe|dll|so|dylib|a|o|obj|wasm|mp[34]|wav|ogg|webm|mov|sqlite3?|db|pyc|node|vsix|bin|dat)$/i;

/** What was searched for, and what was found. */
interface DoneSearch {
  readonly query: TextSearch;
  readonly matches: readonly TextMatch[];
}

/**
 * Why a search of `listed` files may have missed something: those that are no text, too large, of an
 * unknown encoding, or cannot be read, and a file that `include` names and that is not among them.
 * Beside matches only those of an unknown encoding. The first few.
 */
export async function unsearchedFiles(
  root: string,
  listed: readonly string[],
  { query, matches }: DoneSearch,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Unsearched[]> {
  const found: Unsearched[] = [];
  const named = query.include === null ? null : literalPath(query.include);
  const matching = new Set(matches.map((match) => match.path));
  if (
    matching.size === 0 &&
    named !== null &&
    !listed.includes(named) &&
    (await isFile(path.join(root, named)))
  )
    found.push({ path: named, why: "ignored" });
  for (const file of listed.slice(0, MOST_LOOKED_AT)) {
    if (found.length >= MOST_TOLD || signal.aborted) break;
    if (NO_TEXT.test(file) || matching.has(file)) continue;
    const why = await whyUnsearched(root, file, named, query, limit);
    if (why !== null && (matching.size === 0 || why === "encoding"))
      found.push({ path: file, why });
  }
  return found;
}

async function whyUnsearched(
  root: string,
  file: string,
  named: string | null,
  query: TextSearch,
  limit: number,
): Promise<Unsearched["why"] | null> {
  if (isSecretPath(file)) return file === named ? "secret" : null;
  const place = path.join(root, file);
  try {
    const found = await stat(place);
    if (!found.isFile()) return null;
    if (found.size > limit) return "too-large";
    const handle = await open(place);
    try {
      const most = wantsLetters(query) ? DECODED_BYTES : SNIFFED_BYTES;
      const begin = Buffer.alloc(Math.min(most, Math.max(found.size, SNIFFED_BYTES)));
      const { bytesRead } = await handle.read(begin, 0, begin.length, 0);
      const bytes = begin.subarray(0, bytesRead);
      const mark = bytes.subarray(0, 4).toString("hex");
      if (mark === "fffe0000" || mark === "0000feff") return "encoding";
      if (/^(?:fffe|feff)/.test(mark)) return null;
      if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return "binary";
      return wantsLetters(query) && !isDecoded(bytes, query.pattern) ? "encoding" : null;
    } finally {
      await handle.close();
    }
  } catch (error) {
    return errorCode(error) === "ENOENT" ? null : "unreadable";
  }
}

/** True where a pattern has other letters than ASCII's, which each encoding writes its own way. */
export function wantsLetters({ pattern, isRegExp }: TextSearch): boolean {
  return /[^\0-\x7f]/.test(pattern) || (isRegExp && /\\[pPux]/.test(pattern));
}

/** True where a search sees the letters of the pattern: in UTF-8, or what may be Windows-1252. */
function isDecoded(bytes: Buffer, pattern: string): boolean {
  // ISO-2022 writes letters in ASCII, after this.
  if (bytes.includes("\u001b$")) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return (
      windows1252Bytes(pattern) !== null &&
      !/[\u0081\u008d\u008f\u0090\u009d]/.test(windows1252Text(bytes))
    );
  }
}

/** The path that a glob without signs is. */
function literalPath(glob: string): string | null {
  const plain = glob.replace(/\[([[{*?])\]/g, "$1").replace(/^(?:\.?\/)+/, "");
  return /[*?]/.test(plain) ? null : plain;
}

async function isFile(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => null);
  return found?.isFile() === true;
}
