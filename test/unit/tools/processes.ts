import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Settles with a file's text, without blanks around it, once it ends with a line break. */
export async function fileWithText(file: string): Promise<string> {
  for (;;) {
    const text = await readFile(file, "utf8").catch(() => "");
    if (text.endsWith("\n")) return text.trim();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Settles when a process is over. */
export async function processGone(pid: number): Promise<void> {
  for (;;) {
    const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
    // A zombie is over; only its parent has not looked yet.
    if (state === null || / Z /.test(state)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** True while a process with exactly these arguments runs. */
export function isRunning(...args: readonly string[]): boolean {
  const wanted = args.map((arg) => `${arg}\0`).join("");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8") === wanted;
      } catch {
        return false;
      }
    });
}
