import * as z from "zod/mini";
import { type GuestDecision, guestDecisionSchema } from "../../agent/guests/guestDecisions.ts";
import type { GuestRecord } from "../../agent/guests/openGuest.ts";
import { newId } from "../../base/ids.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { thrownText } from "../../base/text/sentence.ts";
import type { SmallFile, SmallFiles } from "../../ports/eventLog.ts";
import type { Logger } from "../../ports/logger.ts";
import { editBlockSchema } from "../../turns/editBlock.ts";

/**
 * The record of a guest, beside the decisions that wait for it, which `recordReviews` leaves. What
 * is damaged is set aside, and what cannot be written is lost with the window.
 */
export function guestRecord(files: SmallFiles, chatId: string, logger: Logger): GuestRecord {
  const edits = editsFile(files, chatId);
  const failed = (error: unknown) =>
    logger.error(`The record of another agent failed: ${thrownText(error)}`);
  return {
    takeDecisions: () => takeDecisions(files, chatId),
    async edits() {
      const text = await edits.read().catch(() => null);
      return z.safeParse(z.array(editBlockSchema), parseJson(text ?? "")).data ?? [];
    },
    keep: (all) => edits.write(JSON.stringify(all)).catch(failed),
  };
}

/** Removes all that is kept for a guest. */
export async function forgetGuest(files: SmallFiles, chatId: string): Promise<void> {
  await takeDecisions(files, chatId);
  await editsFile(files, chatId).remove();
}

/** Leaves for a guest that the user took accepted changes of these files back. */
export async function tellRestored(
  files: SmallFiles,
  chatId: string,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const decision: GuestDecision = { path, blocks: [], userDiff: null, restored: true };
    const name = `${chatId}.${Date.now()}-${newId("restored")}.json`;
    await files.open(name).write(JSON.stringify(decision));
  }
}

function editsFile(files: SmallFiles, chatId: string): SmallFile {
  return files.open(`edits-${chatId}.json`);
}

async function takeDecisions(files: SmallFiles, chatId: string): Promise<readonly GuestDecision[]> {
  const names = (await files.list()).filter((name) => name.startsWith(`${chatId}.`));
  const taken: GuestDecision[] = [];
  for (const name of [...names].sort()) {
    const file = files.open(name);
    const text = await file.read();
    const decision = guestDecisionSchema.safeParse(parseJson(text ?? "")).data;
    if (text === null || decision || !file.setAside) await file.remove();
    else await file.setAside();
    if (decision) taken.push(decision);
  }
  return taken;
}
