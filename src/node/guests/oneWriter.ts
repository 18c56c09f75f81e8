import { createHash, randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { pause } from "../../base/pause.ts";
import { err } from "../../base/result.ts";
import type { WriteAccepted } from "../../edits/review/autoReviewer.ts";
import { errorCode } from "../files/systemError.ts";
import { processIdentity } from "../storage/processIdentity.ts";
import { userFolder } from "./userFolder.ts";

/** Milliseconds between two looks at a file that another process writes, and until it is given up. */
const LOOKS_MS = 20;
const PATIENCE_MS = 10_000;

/**
 * `write`, with one process of Graft at a time in each file: between its look at the file and its
 * writing no other one gets in. What a process held that has ended is free.
 */
export function oneWriter(write: WriteAccepted): WriteAccepted {
  return async (snapshot, text) => {
    const { path: name, uri } = snapshot.file;
    try {
      const hash = createHash("sha256").update(uri).digest("hex").slice(0, 32);
      const release = await holdLock(path.join(await userFolder("writes"), hash));
      if (!release) return err({ code: "not-changed", path: name, detail: "EBUSY" });
      try {
        return await write(snapshot, text);
      } finally {
        await release();
      }
    } catch (error) {
      return err({ code: "not-changed", path: name, detail: errorCode(error) || String(error) });
    }
  };
}

async function holdLock(place: string): Promise<(() => Promise<void>) | null> {
  const identity = processIdentity();
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    try {
      await writeFile(place, identity.name, { flag: "wx", mode: 0o600 });
      return () => rm(place, { force: true });
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
    const holder = await readFile(place, "utf8").catch(() => "");
    if (holder !== "" && (await identity.hasEnded(holder))) await free(place, holder);
    else await pause(LOOKS_MS, new AbortController().signal);
  }
  return null;
}

/** Takes away what an ended process left, and nothing that another one wrote in between. */
async function free(place: string, holder: string): Promise<void> {
  const aside = `${place}.${randomUUID().slice(0, 8)}`;
  try {
    await rename(place, aside);
    if ((await readFile(aside, "utf8")) !== holder) await link(aside, place);
  } catch {
    // Another process was faster.
  } finally {
    await rm(aside, { force: true });
  }
}
