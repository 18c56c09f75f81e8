import fs from "node:fs";
import path from "node:path";
import { run } from "./exec.mjs";
import { root } from "./root.mjs";

/** How npm is started from a script, on every platform. */
export const npm = process.platform === "win32" ? "npm.cmd" : "npm";

/** Installs the packages of package-lock.json unless they have been installed already. Exits the process when that fails. */
export async function installDependencies() {
  const lock = fs.readFileSync(path.join(root, "package-lock.json"), "utf8");
  const stamp = path.join(root, "node_modules/.graft-lock");
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === lock) return;
  // Not `npm ci`: it refuses the whole lock file where a registry lacks an optional package of another platform.
  const code = await run(npm, ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    quiet: "installing npm packages",
  });
  if (code !== 0) {
    console.error(
      "npm could not install the packages; its output is above. Check the network and that npm's registry answers, then try again.",
    );
    process.exit(1);
  }
  fs.writeFileSync(stamp, lock);
}

/** Stops with a sentence when this Node.js is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 12)) return;
  console.error(`Graft needs Node.js 20.12 or later; this is ${process.versions.node}.`);
  process.exit(1);
}
