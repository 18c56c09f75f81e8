import fs from "node:fs";
import path from "node:path";
import type { Workbench } from "./workbench.ts";

/** The files in what the editor of a workbench has stored whose paths in it match. */
export function storedFiles({ home }: Pick<Workbench, "home">, pattern: RegExp): readonly string[] {
  const storage = path.join(home, "data/User");
  return fs
    .readdirSync(storage, { recursive: true, encoding: "utf8" })
    .filter((file) => pattern.test(file))
    .map((file) => path.join(storage, file));
}

/** Whether a chat's record has these words: what it has outlives a reload. */
export function isOnRecord(workbench: Pick<Workbench, "home">, words: string): boolean {
  return storedFiles(workbench, /\bchats[\\/].*\.jsonl$/).some((file) =>
    fs.readFileSync(file, "utf8").includes(words),
  );
}
