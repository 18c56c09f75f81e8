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

/** Finds a Chromium or Chrome. @returns {string | null} its path */
export function findChromium() {
  return places.find((place) => place !== undefined && fs.existsSync(place)) ?? null;
}

/**
 * Finds a Chromium, or installs Debian's when run as root.
 * @returns {Promise<string | null>} null, or why there is none
 */
export async function installChromium() {
  if (findChromium()) return null;
  const how = "Install Chromium or Chrome (Debian: apt-get install chromium), or set CHROMIUM to one.";
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !fs.existsSync("/usr/bin/apt-get")) return `No Chromium found. ${how}`;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update"], { env, quiet: "updating Debian's package list" });
  const code = await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], {
    env,
    quiet: "installing Debian's chromium",
  });
  return code === 0 && findChromium() ? null : `Installing Debian's chromium failed. ${how}`;
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
