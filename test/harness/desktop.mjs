import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { start } from "./exec.mjs";
import { cacheDir, root } from "./root.mjs";

/**
 * Checks whether a desktop VS Code can be downloaded and shown.
 * @returns {Promise<string | null>} null, or why not
 */
export async function desktopUnavailable() {
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
    return "there is no display";
  if (fs.existsSync(path.join(cacheDir, "vscode-desktop"))) return null;
  try {
    const answer = await fetch("https://update.code.visualstudio.com/api/releases/stable", {
      method: "HEAD",
      signal: AbortSignal.timeout(4000),
    });
    return answer.ok ? null : `VS Code's download host returned ${answer.status}`;
  } catch {
    return "VS Code's download host is unreachable";
  }
}

/** Downloads the desktop VS Code once. @returns {Promise<string>} the path of its program */
export async function downloadDesktop() {
  const { downloadAndUnzipVSCode } = await import("@vscode/test-electron");
  return downloadAndUnzipVSCode({
    version: "stable",
    cachePath: path.join(cacheDir, "vscode-desktop"),
  });
}

/**
 * Opens `workspace` in a desktop VS Code with this checkout as its extension and a temporary
 * profile.
 * @param {string} workspace @returns {Promise<number>} the exit code, once its window is closed
 */
export async function openDesktop(workspace) {
  const program = await downloadDesktop();
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "graft-desktop-"));
  const child = start(program, [
    workspace,
    `--extensionDevelopmentPath=${root}`,
    `--user-data-dir=${path.join(profile, "data")}`,
    `--extensions-dir=${path.join(profile, "extensions")}`,
    "--disable-workspace-trust",
    "--skip-welcome",
    "--wait",
  ]);
  const code = await new Promise((resolve) => child.once("exit", (exit) => resolve(exit ?? 0)));
  fs.rmSync(profile, { recursive: true, force: true });
  return code;
}
