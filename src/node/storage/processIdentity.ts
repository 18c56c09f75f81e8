import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { HostIdentity } from "../../ports/hostIdentity.ts";
import { errorCode } from "../files/systemError.ts";

/** Names this process, so that another one of this machine can tell whether it still runs. */
export function processIdentity(): HostIdentity {
  const isLinux = process.platform === "linux";
  const place = isLinux ? processNamespace() : hostname();
  const mark = isLinux ? startOf(process.pid) : randomUUID();
  return {
    name: `${place} ${process.pid} ${mark}`,
    async hasEnded(other) {
      const [, otherPlace, pid, otherMark] = /^(.+) (\d+) (\S+)$/.exec(other) ?? [];
      if (otherPlace !== place) return false;
      try {
        if (isLinux) return startOf(Number(pid)) !== otherMark;
        process.kill(Number(pid), 0);
        return false;
      } catch (error) {
        return ["ENOENT", "ESRCH"].includes(errorCode(error));
      }
    },
  };
}

/** Where a process number means one process: this start of the system, and the container. */
function processNamespace(): string {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
}

/** When a process began, since numbers are used again; "" for one that has ended. */
function startOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The program's name, in parentheses, may hold blanks and parentheses.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return state === "Z" || state === "X" ? "" : (fields[18] ?? "");
}
