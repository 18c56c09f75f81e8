import fs from "node:fs";
import path from "node:path";
import { run } from "./exec.mjs";
import { root } from "./root.mjs";

/** npm's program on this platform. */
export const npm = process.platform === "win32" ? "npm.cmd" : "npm";

/** Makes npm fail within a minute where its registry cannot be reached. */
export const SOON = ["--fetch-retries=1", "--fetch-retry-mintimeout=2000", "--fetch-timeout=60000"];

/**
 * Installs the packages of package-lock.json if it changed since the last install. Exits the
 * process on failure.
 */
export async function installDependencies() {
  const lock = fs.readFileSync(path.join(root, "package-lock.json"), "utf8");
  const stamp = path.join(root, "node_modules/.graft-lock");
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === lock) return;
  const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
  const code = await run(npm, ["ci", ...flags, "--loglevel=error", ...SOON], {
    quiet: "installing npm packages",
  });
  if (code !== 0) {
    console.error(
      "npm could not install the packages. Its output is above. Check the network and npm's registry, then try again.",
    );
    process.exit(1);
  }
  fs.writeFileSync(stamp, lock);
}

/** Exits the process when Node.js is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 12)) return;
  console.error(`Graft needs Node.js 20.12 or later; this is ${process.versions.node}.`);
  process.exit(1);
}
