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
  const how =
    "Install Chromium or Chrome (Debian: apt-get install chromium), or set CHROMIUM to one.";
  if (!canInstallDebian()) return `No Chromium found. ${how}`;
  return (await installDebian(["chromium"])) && findChromium()
    ? null
    : `Installing Debian's chromium failed. ${how}`;
}

/**
 * Installs Debian's packages. @param {string[]} packages @returns {Promise<boolean>} false where
 * that failed
 */
export async function installDebian(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update"], { env, quiet: "updating Debian's package list" });
  const args = ["install", "-y", "--no-install-recommends", ...packages];
  return (
    (await run("apt-get", args, { env, quiet: `installing Debian's ${packages.join(", ")}` })) === 0
  );
}

/** True where {@link installDebian} may install something. */
export function canInstallDebian() {
  return (
    process.platform === "linux" && process.getuid?.() === 0 && fs.existsSync("/usr/bin/apt-get")
  );
}

/**
 * Starts a headless Chromium, with further `args`; the caller closes it. @param {readonly string[]}
 * [more]
 */
export async function launchChromium(more = []) {
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
    ...more,
  ];
  // A busy machine takes its time.
  return chromium.launch({ executablePath, headless: true, args, timeout: 120_000 });
}

/**
 * Reloads a page of VS Code, as a user would, whose extension host did not start within a minute:
 * VS Code only logs that, and leaves the window without extensions.
 * @param {import("playwright-core").BrowserContext} context
 */
export function reloadWithoutHost(context) {
  context.on("console", (message) => {
    if (!message.text().includes("Error received from starting extension host")) return;
    message
      .page()
      ?.reload()
      .catch(() => undefined);
  });
}
