import { constants, type PathLike, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { MAX_FILE_BYTES } from "../../ports/workspace.ts";

/**
 * Works on a file that is open for reading; null where there is none that can be read. Waits for no
 * pipe and reads no device. `isOwn`: no link is followed.
 */
export async function withPlainFile<T>(
  place: PathLike,
  isOwn: boolean,
  work: (file: FileHandle, stats: Stats) => Promise<T>,
): Promise<T | null> {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  try {
    const file = await open(place, O_RDONLY | O_NONBLOCK | (isOwn ? O_NOFOLLOW : 0));
    try {
      const stats = await file.stat();
      return stats.isFile() ? await work(file, stats) : null;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

/** The bytes of a file, see {@link withPlainFile}; null for all else. */
export function readPlain(place: PathLike, isOwn = false): Promise<Buffer | null> {
  return withPlainFile(place, isOwn, (file) => file.readFile());
}

/** The text of a small file that a repository has; null for all else. */
export function readPlainText(
  place: PathLike,
  encoding: "utf8" | "latin1" = "utf8",
): Promise<string | null> {
  return withPlainFile(place, false, async (file, { size }) =>
    size > MAX_FILE_BYTES ? null : file.readFile(encoding),
  );
}
