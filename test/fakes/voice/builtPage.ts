import fs from "node:fs";
import * as esbuild from "esbuild";

/** The files of the voice page, built as for a release. */
export async function builtPage(): Promise<ReadonlyMap<string, Uint8Array>> {
  const entries = {
    "voicePage.js": "voicePage.ts",
    "voiceWorklet.js": "voiceWorklet.ts",
    "voicePage.css": "voicePage.css",
  };
  const built = Object.entries(entries).map(async ([name, entry]) => {
    const { outputFiles } = await esbuild.build({
      entryPoints: [`webview/voicePage/${entry}`],
      bundle: true,
      minify: true,
      write: false,
      format: "iife",
      target: "es2022",
      tsconfig: "webview/tsconfig.json",
    });
    return [name, outputFiles[0]?.contents ?? new Uint8Array()] as const;
  });
  const model: Uint8Array = fs.readFileSync("media/silero-vad/voiceModel.bin");
  return new Map([...(await Promise.all(built)), ["voiceModel.bin", model]]);
}
