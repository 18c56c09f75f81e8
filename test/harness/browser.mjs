import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { run } from "./exec.mjs";

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * Finds a Chromium or Chrome: the one that CHROMIUM names, else one that is installed, also by
 * Playwright. @returns {string | null} its path
 */
export function findChromium() {
  const named = process.env.CHROMIUM;
  const all = named ? [named] : [...places, ...playwrightChromiums()];
  return all.find((place) => fs.existsSync(place)) ?? null;
}

/** The newest first, since these fit the newest client. */
function playwrightChromiums() {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? path.join(os.homedir(), PLAYWRIGHT_CACHE);
  const names = fs.existsSync(cache) ? fs.readdirSync(cache) : [];
  return names
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)))
    .flatMap((name) => [
      path.join(cache, name, "chrome-linux64/chrome"),
      path.join(cache, name, "chrome-linux/chrome"),
      path.join(cache, name, "chrome-mac/Chromium.app/Contents/MacOS/Chromium"),
      path.join(cache, name, "chrome-win/chrome.exe"),
    ]);
}
const PLAYWRIGHT_CACHE =
  process.platform === "darwin" ? "Library/Caches/ms-playwright" : ".cache/ms-playwright";

/**
 * Finds a Chromium, or installs Debian's when run as root.
 * @returns {Promise<string | null>} null, or why there is none
 */
export async function installChromium() {
  if (findChromium()) return null;
  const how =
    "Install Chromium or Chrome (Debian: apt-get install chromium), or set CHROMIUM to one.";
  if (process.env.CHROMIUM) return `CHROMIUM names ${process.env.CHROMIUM}, which does not exist.`;
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
  const soon = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20"];
  const quiet = "updating Debian's package list";
  // Without a network it would go on for minutes.
  await run("apt-get", [...soon, "update"], { env, quiet, limitMs: 40_000 });
  const args = [...soon, "install", "-y", "--no-install-recommends", ...packages];
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

/** Chromium heeds only the last list of features: Playwright's own, and what costs processes. */
const DISABLED = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  // Pages for the list under the address bar, which nobody sees, in each window.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  // A process in reserve.
  "SpareRendererForSitePerProcess",
];

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
    `--disable-features=${DISABLED.join(",")}`,
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
