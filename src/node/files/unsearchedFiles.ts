import { open, stat } from "node:fs/promises";
import * as path from "node:path";
import type { Unsearched } from "../../ports/workspace.ts";
import { isSecretPath } from "../../tools/permissions/protectedPath.ts";
import { errorCode } from "./systemError.ts";

/** The most files that are looked at, and named. */
const MOST_LOOKED_AT = 2_000;
const MOST_NAMED = 5;
const SNIFFED_BYTES = 8_192;
/** Names of files that nobody expects to be searched. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|webp|ico|bmp|avif|woff2?|ttf|otf|eot|zip|gz|tgz|bz2|xz|zst|7z|jar|class|pdf|exe|dll|so|dylib|a|o|obj|wasm|mp[34]|wav|ogg|webm|mov|sqlite3?|db|pyc|node|vsix|bin|dat)$/i;

/**
 * Why a search of `listed` files may have missed something: those that are no text, too large, or
 * cannot be read, and a file that `include` names and that is not among them. The first few.
 */
export async function unsearchedFiles(
  root: string,
  listed: readonly string[],
  include: string | null,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Unsearched[]> {
  const found: Unsearched[] = [];
  const named = include === null ? null : literalPath(include);
  if (named !== null && !listed.includes(named) && (await isFile(path.join(root, named))))
    found.push({ path: named, why: "ignored" });
  for (const file of listed.slice(0, MOST_LOOKED_AT)) {
    if (found.length >= MOST_NAMED || signal.aborted) break;
    const why = NO_TEXT.test(file) ? null : await whyUnsearched(root, file, named, limit);
    if (why !== null) found.push({ path: file, why });
  }
  return found;
}

async function whyUnsearched(
  root: string,
  file: string,
  named: string | null,
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
      const begin = Buffer.alloc(SNIFFED_BYTES);
      const { bytesRead } = await handle.read(begin, 0, SNIFFED_BYTES, 0);
      const bytes = begin.subarray(0, bytesRead);
      const hasMark = /^(?:fffe|feff)/.test(bytes.subarray(0, 2).toString("hex"));
      return !hasMark && bytes.includes(0) ? "binary" : null;
    } finally {
      await handle.close();
    }
  } catch (error) {
    return errorCode(error) === "ENOENT" ? null : "unreadable";
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
