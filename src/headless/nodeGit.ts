import { copyFile, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { err, ok } from "../base/result.ts";
import { untilAborted } from "../base/untilAborted.ts";
import type { Git } from "../ports/git.ts";
import { childEnvironment } from "./childEnvironment.ts";
import { startChild } from "./childProcess.ts";
import { errorCode } from "./errorCode.ts";
import { programOnPath } from "./programOnPath.ts";

/** How much of an output is kept, in UTF-16 units. */
const MAX_OUTPUT = 4_000_000;

/** How long another git may have the index locked before a commit is refused, and the wait between two looks, in milliseconds. */
const LOCK_MS = 2_000;
const LOCK_LOOK_MS = 100;

/** The git on the PATH. */
export function createNodeGit(): Git {
  return {
    async run(args, cwd, input, signal, index) {
      if (!cwd.uri.startsWith("file:")) return err("This folder is not on the disk of this machine, so git cannot look at it.");
      const file = await programOnPath("git");
      if (file === null) return err("git was not found on the PATH. Is git installed?");
      const stdout = new OutputStart();
      const stderr = new OutputStart();
      const child = await startChild({
        file,
        args,
        cwd: fileURLToPath(cwd.uri),
        env: { ...gitEnvironment(), ...(index !== undefined && { GIT_INDEX_FILE: index }) },
        input,
        verbatim: false,
        onStdout: (text) => stdout.add(text),
        onStderr: (text) => stderr.add(text),
      });
      if (!child.ok) return err(child.error);
      const exit = await untilAborted(child.value.exited, signal);
      if (!exit.ok) {
        await child.value.kill();
        return err("git was stopped before it was done.");
      }
      const { code } = exit.value;
      if (code === null) return err(`git was ended by ${exit.value.signal ?? "the system"}.`);
      return ok({ code, stdout: stdout.text, stderr: stderr.text, truncated: stdout.truncated });
    },
    async withIndexCopy(index, work) {
      const lock = `${index}.lock`;
      if (await isLocked(lock))
        return err(
          `Another git has locked the index, so nothing was committed. Wait until it is done. If none runs, one was killed and left ${lock} behind, which the user can delete.`,
        );
      const folder = await mkdtemp(path.join(tmpdir(), "graft-index-"));
      try {
        const copy = path.join(folder, "index");
        const failure = await copyIndex(index, copy);
        return failure === null ? ok(await work(copy)) : err(failure);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** A commit on a copy would pass a lock by, and the index could not be brought up to it. Editors lock it for moments. */
async function isLocked(lock: string): Promise<boolean> {
  for (let waited = 0; await exists(lock); waited += LOCK_LOOK_MS) {
    if (waited >= LOCK_MS) return true;
    await new Promise((resolve) => setTimeout(resolve, LOCK_LOOK_MS));
  }
  return false;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Null, or a sentence that says why there is no copy. */
async function copyIndex(from: string, to: string): Promise<string | null> {
  try {
    // Git takes a file for unchanged that is older than the index, so the copy must not be younger. https://git-scm.com/docs/racy-git
    const { mtime } = await stat(from);
    await copyFile(from, to);
    await utimes(to, mtime, Math.floor(mtime.getTime() / 1000));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") return `The repository's index cannot be copied: ${String(error)}.`;
  }
  return null;
}

class OutputStart {
  text = "";
  truncated = false;

  add(text: string): void {
    const room = MAX_OUTPUT - this.text.length;
    this.text += text.slice(0, room);
    if (text.length > room) this.truncated = true;
  }
}

/** In a hook of another repository git finds these set, and would work on that one. Questions end at once: there is nobody to answer. */
function gitEnvironment(): Record<string, string | undefined> {
  const kept = Object.entries(childEnvironment()).filter(
    ([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|PREFIX|OBJECT_DIRECTORY|NAMESPACE|CEILING_DIRECTORIES|CONFIG.*)$/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_EDITOR: "true",
    GIT_ASKPASS: "true",
    SSH_ASKPASS: "true",
    GIT_LITERAL_PATHSPECS: "1",
  };
}
