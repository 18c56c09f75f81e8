import * as vscode from "vscode";
import type { StorageFault } from "../../ports/eventLog.ts";
import type { Logger } from "../../ports/logger.ts";
import { t } from "../localize.ts";
import { storageFaultMessage } from "./messages.ts";

/** Tells the user of each fault of the storage once. */
export function storageFaultTeller(logger: Logger): (fault: StorageFault) => void {
  const told = new Set<string>();
  return (fault) => {
    const key = `${fault.code} ${fault.what} ${fault.place}`;
    if (told.has(key)) return;
    told.add(key);
    logger.error(`Storage: ${key}: ${fault.detail}`);
    void vscode.window.showWarningMessage(storageFaultMessage(t, fault));
  };
}
