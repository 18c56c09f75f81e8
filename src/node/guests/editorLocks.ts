import { randomBytes, randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../../base/text/parseJson.ts";
import { processIdentity } from "../storage/processIdentity.ts";
import { userFolder } from "./userFolder.ts";

const FOLDER = "editors";
/** The longest address of a socket that every system takes, in bytes. */
const MAX_ADDRESS = 100;

const lockSchema = z.object({
  /** The workspace folder, absolute and free of links. */
  folder: z.string(),
  /** The editor's process, see `HostIdentity`. */
  process: z.string(),
  /** A socket, or on Windows a named pipe. */
  address: z.string(),
  token: z.string(),
});

/** Where an editor listens for guests. */
export type EditorLock = z.infer<typeof lockSchema>;

/** A lock that is not written yet. Rejects where its address would be too long for a socket. */
export async function newLock(folder: string): Promise<EditorLock> {
  const id = randomUUID();
  const name = id.slice(0, 8);
  const address =
    process.platform === "win32"
      ? `\\\\.\\pipe\\graft-${id}`
      : path.join(await userFolder(FOLDER), `${name}.sock`);
  if (Buffer.byteLength(address) > MAX_ADDRESS)
    throw new Error(`${address} is too long for the address of a socket`);
  const token = randomBytes(32).toString("base64url");
  return { folder, process: processIdentity().name, address, token };
}

/**
 * Lets guests find an editor; only this user's can. Settles with what takes the lock away. Takes
 * away those of editors that have ended.
 */
export async function writeLock(lock: EditorLock): Promise<() => Promise<void>> {
  await knownEditors();
  const file = path.join(await userFolder(FOLDER), `${randomUUID()}.json`);
  await writeFile(file, JSON.stringify(lock), { flag: "wx", mode: 0o600 });
  return () => removeLock(file, lock);
}

/** The editors that left a lock. Those whose process has ended are forgotten. */
export async function knownEditors(): Promise<readonly EditorLock[]> {
  const identity = processIdentity();
  const locks = await userFolder(FOLDER).catch(() => null);
  if (locks === null) return [];
  const names = (await readdir(locks)).filter((name) => name.endsWith(".json"));
  const found: EditorLock[] = [];
  for (const name of names.sort()) {
    const file = path.join(locks, name);
    const text = await readFile(file, "utf8").catch(() => "");
    const lock = lockSchema.safeParse(parseJson(text)).data;
    if (!lock) continue;
    if (await identity.hasEnded(lock.process)) await removeLock(file, lock);
    else found.push(lock);
  }
  return found;
}

async function removeLock(file: string, { address }: EditorLock): Promise<void> {
  await rm(file, { force: true });
  if (process.platform !== "win32" && path.dirname(address) === path.dirname(file))
    await rm(address, { force: true });
}
