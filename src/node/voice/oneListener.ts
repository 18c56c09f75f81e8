import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { userFolder } from "../guests/userFolder.ts";

const FOLDER = "voice";
/** The time limit for another window to answer, in milliseconds. */
const ANSWER_MS = 2_000;

/** Where a window with an open microphone is asked to close it. */
interface Listener {
  readonly url: string;
  readonly token: string;
}

/**
 * Makes `listener` the only one of this user on this machine: asks all others to stop. Settles with
 * what forgets it, once all have answered. Two that begin at the same moment stop each other.
 */
export async function listenAlone({ url, token }: Listener): Promise<() => void> {
  const folder = await userFolder(FOLDER).catch(() => null);
  // Without a folder no window can know of another.
  if (folder === null) return () => undefined;
  const own = randomUUID();
  await writeFile(path.join(folder, own), `${url}\n${token}`, { flag: "wx", mode: 0o600 });
  const others = (await readdir(folder)).filter((name) => name !== own);
  await Promise.all(others.map((name) => askToStop(path.join(folder, name))));
  return () => void rm(path.join(folder, own), { force: true });
}

/** Asks the listener of a file to stop. Removes the file of one that is gone. */
async function askToStop(file: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => "");
  const [url = "", authorization] = text.split("\n");
  // A file that is being written has no token yet.
  if (!URL.canParse(url) || authorization === undefined) return;
  const headers = { authorization };
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(`${url}stop`, { method: "POST", headers, signal }).catch(() => null);
  if (answer?.status !== 204) await rm(file, { force: true });
}
