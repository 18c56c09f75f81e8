import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Whether a file with this mode is a program, as git sees it; never on Windows. */
export function isExecutable(mode: number): boolean {
  return process.platform !== "win32" && (mode & 0o100) !== 0;
}

/**
 * Lets all execute a file who may read it, or nobody. Rejects for anything but a file, also for a
 * link to one.
 */
export async function changeExecutable(file: string, executable: boolean): Promise<void> {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const opened = await open(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stats = await opened.stat();
    if (!stats.isFile()) throw new Error("It is no file.");
    const mode = stats.mode & 0o7777;
    const wanted = executable ? mode | 0o100 | ((mode & 0o444) >> 2) : mode & ~0o111;
    if (wanted !== mode) await opened.chmod(wanted);
  } finally {
    await opened.close();
  }
}
