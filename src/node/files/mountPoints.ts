import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { contains } from "../processes/gitRepository.ts";

/** Where something is mounted below one of these folders (absolute paths without links). Linux. */
export async function mountPoints(folders: readonly string[]): Promise<readonly string[]> {
  const table = await readFile("/proc/self/mountinfo", "utf8").catch(() => "");
  const points = table.split("\n").map((line) => unescaped(line.split(" ")[4] ?? ""));
  return points.filter((point) =>
    folders.some((folder) => contains(folder, point) && path.resolve(folder) !== point),
  );
}

/** Blanks and the like are octal numbers there (proc(5)). */
function unescaped(point: string): string {
  return point.replace(/\\([0-7]{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
}
