import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the project. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Where downloaded editors are cached. Outside the clone, so that a fresh clone reuses them. */
export const cacheDir =
  process.env.GRAFT_CACHE ??
  path.join(
    process.platform === "darwin"
      ? path.join(os.homedir(), "Library/Caches")
      : (process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), ".cache")),
    "graft",
  );

/** The version in package.json. @type {string} */
export const version = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")).version;
