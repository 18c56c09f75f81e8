import * as vscode from "vscode";
import { Chat } from "../../agent/chat/chat.ts";
import type { ChatOptions } from "../../agent/chatOptions.ts";
import { ChangeJournal, type FileChange } from "../../edits/history/changeJournal.ts";
import type { EventLogStorage } from "../../ports/eventLog.ts";
import type { Memory } from "../../ports/memory.ts";
import { t } from "../localize.ts";
import type { LeaseOptions } from "../storage/lease.ts";
import { CurrentChat } from "./currentChat.ts";

interface Sources {
  readonly storage: EventLogStorage;
  /** The file changes of each chat, under the chat's name. */
  readonly journals: EventLogStorage;
  readonly memory: Memory;
  readonly lease: LeaseOptions;
  /** Shared by all chats. */
  readonly options: Omit<ChatOptions, "chatId" | "log" | "journal">;
  /** A chat changed a file. */
  changed(change: FileChange, journal: ChangeJournal): void;
  /** The user stopped a turn. */
  stopped(turnId: string): void;
}

/** Opens the chat that the window shows, and later the chats that replace it. */
export function openChats({
  storage,
  journals,
  memory,
  lease,
  options,
  changed,
  stopped,
}: Sources): Promise<CurrentChat<Chat>> {
  return CurrentChat.open({
    storage,
    memory,
    lease,
    async open(chatId, log, guard) {
      const journal = new ChangeJournal(guard(journals.open(chatId)), options.logger, changed);
      const chat = await Chat.open({ ...options, chatId, log, journal });
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
        .showInformationMessage(t("Your last chat is open in another window."), here)
        .then((chosen) => {
          if (chosen === here) void vscode.commands.executeCommand("graft.openEarlierChat", chatId);
        });
    },
  });
}
