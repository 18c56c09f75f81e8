import { isBuilt } from "../fakes/isBuilt.ts";
import { run } from "../harness/exec.mjs";

const SOURCES = ["src", "webview", "media", "grammars", "l10n"];

/** Packs the extension, unless out/graft.vsix is newer than what goes into it. */
export async function packIfStale(): Promise<void> {
  if (isBuilt("out/graft.vsix", SOURCES)) return;
  const code = await run("npm", ["run", "package"], { quiet: "packing the extension" });
  if (code !== 0) throw new Error("The extension could not be packed; its output is above.");
}
