import fs from "node:fs";
import path from "node:path";
import type { Workbench } from "../ui/workbench.ts";

/**
 * Kills the extension hosts of this workbench as a crash would, and no other's; at least one must
 * run.
 */
export function killExtensionHost({ folder }: Workbench): void {
  const home = `HOME=${path.dirname(folder)}`;
  const hosts = fs.readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || !read(pid, "cmdline").includes("--type=extensionHost")) return false;
    return read(pid, "environ").split("\0").includes(home);
  });
  if (hosts.length === 0) throw new Error("This window has no extension host.");
  for (const pid of hosts) process.kill(Number(pid), "SIGKILL");
}

function read(pid: string, what: "cmdline" | "environ"): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${what}`, "utf8");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}
