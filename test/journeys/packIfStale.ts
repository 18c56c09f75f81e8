import fs from "node:fs";
import path from "node:path";
import { run } from "../harness/exec.mjs";
import { root } from "../harness/root.mjs";

const SOURCES = ["src", "webview", "media", "grammars", "l10n", "package.json", "esbuild.mjs"];

/** Packs the extension, unless out/graft.vsix is newer than what goes into it. */
export async function packIfStale(): Promise<void> {
  const packed = fs.statSync(path.join(root, "out/graft.vsix"), { throwIfNoEntry: false });
  const newest = Math.max(...SOURCES.map((name) => changedAt(path.join(root, name))));
  if (packed && packed.mtimeMs > newest) return;
  const code = await run("npm", ["run", "package"], { quiet: "packing the extension" });
  if (code !== 0) throw new Error("The extension could not be packed; its output is above.");
}

/** When the file, or one in the folder, was last changed. */
function changedAt(place: string): number {
  const stat = fs.statSync(place);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const files = fs.readdirSync(place, { recursive: true, encoding: "utf8" });
  return Math.max(...files.map((file) => fs.statSync(path.join(place, file)).mtimeMs));
}
