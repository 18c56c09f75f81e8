import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import type { OpenChats } from "../../review/chats/openChats.ts";
import { DEFAULT_MODE } from "../../turns/plan/chatMode.ts";
import { planText } from "../../turns/plan/planText.ts";
import type { Host } from "../host.ts";
import { t } from "../localize.ts";
import { planMessage, planRequest } from "./messages.ts";
import type { PlanFiles } from "./planFiles.ts";

/** What the user can do with the plan that a turn ended with. */
export interface Plans {
  /** Opens the plan in the editor, and writes it again where its file is gone. */
  open(turnId: string): Promise<void>;
  /** Has the plan carried out as the user left it, in Edit mode. */
  start(turnId: string, isNewChat: boolean): Promise<void>;
}

/** Keeps each plan as soon as its turn ends. */
export function openPlans(
  { run, stack }: Pick<Host, "run" | "stack">,
  chats: OpenChats<Chat>,
  files: PlanFiles,
): Plans {
  const textOf = (chat: Chat, turnId: string) => planText(chat.tree.turns.get(turnId));
  stack.add(
    chats.each((chat) =>
      chat.onEvent(({ type, turnId }) => {
        const text = type === "turn-end" ? textOf(chat, turnId) : null;
        if (text !== null) run("Keeping the plan", files.write(chat.chatId, turnId, text));
      }),
    ),
  );
  const plans: Plans = {
    async open(turnId) {
      const chat = chats.ofTurn(turnId);
      const text = chat && textOf(chat, turnId);
      if (!chat || text === null) return;
      await files.write(chat.chatId, turnId, text);
      const document = await files.open(chat.chatId, turnId);
      if (document) await vscode.window.showTextDocument(document, { preview: false });
    },
    async start(turnId, isNewChat) {
      const chat = chats.ofTurn(turnId);
      if (!chat || textOf(chat, turnId) === null) return;
      const document = await files.open(chat.chatId, turnId);
      const text = document?.getText().trim() ?? null;
      if (text === null || text === "") {
        const again = t("Write It Again");
        const problem = text === null ? "gone" : "empty";
        const choices = text === null ? [again] : [];
        const chosen = await vscode.window.showErrorMessage(planMessage(t, problem), ...choices);
        if (chosen === again) await plans.open(turnId);
        return;
      }
      if (document?.isDirty) await document.save();
      const started = isNewChat ? await chats.startNew() : chat;
      started.setMode(DEFAULT_MODE);
      await started.send(planRequest(text));
    },
  };
  return plans;
}
