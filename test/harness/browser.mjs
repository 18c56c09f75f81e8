import fs from "node:fs";
import { run } from "./exec.mjs";

const places = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** The path of a Chromium or Chrome on this machine, or null. @returns {string | null} */
export function findChromium() {
  return places.find((place) => place !== undefined && fs.existsSync(place)) ?? null;
}

/**
 * Finds a Chromium, or installs Debian's where this process may.
 * @returns {Promise<string | null>} null, or a sentence that says what is missing
 */
export async function installChromium() {
  if (findChromium()) return null;
  const how = "Install Chromium or Chrome (Debian: apt-get install chromium), or name one in the environment variable CHROMIUM.";
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !fs.existsSync("/usr/bin/apt-get")) return `No Chromium found. ${how}`;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update"], { env, quiet: "updating Debian's package list" });
  const code = await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], {
    env,
    quiet: "installing Debian's chromium",
  });
  return code === 0 && findChromium() ? null : `Debian's chromium could not be installed. ${how}`;
}

/** Starts a headless Chromium; the caller closes it. */
export async function launchChromium() {
  const { chromium } = await import("playwright-core");
  const executablePath = findChromium();
  if (!executablePath) throw new Error("No Chromium found; set CHROMIUM to one.");
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return chromium.launch({ executablePath, headless: true, args });
}
