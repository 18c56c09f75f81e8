import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { npm, SOON } from "./dependencies.mjs";
import { kill, run, start } from "./exec.mjs";
import { cacheDir, root, version } from "./root.mjs";

const LATEST = "4.139.1";
/**
 * The tested versions of code-server, each with the Node.js version it needs. 4.103 is VS Code
 * 1.103.
 * @type {Readonly<Record<string, string>>}
 */
const NODES = { [LATEST]: "24.21.0", "4.103.2": "22.23.3" };
/**
 * For older versions: prebuilt packages in place of those that install scripts would compile or
 * download.
 */
const BUILT = {
  server: { argon2: "0.44.0" },
  vscode: ["node-pty@1.2.0-beta.15", "@vscode/ripgrep@1.18.0"],
};

/** The version of code-server to run: the latest, or GRAFT_CODE_SERVER. */
export const CODE_SERVER = process.env.GRAFT_CODE_SERVER || LATEST;
const NODE = NODES[CODE_SERVER];
const isLatest = CODE_SERVER === LATEST;
const nodePackage = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
const dir = path.join(cacheDir, `code-server-${CODE_SERVER}`);
const node = path.join(dir, "node_modules", nodePackage, "bin/node");
const entry = path.join(dir, "node_modules/code-server/out/node/entry.js");

/**
 * Installs VS Code (code-server from npm) into the cache, if it is missing.
 * @returns {Promise<string | null>} null, or why it is not available
 */
export async function installCodeServer() {
  if (!NODE)
    return `GRAFT_CODE_SERVER=${CODE_SERVER} is not supported. Use one of ${Object.keys(NODES).join(", ")}.`;
  if (process.platform !== "linux")
    return `code-server from npm runs on Linux only; this is ${process.platform}.`;
  const flags = [
    "install",
    "--no-save",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    ...SOON,
  ];
  const vscode = path.join(dir, "node_modules/code-server/lib/vscode");
  const steps = [
    {
      name: "server",
      cwd: dir,
      // Both packages in one command: a second install in the same folder would delete what the
      // next steps add.
      args: [...flags, `${nodePackage}@${NODE}`, `code-server@${CODE_SERVER}`],
      what: `downloading VS Code (code-server ${CODE_SERVER}, about 800 MB unpacked, once)`,
    },
    {
      name: "packages",
      cwd: vscode,
      args: [...flags, "--omit=dev", ...(isLatest ? [] : BUILT.vscode)],
      what: "installing VS Code's own packages",
    },
    {
      name: "extensions",
      cwd: path.join(vscode, "extensions"),
      args: [...flags, "--omit=dev"],
      what: "installing the packages of its built-in extensions",
    },
  ];
  for (const { name, cwd, args, what } of steps) {
    const stamp = path.join(dir, `.${name}-${CODE_SERVER}-${NODE}`);
    if (fs.existsSync(stamp)) continue;
    if (name === "server") {
      fs.rmSync(dir, { recursive: true, force: true });
      fs.mkdirSync(dir, { recursive: true });
      const overrides = isLatest ? {} : BUILT.server;
      fs.writeFileSync(
        path.join(dir, "package.json"),
        JSON.stringify({ name: "graft-vscode", private: true, overrides }),
      );
    }
    if ((await run(npm, args, { cwd, quiet: what })) !== 0)
      return "npm could not install code-server. Its output is above.";
    fs.writeFileSync(stamp, "");
  }
  return null;
}

/** Finds a free TCP port. @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === "object"
          ? resolve(address.port)
          : reject(new Error("no port")),
      );
    });
  });
}

/**
 * Creates a temporary home for one run: settings, extensions, and a workspace copied from
 * `workspace`.
 * @param {{ settings?: Record<string, unknown>, workspace?: string }} [options]
 */
