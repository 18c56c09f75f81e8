import fs from "node:fs";
import path from "node:path";
import { run } from "./exec.mjs";
import { root } from "./root.mjs";

/** npm's program on this platform. */
export const npm = process.platform === "win32" ? "npm.cmd" : "npm";

/** Makes npm fail within a minute where its registry cannot be reached. */
export const SOON = ["--fetch-retries=1", "--fetch-retry-mintimeout=2000", "--fetch-timeout=60000"];

/**
 * Packages of a lock file of npm's, by their folders.
 * @typedef {Record<string, { version?: string, integrity?: string, optional?: boolean }>} Packages
 */

/**
 * Whether exactly the packages of a lock file are installed. Optional ones may be missing: most are
 * for other platforms.
 * @param {Packages} wanted @param {Packages} installed
 */
export function isInstalled(wanted, installed) {
  const same = (/** @type {string} */ place) =>
    wanted[place]?.version === installed[place]?.version &&
    wanted[place]?.integrity === installed[place]?.integrity;
  return (
    Object.keys(installed).every((place) => place in wanted) &&
    // The project itself has no folder.
    Object.keys(wanted).every(
      (place) =>
        place === "" || (place in installed ? same(place) : wanted[place]?.optional === true),
    )
  );
}

/** @param {string} file @returns {Packages} none where there is no such file */
function packagesOf(file) {
  const place = path.join(root, file);
  return fs.existsSync(place) ? JSON.parse(fs.readFileSync(place, "utf8")).packages : {};
}

/**
 * Installs the packages of package-lock.json, unless npm's own list of what it installed is the
 * same. Exits the process on failure.
 */
export async function installDependencies() {
  const installed = packagesOf("node_modules/.package-lock.json");
  if (isInstalled(packagesOf("package-lock.json"), installed)) return;
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
}

/** Exits the process when Node.js is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 12)) return;
  console.error(`Graft needs Node.js 20.12 or later; this is ${process.versions.node}.`);
  process.exit(1);
}
