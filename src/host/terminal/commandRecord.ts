import * as z from "zod/mini";
import { newId } from "../../base/ids.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import type { SmallFiles } from "../../ports/eventLog.ts";
import type { HostIdentity } from "../../ports/hostIdentity.ts";

const recordSchema = z.object({
  /** The host that runs them. */
  host: z.string(),
  commands: z.array(z.object({ command: z.string(), startedAt: z.number(), pid: z.int() })),
});

/** A command that another host of the workspace runs. */
export type OtherCommand = z.infer<typeof recordSchema>["commands"][number];

/** Which commands of the workspace run, over its windows. */
export interface CommandRecord {
  /** This host runs these, and no others. */
  keep(commands: readonly OtherCommand[]): Promise<void>;
  /** What other hosts run, by their records; those of hosts that have ended are removed. */
  others(): Promise<readonly OtherCommand[]>;
}

/**
 * Keeps a record of this host's commands in `files`: a window that is gone may leave a host that
 * still runs some, and nobody sees them.
 */
export function openCommandRecord(files: SmallFiles, identity: HostIdentity): CommandRecord {
  const own = newId("commands");
  const writes = new SerialQueue();
  return {
    keep: (commands) =>
      writes.run(async () => {
        const file = files.open(own);
        if (commands.length === 0) await file.remove();
        else await file.write(JSON.stringify({ host: identity.name, commands }));
      }),
    async others() {
      const found: OtherCommand[] = [];
      for (const name of await files.list()) {
        if (name === own) continue;
        const file = files.open(name);
        const text = await file.read().catch(() => null);
        const record = text === null ? null : readRecord(text);
        // A command ends with its host.
        if (record === null || (await identity.hasEnded(record.host))) await file.remove();
        else found.push(...record.commands);
      }
      return found;
    },
  };
}

function readRecord(text: string): z.infer<typeof recordSchema> | null {
  try {
    return z.safeParse(recordSchema, JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
