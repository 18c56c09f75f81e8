import * as vscode from "vscode";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { ChangeJournal, FileChange } from "../../edits/history/changeJournal.ts";
import { listedTime } from "../../review/chats/messages.ts";
import { requestOf } from "../../review/restore/restoreFiles.ts";
import type { GuestJournals } from "../../review/storage/guestJournals.ts";
import { agentsText, fileCount } from "../../turns/messages.ts";
import type { TurnTree } from "../../turns/turn.ts";
import { t } from "../localize.ts";

/** A turn that changed files. */
export interface ChangingTurn {
  readonly journal: ChangeJournal;
  /** The chat that it is of. */
  readonly chatId: string;
  readonly turnId: string;
  /** The agent of another maker, see `guestName`; null for a turn of Graft's chat. */
  readonly agent: string | null;
  /** When its first change was made, in milliseconds since 1970. */
  readonly at: number;
  readonly paths: ReadonlySet<string>;
}

/** The turns of a journal that changed files, the latest first. */
async function changingTurns(
  chatId: string,
  journal: ChangeJournal,
): Promise<readonly ChangingTurn[]> {
  const turns = new Map<string, { readonly change: FileChange; readonly paths: Set<string> }>();
  for (const change of await journal.all()) {
    if (change.turnId === null) continue;
    const turn = turns.get(change.turnId) ?? { change, paths: new Set() };
    turns.set(change.turnId, turn);
    turn.paths.add(change.path);
  }
  const found = [...turns].map(
    ([
      turnId,
      {
        change: { agent = null, at },
        paths,
      },
    ]) => ({
      ...{ chatId, journal, turnId, agent, at, paths },
    }),
  );
  return found.reverse();
}

/** Asks which turn's changes to undo: one of the chat's, or a guest's. Null where the user leaves. */
export async function pickTurn(
  { chatId, journal, tree }: { chatId: string; journal: ChangeJournal; tree: TurnTree },
  guests: Pick<GuestJournals, "latest">,
): Promise<ChangingTurn | null> {
  const own = await changingTurns(chatId, journal);
  const others = await Promise.all(
    (await guests.latest()).map((guest) => changingTurns(guest.chatId, guest.journal)),
  );
  const guestTurns = others.flat().sort((a, b) => b.at - a.at);
  if (own.length + guestTurns.length === 0) {
    void vscode.window.showInformationMessage(t("Nothing to undo in this chat."));
    return null;
  }
  const item = (label: string, turn: ChangingTurn) => ({
    label: visibleLine(label),
    description: `${listedTime(turn.at)}, ${fileCount(t, turn.paths.size)}`,
    turn,
  });
  const separator = { label: t("Other agents"), kind: vscode.QuickPickItemKind.Separator };
  const items: (vscode.QuickPickItem & { readonly turn?: ChangingTurn })[] = [
    ...own.map((turn) => item(requestOf(tree, turn.turnId, 70) || t("An earlier request"), turn)),
    ...(guestTurns.length > 0 ? [separator] : []),
    ...guestTurns.map((turn) => item(agentsText(t, [turn.agent ?? ""]), turn)),
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: t("Undo the changes of which turn?"),
    placeHolder: t("Also undoes the changes of later turns."),
    matchOnDescription: true,
  });
  return chosen?.turn ?? null;
}
