import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { comes, found } from "../../fakes/comes.ts";

/** Settles with a file's text, without blanks around it, once it ends with a line break. */
export function fileWithText(file: string): Promise<string> {
  return found(`a line in ${file}`, async () => {
    const text = await readFile(file, "utf8").catch(() => "");
    return text.endsWith("\n") ? text.trim() : null;
  });
}

/** Settles when a process is over. */
export function processGone(pid: number): Promise<void> {
  // A zombie is over; only its parent has not looked yet.
  return comes(`the end of process ${pid}`, async () =>
    ["", "Z"].includes(await processState(pid)),
  );
}

/** Settles when a process waits for something outside of it. */
export function processWaits(pid: number): Promise<void> {
  return comes(`process ${pid} waits`, async () => (await processState(pid)) === "S");
}

/** The state of a process as a letter; empty where there is none. */
async function processState(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The program's name, in parentheses, may hold blanks and parentheses.
  return stat.slice(stat.lastIndexOf(")") + 2).charAt(0);
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
