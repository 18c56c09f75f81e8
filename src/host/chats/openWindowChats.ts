import * as vscode from "vscode";
import { Chat } from "../../agent/chat/chat.ts";
import type { ChatOptions } from "../../agent/chatOptions.ts";
import { ChangeJournal } from "../../edits/history/changeJournal.ts";
import type { RecordedText } from "../../edits/history/journalFiles.ts";
import type { EventLogStorage } from "../../ports/eventLog.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Memory } from "../../ports/memory.ts";
import { OpenChats } from "../../review/chats/openChats.ts";
import type { LeaseOptions } from "../../review/storage/lease.ts";
import { t } from "../localize.ts";

interface Sources {
  readonly storage: EventLogStorage;
  /** The file changes of each chat, under the chat's name. */
  readonly journals: EventLogStorage;
  readonly memory: Memory;
  readonly lease: LeaseOptions;
  readonly logger: Logger;
  /** What a chat works with; `record` takes what its tools do to files. */
  options(
    chatId: string,
    record: (change: RecordedText) => void,
  ): Omit<ChatOptions, "chatId" | "log" | "journal">;
  /** The user stopped a turn. */
  stopped(turnId: string): void;
}

/** Opens the chat that the window shows, and later others. */
export function openWindowChats({
  storage,
  journals,
  memory,
  lease,
  logger,
  options,
  stopped,
}: Sources): Promise<OpenChats<Chat>> {
  return OpenChats.open({
    storage,
    memory,
    lease,
    async openChat(chatId, log, guard) {
      const journal = new ChangeJournal(guard(journals.open(chatId)), logger);
      const own = options(chatId, (change) => chat.recordChange(change));
      const chat: Chat = await Chat.open({ ...own, chatId, log, journal });
      chat.onEvent((event) => {
        if (event.type === "turn-end" && event.reason === "cancelled") stopped(event.turnId);
      });
      return chat;
    },
    asking(answered) {
      const shown = answered.catch(() => undefined);
      vscode.window.setStatusBarMessage(
        t("Waiting for the window that has your last chat…"),
        shown,
      );
    },
    taken(chatId) {
      const here = t("Open here");
      void vscode.window
        .showInformationMessage(t("Your chat is open in another window."), here)
        .then((chosen) => {
          if (chosen === here) void vscode.commands.executeCommand("graft.openEarlierChat", chatId);
        });
    },
  });
}
