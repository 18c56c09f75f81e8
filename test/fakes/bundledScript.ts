import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import * as esbuild from "esbuild";

const built = new Map<string, string>();

/**
 * The path of a TypeScript program as one file of JavaScript, built once in a process: it starts
 * five times as fast as by tsx.
 */
export function bundledScript(script: string): string {
  const known = built.get(script);
  if (known !== undefined) return known;
  const folder = mkdtempSync(path.join(tmpdir(), "graft-script-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const outfile = path.join(folder, `${path.parse(script).name}.cjs`);
  esbuild.buildSync({
    entryPoints: [script],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
  });
  built.set(script, outfile);
  return outfile;
}
