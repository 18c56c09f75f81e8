import * as vscode from "vscode";
import { firstWords } from "../../base/text/firstWords.ts";
import type { FileChange } from "../../edits/history/changeJournal.ts";
import { fileCount } from "../../turns/messages.ts";
import type { TurnTree } from "../../turns/turn.ts";
import { listedTime } from "../chats/messages.ts";
import { t } from "../localize.ts";

/**
 * The request that agent turn `turnId` answered, clipped to `limit` characters; "" when it is not
 * known.
 */
export function requestOf(tree: TurnTree, turnId: string, limit: number): string {
  const parent = tree.turns.get(turnId)?.parentTurnId ?? null;
  const asked = parent === null ? undefined : tree.turns.get(parent);
  return asked?.role === "user" ? firstWords(asked.text, limit) : "";
}

/**
 * Asks which of the turns that changed files, the latest first. Gives the agent turn's id, or null.
 */
export async function pickTurn(
  tree: TurnTree,
  changes: readonly FileChange[],
): Promise<string | null> {
  const turns = new Map<string, { readonly at: number; readonly paths: Set<string> }>();
  for (const { turnId, at, path } of changes) {
    if (turnId === null) continue;
    const turn = turns.get(turnId) ?? { at, paths: new Set() };
    turns.set(turnId, turn);
    turn.paths.add(path);
  }
  if (turns.size === 0) {
    void vscode.window.showInformationMessage(t("Nothing to undo in this chat."));
    return null;
  }
  const items = [...turns].reverse().map(([turnId, { at, paths }]) => ({
    label: requestOf(tree, turnId, 70) || t("An earlier request"),
    description: `${listedTime(at)}, ${fileCount(t, paths.size)}`,
    turnId,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t("Undo the changes of which turn?"),
    placeHolder: t("Also undoes the changes of later turns."),
    matchOnDescription: true,
  });
  return chosen?.turnId ?? null;
}
