import fs from "node:fs";
import path from "node:path";
import type { Workbench } from "../ui/workbench.ts";

/** Kills the extension hosts of this workbench as a crash would. */
export function killExtensionHost(workbench: Workbench): void {
  signalExtensionHost(workbench, "SIGKILL");
}

/** Has the extension hosts of this workbench do nothing more, as one that is busy. */
export function holdExtensionHost(workbench: Workbench): void {
  signalExtensionHost(workbench, "SIGSTOP");
}

/** No other's; at least one must run. */
function signalExtensionHost({ folder }: Workbench, signal: NodeJS.Signals): void {
  const home = `HOME=${path.dirname(folder)}`;
  const hosts = fs.readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || !read(pid, "cmdline").includes("--type=extensionHost")) return false;
    return read(pid, "environ").split("\0").includes(home);
  });
  if (hosts.length === 0) throw new Error("This window has no extension host.");
  for (const pid of hosts) process.kill(Number(pid), signal);
}

function read(pid: string, what: "cmdline" | "environ"): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${what}`, "utf8");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}
