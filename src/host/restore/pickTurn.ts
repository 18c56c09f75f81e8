import * as vscode from "vscode";
import { counted } from "../../base/counted.ts";
import { firstWords } from "../../base/firstWords.ts";
import type { FileChange } from "../../edits/changeJournal.ts";
import type { TurnTree } from "../../turns/turn.ts";
import { shownTime } from "../chats/shownTime.ts";

/** What the user had asked for in the turn that agent turn `turnId` answered, at most `limit` characters; "" when it is not known. */
export function requestOf(tree: TurnTree, turnId: string, limit: number): string {
  const parent = tree.turns.get(turnId)?.parentTurnId ?? null;
  const asked = parent === null ? undefined : tree.turns.get(parent);
  return asked?.role === "user" ? firstWords(asked.text, limit) : "";
}

/** Lets the user choose among the turns that changed files, the latest first; gives the agent turn's id, or null when he leaves or there is none. */
export async function pickTurn(tree: TurnTree, changes: readonly FileChange[]): Promise<string | null> {
  const turns = new Map<string, { readonly at: number; readonly paths: Set<string> }>();
  for (const { turnId, at, path } of changes) {
    if (turnId === null) continue;
    const turn = turns.get(turnId) ?? { at, paths: new Set() };
    turns.set(turnId, turn);
    turn.paths.add(path);
  }
  const items = [...turns].reverse().map(([turnId, { at, paths }]) => ({
    label: requestOf(tree, turnId, 70) || "An earlier request",
    description: `${shownTime(at)}, ${counted(paths.size, "file")}`,
    turnId,
  }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage("No turn of this chat has changed a file.");
    return null;
  }
  const title = "Restore files to before which turn?";
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: "Its changes and those of later turns go.",
    matchOnDescription: true,
  });
  return chosen?.turnId ?? null;
}
