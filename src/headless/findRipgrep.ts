import { constants } from "node:fs";
import { access } from "node:fs/promises";
import * as path from "node:path";

/** The ripgrep program to use: that of the editor whose application folder is given, else the one on the PATH; null when there is none. */
export async function findRipgrep(appRoot: string | null): Promise<string | null> {
  const file = process.platform === "win32" ? "rg.exe" : "rg";
  const bundled = [
    path.join("@vscode", "ripgrep-universal", "bin", `${process.platform}-${process.arch}`, file),
    path.join("@vscode", "ripgrep", "bin", file),
  ];
  const roots = appRoot === null ? [] : ["node_modules", "node_modules.asar.unpacked"].map((name) => path.join(appRoot, name));
  const onPath = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const candidates = [
    ...roots.flatMap((root) => bundled.map((name) => path.join(root, name))),
    ...onPath.map((folder) => path.join(folder, file)),
  ];
  for (const candidate of candidates) {
    const usable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return candidate;
  }
  return null;
}
