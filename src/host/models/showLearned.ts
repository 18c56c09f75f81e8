import * as vscode from "vscode";
import { forgetLearned, listLearned } from "../../model/learnedCapabilities.ts";
import type { Memory } from "../../ports/memory.ts";
import { t } from "../localize.ts";
import { openGraftSettings } from "../settings/configuration.ts";
import { learnedText } from "./messages.ts";

/**
 * Lists what answers taught Graft about models, and forgets what the user selects, so that it is
 * tried again.
 */
export async function showLearned(store: Memory): Promise<void> {
  const items = listLearned(store).map((learned) => ({
    label: learned.model,
    description: learned.baseUrl,
    detail: learnedText(t, learned),
    learned,
  }));
  if (items.length === 0) {
    const none = t(
      "Graft has learned nothing about models yet. Put what you know about them in graft.connections.",
    );
    const choice = await vscode.window.showInformationMessage(none, t("Open Settings"));
    if (choice) await openGraftSettings("graft.connections");
    return;
  }
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: t("Graft: what Graft learned about models"),
    placeHolder: t("Select what Graft should forget and try again"),
  });
  for (const { learned } of chosen ?? []) await forgetLearned(store, learned);
}
