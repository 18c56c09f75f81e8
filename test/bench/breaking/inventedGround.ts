import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { PartRun } from "../../../src/tools/command/findBreakingPart.ts";
import type { FaultGround } from "./searchFault.ts";

/** A check that runs longer, never ends. */
const LONGEST_MS = 60_000;

/** A folder with files; `remove` it. */
export interface BenchFolder extends FaultGround {
  remove(): void;
}

/** A folder in which a command is the check. The files of a project are put into it first. */
export function inventedGround(files: ReadonlyMap<string, string>): BenchFolder {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "graft-fault-"));
  writeFiles(root, files);
  return {
    check(changed) {
      writeFiles(root, changed);
      return runCheck(process.execPath, ["--test"], root);
    },
    read: async (at) => fs.promises.readFile(path.join(root, at), "utf8").catch(() => null),
    remove: () => fs.rmSync(root, { recursive: true }),
  };
}

/** Writes files; null removes one. */
export function writeFiles(root: string, files: ReadonlyMap<string, string | null>): void {
  for (const [name, text] of files) {
    const place = path.join(root, name);
    if (text === null) fs.rmSync(place, { force: true });
    else {
      fs.mkdirSync(path.dirname(place), { recursive: true });
      fs.writeFileSync(place, text);
    }
  }
}

/** Runs a program; null where it never ends. */
export function runCheck(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<PartRun | null> {
  return new Promise((resolve, reject) => {
    const { NODE_OPTIONS: _, ...env } = process.env;
    const child = spawn(program, args, { cwd, env, timeout: LONGEST_MS });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    child.once("error", reject);
    child.once("close", (code) => resolve(code === null ? null : { passed: code === 0, output }));
  });
}