export function createProfile({ settings = {}, workspace } = {}) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "graft-"));
  for (const folder of ["data/User", "extensions", "tmp", "workspace"])
    fs.mkdirSync(path.join(home, folder), { recursive: true });
  fs.writeFileSync(path.join(home, "config.yaml"), "");
  if (workspace) fs.cpSync(workspace, path.join(home, "workspace"), { recursive: true });
  const quiet = {
    "workbench.startupEditor": "none",
    "security.workspace.trust.enabled": false,
    "telemetry.telemetryLevel": "off",
    "workbench.tips.enabled": false,
    "chat.commandCenter.enabled": false,
    "chat.disableAIFeatures": true,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "extensions.autoCheckUpdates": false,
    "extensions.autoUpdate": false,
    "extensions.ignoreRecommendations": true,
    "git.enabled": false,
    "files.autoSave": "off",
    // One server for TypeScript, which downloads nothing.
    "typescript.tsserver.useSyntaxServer": "never",
    "typescript.disableAutomaticTypeAcquisition": true,
  };
  const set = (/** @type {Record<string, unknown>} */ more) =>
    fs.writeFileSync(
      path.join(home, "data/User/settings.json"),
      JSON.stringify({ ...quiet, ...settings, ...more }, null, 2),
    );
  set({});
  return {
    home,
    /** Sets the user's settings to the initial ones and `more`. */
    set,
    workspace: path.join(home, "workspace"),
    remove: () => fs.rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** @typedef {ReturnType<typeof createProfile>} Profile */

/** Where extensions that this process installed were copied to, and for which profile. @type {Map<string, { copy: string, home: string }>} */
const installed = new Map();
process.on("exit", () => {
  for (const { copy } of installed.values()) fs.rmSync(copy, { recursive: true, force: true });
});

/** @param {Profile} profile @param {NodeJS.ProcessEnv} [env] */
function environment(profile, env = {}) {
  const tmp = path.join(profile.home, "tmp");
  return { ...process.env, HOME: profile.home, TMPDIR: tmp, XDG_RUNTIME_DIR: tmp, ...env };
}

/** @param {Profile} profile */
function folders(profile) {
  const at = (/** @type {string} */ name) => path.join(profile.home, name);
  return [
    "--config",
    at("config.yaml"),
    "--user-data-dir",
    at("data"),
    "--extensions-dir",
    at("extensions"),
  ];
}

/**
 * Installs a packed extension into a profile. The first profile of a process installs it; the
 * others get a copy of what was installed.
 * @param {Profile} profile @param {string} vsix
 */
export async function installExtension(profile, vsix) {
  const target = path.join(profile.home, "extensions");
  const { mtimeMs } = fs.statSync(vsix);
  const key = `${vsix} ${mtimeMs}`;
  // VS Code lists what lies in the folder when it installs for the first time.
  const isAlone = fs.readdirSync(target).length === 0;
  const kept = isAlone ? installed.get(key) : undefined;
  if (!kept) {
    const code = await run(node, [entry, ...folders(profile), "--install-extension", vsix], {
      env: environment(profile),
      quiet: `installing ${path.basename(vsix)} into VS Code`,
    });
    if (code !== 0) throw new Error(`code-server could not install ${vsix}`);
    if (!isAlone) return;
    const copy = fs.mkdtempSync(path.join(os.tmpdir(), "graft-installed-"));
    fs.cpSync(target, copy, { recursive: true, verbatimSymlinks: true });
    installed.set(key, { copy, home: profile.home });
    return;
  }
  fs.cpSync(kept.copy, target, { recursive: true, verbatimSymlinks: true });
  const list = path.join(target, "extensions.json");
  // VS Code's list names the folder of each extension.
  fs.writeFileSync(list, fs.readFileSync(list, "utf8").replaceAll(kept.home, profile.home));
}

/** Links this checkout into a profile as its extension. @param {Profile} profile */
export function linkExtension(profile) {
  fs.symlinkSync(
    root,
    path.join(profile.home, "extensions", `graft-edits.graft-${version}`),
    "dir",
  );
}

/**
 * Starts VS Code on loopback and waits until it is ready.
 * @param {Profile} profile @param {{ env?: NodeJS.ProcessEnv, tests?: boolean, trust?: boolean,
 * port?: number }} [options]
 *   `tests` lets a page start extension tests; `trust` keeps Workspace Trust on.
 */
export async function startCodeServer(
  profile,
  { env = {}, tests = false, trust = false, port } = {},
) {
  const chosen = port ?? (await freePort());
  const log = fs.createWriteStream(path.join(profile.home, "server.log"));
  const args = [
    "--auth",
    "none",
    "--bind-addr",
    `127.0.0.1:${chosen}`,
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-getting-started-override",
    "--ignore-last-opened",
  ];
  if (!trust) args.push("--disable-workspace-trust");
  // Older versions neither have nor need it.
  if (tests && isLatest) args.push("--vscode-option", "enable-smoke-test-driver");
  const child = start(node, [entry, ...folders(profile), ...args], {
    env: environment(profile, env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout?.pipe(log);
  child.stderr?.pipe(log);
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const url = `http://127.0.0.1:${chosen}`;
  const deadline = Date.now() + 150_000;
  for (;;) {
    if (child.exitCode !== null || Date.now() > deadline) {
      kill(child, "SIGKILL");
      throw new Error(
        `code-server did not start:\n${fs.readFileSync(path.join(profile.home, "server.log"), "utf8")}`,
      );
    }
    const healthy = await fetch(`${url}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (healthy) break;
    await delay(100);
  }
  return {
    url,
    authority: `127.0.0.1:${chosen}`,
    exited,
    port: chosen,
    /** Kills the server and all its processes, as a crash of the machine would. */
    async crash() {
      kill(child, "SIGKILL");
      await exited;
      log.end();
    },
    /** Stops the server and all its processes. */
    async stop() {
      kill(child, "SIGTERM");
      const force = setTimeout(() => kill(child, "SIGKILL"), 5000);
      await exited;
      clearTimeout(force);
      log.end();
    },
  };
}
