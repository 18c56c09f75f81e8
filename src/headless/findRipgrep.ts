import * as path from "node:path";
import { firstExecutable, programOnPath } from "./programOnPath.ts";

/** The ripgrep program to use: that of the editor whose application folder is given, else the one on the PATH; null when there is none. */
export async function findRipgrep(appRoot: string | null): Promise<string | null> {
  const file = process.platform === "win32" ? "rg.exe" : "rg";
  const bundled = [
    path.join("@vscode", "ripgrep-universal", "bin", `${process.platform}-${process.arch}`, file),
    path.join("@vscode", "ripgrep", "bin", file),
  ];
  const roots = appRoot === null ? [] : ["node_modules", "node_modules.asar.unpacked"].map((name) => path.join(appRoot, name));
  return (await firstExecutable(roots.flatMap((root) => bundled.map((name) => path.join(root, name))))) ?? programOnPath("rg");
}
