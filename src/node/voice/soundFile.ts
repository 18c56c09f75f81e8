import { appendFile, mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { SerialQueue } from "../../base/serialQueue.ts";
import type { KeptSound } from "../../ports/audioLine.ts";

/** The most that is kept, in bytes: ten minutes, which is also the longest message. */
const MAX_BYTES = 30_000_000;

/** Keeps sound in a file of the user's own, piece by piece, so that it outlives this process. */
export function openSoundFile(path: string, failed: (reason: unknown) => void): KeptSound {
  const queue = new SerialQueue();
  let length = 0;
  const later = (task: () => Promise<unknown>) => void queue.run(task).catch(failed);
  return {
    keep(pcm) {
      if (length + pcm.byteLength > MAX_BYTES) return;
      length += pcm.byteLength;
      const bytes = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
      later(async () => {
        await mkdir(dirname(path), { recursive: true });
        await appendFile(path, bytes, { mode: 0o600 });
      });
    },
    forget(after) {
      length = 0;
      later(async () => {
        await after;
        await rm(path, { force: true });
      });
    },
  };
}
