import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { visibleLine } from "../../base/text/visibleText.ts";
import { CHAT_MODES } from "../../turns/plan/chatMode.ts";
import { t } from "../localize.ts";

/** Lets the user choose how messages of the chat are answered. */
export async function chooseMode(
  chat: Chat,
  agents: readonly { readonly id: string; readonly name: string }[],
): Promise<void> {
  const own = {
    ask: { label: t("Ask"), detail: t("Graft looks and answers. It cannot change anything.") },
    plan: {
      label: t("Plan"),
      detail: t("Graft looks and writes a plan for you to edit and start. Nothing changes."),
    },
    edit: {
      label: t("Edit"),
      detail: t("Graft proposes changes and runs commands, as you allow."),
    },
  };
  const modes = [
    ...CHAT_MODES.map((id) => ({ ...own[id], id })),
    ...agents.map(({ id, name }) => ({ label: visibleLine(name), detail: visibleLine(id), id })),
  ];
  const items = modes.map((mode) => ({
    ...mode,
    description: mode.id === chat.mode ? t("current") : "",
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: t("Mode") });
  if (chosen) chat.setMode(chosen.id);
}
