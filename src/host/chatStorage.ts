import * as vscode from "vscode";
import type { EventLogStorage, SmallFiles, StorageFault } from "../ports/eventLog.ts";
import { type GuestJournals, guestJournals } from "../review/storage/guestJournals.ts";
import type { LeaseOptions } from "../review/storage/lease.ts";
import { watchedFiles } from "../review/storage/watchedFiles.ts";
import { watchedLogs } from "../review/storage/watchedLogs.ts";
import { createImageStore, type ImageFiles } from "./context/imageStore.ts";
import type { Host } from "./host.ts";
import { openStorage } from "./storage/openStorage.ts";
import { proposalsFolder } from "./storage/proposalsFolder.ts";
import { storageFaultTeller } from "./storage/storageFaultTeller.ts";
import { type CommandRecord, openCommandRecord } from "./terminal/commandRecord.ts";

/** Where the workspace's chats and proposals are stored. */
export interface ChatStorage {
  readonly folder: vscode.Uri;
  readonly chats: EventLogStorage;
  /** What each chat changed in files, under the chat's name. */
  readonly journals: EventLogStorage;
  /** What each guest changed in files. */
  readonly guestJournals: GuestJournals;
  /** Where decisions wait for the window that has their chat. */
  readonly decisions: SmallFiles;
  readonly proposals: SmallFiles;
  /** Which commands run, by host. */
  readonly commands: CommandRecord;
  readonly images: ImageFiles;
  /** How this window takes what one window has at a time. */
  readonly lease: LeaseOptions;
  /** Tells the user of a fault of the storage, once. */
  tellFault(fault: StorageFault): void;
}

/** Settles when the window answers; never in a host whose browser is gone. */
export const windowAnswers = () =>
  vscode.commands.executeCommand("setContext", "graft.answers", true);

/** Folders are created on demand. */
export async function openChatStorage({ adapters, context, logger }: Host): Promise<ChatStorage> {
  const tellFault = storageFaultTeller(logger);
  const folder = await openStorage(context, tellFault);
  const journals = adapters.eventLogs(vscode.Uri.joinPath(folder, "changes"));
  return {
    folder,
    chats: adapters.eventLogs(vscode.Uri.joinPath(folder, "chats")),
    journals,
    guestJournals: guestJournals(watchedLogs(journals, "changes", tellFault), logger),
    decisions: watchedFiles(
      adapters.smallFiles(vscode.Uri.joinPath(folder, "decisions")),
      "changes",
      tellFault,
    ),
    proposals: adapters.smallFiles(proposalsFolder(folder)),
    commands: openCommandRecord(
      adapters.smallFiles(vscode.Uri.joinPath(folder, "commands")),
      adapters.identity,
    ),
    images: createImageStore(vscode.Uri.joinPath(folder, "images")),
    lease: { host: adapters.identity, alive: windowAnswers },
    tellFault,
  };
}
