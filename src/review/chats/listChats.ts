import * as z from "zod/mini";
import { parseJson } from "../../base/text/parseJson.ts";
import type { EventLogStorage, LogEntry } from "../../ports/eventLog.ts";
import { type ChatSummary, summarizeChat } from "../../turns/chatSummary.ts";

/** A chat of the workspace. */
export interface ListedChat extends ChatSummary {
  readonly chatId: string;
  /** Milliseconds since 1970; 0 when unknown. */
  readonly changedAt: number;
}

const indexSchema = z.record(
  z.string(),
  z.object({ version: z.string(), title: z.string(), requests: z.int() }),
);
type Index = z.infer<typeof indexSchema>;

/**
 * All stored chats, the latest first. An index file avoids reading unchanged chats; a missing or
 * damaged one is rebuilt.
 */
export async function listChats(storage: EventLogStorage): Promise<readonly ListedChat[]> {
  const [entries, known] = await Promise.all([storage.list(), readIndex(storage)]);
  const index: Index = {};
  for (const entry of entries) index[entry.name] = await indexed(storage, entry, known[entry.name]);
  if (JSON.stringify(index) !== JSON.stringify(known)) {
    // The index is only a cache: without it the chats are read again next time.
    await storage.index.write(JSON.stringify(index)).catch(() => undefined);
  }
  return entries
    .map(({ name, changedAt }) => ({
      chatId: name,
      changedAt,
      title: index[name]?.title ?? "",
      requests: index[name]?.requests ?? 0,
    }))
    .reverse();
}

async function indexed(
  storage: EventLogStorage,
  { name, version }: LogEntry,
  known: Index[string] | undefined,
): Promise<Index[string]> {
  if (known && version !== "" && known.version === version) return known;
  const lines = await storage
    .open(name)
    .read()
    .catch(() => []);
  return { version, ...summarizeChat(lines) };
}

async function readIndex({ index }: EventLogStorage): Promise<Index> {
  const text = await index.read().catch(() => null);
  return indexSchema.safeParse(parseJson(text ?? "")).data ?? {};
}
