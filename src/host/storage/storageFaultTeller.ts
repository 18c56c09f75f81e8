import * as vscode from "vscode";
import type { StorageFault } from "../../ports/eventLog.ts";
import type { Logger } from "../../ports/logger.ts";
import { moreSetAsideMessage, storageFaultMessage } from "../../review/storage/messages.ts";
import { t } from "../localize.ts";

/** The most faults of one kind that the user is told of one by one. */
const MOST_TOLD = 3;

/**
 * Tells the user of each fault of the storage once; of a full disk in one sentence, and in one of
 * all that cannot be read in a folder that cannot be written either.
 */
export function storageFaultTeller(logger: Logger): (fault: StorageFault) => void {
  const told = new Set<string>();
  const unwritable: string[] = [];
  const counts = new Map<StorageFault["code"], number>();
  return (fault) => {
    const key = `${fault.code} ${fault.what} ${fault.place}`;
    const isInFolder = unwritable.some((place) => fault.place.startsWith(place));
    if (fault.code === "unwritable") unwritable.push(fault.place);
    const isOneOfMany = fault.code === "unwritable" || (fault.code === "unreadable" && isInFolder);
    const once = isOneOfMany ? fault.code : key;
    if (!told.has(key)) logger.error(`Storage: ${key}: ${fault.detail}`);
    const isTold = told.has(once);
    told.add(key).add(once);
    if (isTold) return;
    const count = (counts.get(fault.code) ?? 0) + 1;
    counts.set(fault.code, count);
    if (count <= MOST_TOLD) void vscode.window.showWarningMessage(storageFaultMessage(t, fault));
    else if (count === MOST_TOLD + 1) void vscode.window.showWarningMessage(moreSetAsideMessage(t));
  };
}
