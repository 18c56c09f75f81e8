import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import * as path from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../../base/text/parseJson.ts";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { EventLog, EventLogStorage } from "../../ports/eventLog.ts";
import { userFolder } from "../guests/userFolder.ts";
import { createNodeEventLogStorage } from "../storage/nodeEventLog.ts";

/** The most chats that are kept of a folder, and that are listed. */
const MOST_KEPT = 100;
const MOST_TITLE = 100;

const folderSchema = z.object({ cwd: z.string() });
const askedSchema = z.object({
  type: z.literal("turn-start"),
  role: z.literal("user"),
  text: z.string(),
});

/** A chat of an earlier run. */
export interface EarlierSession {
  readonly sessionId: string;
  readonly cwd: string;
  /** What was asked first, on one line. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** The log of a chat in the folder `cwd`; the oldest ones there are removed. */
export async function sessionLog(cwd: string, sessionId: string): Promise<EventLog> {
  const storage = await storageOf(cwd);
  const logs = await storage.list();
  for (const { name } of logs.slice(0, Math.max(0, logs.length - MOST_KEPT + 1)))
    if (name !== sessionId) await storage.remove(name);
  await storage.index.write(JSON.stringify({ cwd }));
  return storage.open(sessionId);
}

/** The chats of the folder `cwd`, or of all folders, the latest first. */
export async function earlierSessions(cwd: string | null): Promise<readonly EarlierSession[]> {
  const top = await userFolder("chats");
  const storages =
    cwd === null
      ? (await readdir(top)).map((name) => createNodeEventLogStorage(path.join(top, name)))
      : [await storageOf(cwd)];
  const found = await Promise.all(storages.map(sessionsIn));
  return found
    .flat()
    .sort((a, b) => b.changedAt - a.changedAt)
    .slice(0, MOST_KEPT);
}

async function sessionsIn(storage: EventLogStorage): Promise<readonly EarlierSession[]> {
  const folder = folderSchema.safeParse(
    parseJson((await storage.index.read().catch(() => null)) ?? ""),
  ).data;
  if (!folder) return [];
  const logs = (await storage.list()).slice(-MOST_KEPT);
  const sessions = await Promise.all(
    logs.map(async ({ name: sessionId, changedAt }) => {
      const title = titleOf(
        await storage
          .open(sessionId)
          .read()
          .catch(() => []),
      );
      return title === null ? [] : [{ sessionId, cwd: folder.cwd, title, changedAt }];
    }),
  );
  return sessions.flat();
}

/** Null where nothing was asked. */
function titleOf(lines: readonly string[]): string | null {
  for (const line of lines) {
    const asked = askedSchema.safeParse(parseJson(line)).data;
    if (asked) return visibleLine(asked.text.trim().split("\n")[0] ?? "").slice(0, MOST_TITLE);
  }
  return null;
}

async function storageOf(cwd: string): Promise<EventLogStorage> {
  const name = createHash("sha256").update(cwd).digest("hex").slice(0, 32);
  return createNodeEventLogStorage(path.join(await userFolder("chats"), name));
}
