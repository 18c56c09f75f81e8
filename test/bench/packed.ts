import path from "node:path";
import { run } from "../harness/exec.mjs";
import { root } from "../harness/root.mjs";

/** Builds and packs the extension as it ships; answers the `.vsix`'s path. */
export async function pack(): Promise<string> {
  const vsix = path.join(root, "out/graft.vsix");
  const bin = path.join(root, "node_modules/@vscode/vsce/vsce");
  const built = await run(process.execPath, [path.join(root, "esbuild.mjs")], {
    quiet: "building",
  });
  const args = ["package", "--no-dependencies", "--no-rewrite-relative-links", "-o", vsix];
  const packed =
    built === 0 ? await run(process.execPath, [bin, ...args], { quiet: "packing" }) : built;
  if (packed !== 0) throw new Error("The extension could not be packed.");
  return vsix;
}

/** The value below which this share of the sorted values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
