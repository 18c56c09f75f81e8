import fs from "node:fs";
import { canInstallDebian, installDebian } from "./browser.mjs";

/** What speaks, mixes and understands in tests, each with a file of its Debian package. */
const TOOLS = {
  flite: "/usr/bin/flite",
  sox: "/usr/bin/sox",
  pocketsphinx: "/usr/bin/pocketsphinx_batch",
  "pocketsphinx-en-us": "/usr/share/pocketsphinx/model/en-us/en-us.lm.bin",
};

/** The Debian packages that are missing for tests with real speech. */
export function missingSpeechTools() {
  return Object.entries(TOOLS).flatMap(([name, file]) => (fs.existsSync(file) ? [] : [name]));
}

/**
 * Installs what is missing when run as root on Debian. Without it, the tests with real speech skip
 * and say so.
 */
export async function installSpeechTools() {
  const missing = missingSpeechTools();
  if (missing.length > 0 && canInstallDebian()) await installDebian(missing);
}
