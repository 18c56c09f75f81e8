import type * as vscode from "vscode";
import { thrownText } from "../../base/text/sentence.ts";
import type { StorageFault } from "../../ports/eventLog.ts";
import { ADOPTED, recordName } from "../../review/storage/recordNames.ts";
import { orNull } from "../workspace/unlessMissing.ts";
import { adoptStorage, type EarlierStorage, removeAdopted } from "./adoptStorage.ts";
import { describeStorage, workspaceStorage } from "./workspaceStorage.ts";

/**
 * The folder with the workspace's chats and proposals, with what earlier versions kept elsewhere;
 * calls `tell` where it cannot be written.
 */
export async function openStorage(
  context: EarlierStorage,
  tell: (fault: StorageFault) => void,
): Promise<vscode.Uri> {
  const storage = await workspaceStorage(context.globalStorageUri);
  try {
    const wasAdopted = await adoptStorage(context, storage, (id) => recordName(ADOPTED, id));
    await describeStorage(storage);
    // Nobody waits for it, and what stays does no harm.
    if (wasAdopted) void orNull(removeAdopted(context, storage));
  } catch (error) {
    const place = storage.scheme === "file" ? storage.fsPath : storage.toString(true);
    tell({ code: "unwritable", what: "chat", place, detail: thrownText(error) });
  }
  return storage;
}
