import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const folder = resolve(import.meta.dirname, "../../../../shared/data/sse");

/** The recorded body of a real provider's answer. */
export interface Recording {
  readonly name: string;
  readonly body: string;
}

/**
 * The recordings beside the repository; null, and a line that says so, where they are not there.
 */
export function recordedAnswers(): readonly Recording[] | null {
  if (!existsSync(folder)) {
    console.log("      skipped: the recordings are not beside the repository (../shared/data/sse)");
    return null;
  }
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sse"))
    .map((name) => ({ name, body: readFileSync(resolve(folder, name), "utf8") }));
}
