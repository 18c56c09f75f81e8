import * as vscode from "vscode";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { ChatSessions } from "../../review/chats/chatSessions.ts";
import { listedTime } from "../../review/chats/messages.ts";
import { type ChatHit, searchChat } from "../../review/chats/searchChats.ts";
import type { TurnTree } from "../../turns/turn.ts";
import { t } from "../localize.ts";

/** The most hits that are listed. */
const MAX_LISTED = 200;
/** Milliseconds without typing before the chats are searched. */
const PAUSE_MS = 150;

/** What the user looked for, and where it was found. */
export interface PickedHit extends ChatHit {
  readonly chatId: string;
  readonly words: string;
}

interface HitItem extends vscode.QuickPickItem {
  readonly hit: PickedHit;
}

/** Lists the lines of all chats that have what the user types, the latest chats first. */
export async function pickHit(sessions: ChatSessions, given = ""): Promise<PickedHit | undefined> {
  const { chats } = await sessions.list();
  /** Each chat is read once. */
  const trees = new Map<string, TurnTree | null>();
  const treeOf = async (chatId: string) => {
    const known = trees.get(chatId);
    if (known !== undefined) return known;
    const read = await sessions.read(chatId);
    const tree = read.ok ? read.value.tree : null;
    trees.set(chatId, tree);
    return tree;
  };
  const picker = vscode.window.createQuickPick<HitItem>();
  let search = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const look = async (words: string) => {
    const own = ++search;
    const found: HitItem[] = [];
    picker.busy = true;
    for (const { chatId, title, changedAt } of words.trim() === "" ? [] : chats) {
      const tree = await treeOf(chatId);
      if (own !== search) return;
      const description = [visibleLine(title) || t("Empty chat"), listedTime(changedAt)].join(", ");
      for (const hit of tree ? searchChat(tree, words) : [])
        found.push({
          ...{ label: visibleLine(hit.line), description, alwaysShow: true },
          hit: { ...hit, chatId, words: words.trim() },
        });
      if (found.length >= MAX_LISTED) break;
    }
    picker.items = found.slice(0, MAX_LISTED);
    picker.busy = false;
  };
  picker.title = t("Search all chats");
  picker.placeholder = t("Words of a request or an answer");
  picker.value = given;
  picker.onDidChangeValue((words) => {
    clearTimeout(pause);
    pause = setTimeout(() => void look(words), PAUSE_MS);
  });
  const picked = await new Promise<HitItem | undefined>((resolve) => {
    picker.onDidAccept(() => resolve(picker.selectedItems[0]));
    picker.onDidHide(() => resolve(undefined));
    picker.show();
    void look(given);
  });
  search++;
  clearTimeout(pause);
  picker.dispose();
  return picked?.hit;
}
