import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "../harness/root.mjs";
import { pack } from "./packed.ts";

const KB = 1000;
const allowed: readonly (readonly [string, string, number])[] = [
  // 1,350 of them are what draws formulas and diagrams, which loads with the first one.
  ["the .vsix", "out/graft.vsix", 11_000],
  ["the host's entry, node", "dist/extension.js", 600],
  ["… loaded on first use", "dist/composition.js", 1500],
  ["… what needs Node.js", "dist/machine.js", 600],
  ["… MCP", "dist/mcp.js", 1000],
  ["… voice", "dist/voice.js", 88],
  ["… pages of the web", "dist/readPage.js", 600],
  ["… agents outside", "dist/guests.js", 60],
  ["the command line", "dist/cli.js", 1500],
  ["the host's bundle, web", "dist/extension.web.js", 1500],
  ["the panel's script", "dist/webview/main.js", 600],
];

function files(dir: string): string[] {
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const place = path.join(dir, entry.name);
    return entry.isDirectory() ? files(place) : [place];
  });
}

async function main(): Promise<void> {
  await pack();
  console.log("\n  what is packed out of dist/                     bytes   gzipped");
  for (const file of files(path.join(root, "dist"))) {
    const name = path.relative(root, file);
    if (/^dist\/(meta|test|npm)/.test(name)) continue;
    const bytes = fs.readFileSync(file);
    console.log(
      `  ${name.padEnd(42)} ${String(bytes.length).padStart(10)} ${String(gzipSync(bytes).length).padStart(9)}`,
    );
  }
  console.log("");
  for (const [what, name, limit] of allowed) {
    const size = fs.statSync(path.join(root, name)).size / KB;
    console.log(
      `  ${what.padEnd(26)} ${size.toFixed(0).padStart(6)} kB of ${limit} kB${size > limit ? "  TOO LARGE" : ""}`,
    );
    if (size > limit) process.exitCode = 1;
  }
}

void main();
