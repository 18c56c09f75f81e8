import fs from "node:fs";
import path from "node:path";
import { root } from "../harness/root.mjs";

/** What a build reads, besides its sources. */
const BUILDING = ["package.json", "package-lock.json", "esbuild.mjs", "lazyScripts.mjs"];

/** Whether a built file is there, and newer than its sources: files and folders of the project. */
export function isBuilt(file: string, sources: readonly string[]): boolean {
  const built = fs.statSync(path.join(root, file), { throwIfNoEntry: false });
  const all = [...BUILDING, ...sources];
  return (
    built !== undefined && all.every((name) => changedAt(path.join(root, name)) < built.mtimeMs)
  );
}

/** When the file, or one in the folder, was last changed. */
function changedAt(place: string): number {
  const stat = fs.statSync(place);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const files = fs.readdirSync(place, { recursive: true, encoding: "utf8" });
  return Math.max(...files.map((file) => fs.statSync(path.join(place, file)).mtimeMs));
}
