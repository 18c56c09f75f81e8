import type { PendingFile } from "../../src/protocol/messages.ts";
import { agentsText, fileCount } from "../../src/turns/messages.ts";
import { t } from "../l10n.ts";

/** What is pending of one chat or guest, over all files. */
export interface Share {
  /** Null for the panel's own chat. */
  readonly chatId: string | null;
  readonly kind: "own" | "chat" | "guest";
  readonly name: string;
  readonly files: number;
  readonly hunks: number;
}

/** Whose changes are pending, by chat and guest; the panel's own first. Empty where all are its own. */
export function sharesOf(pending: readonly PendingFile[]): readonly Share[] {
  const here = pending.filter(({ elsewhere }) => !elsewhere);
  if (here.every(({ shares }) => shares === undefined)) return [];
  const found = new Map<string | null, Share>();
  for (const { shares, hunks } of here)
    for (const share of shares ?? [{ ...OWN, hunks }]) {
      const chatId = share.kind === "own" ? null : share.chatId;
      const known = found.get(chatId) ?? { ...share, chatId, files: 0, hunks: 0 };
      const files = known.files + 1;
      found.set(chatId, { ...known, files, hunks: known.hunks + share.hunks });
    }
  const all = [...found.values()];
  return [...all.filter(({ kind }) => kind === "own"), ...all.filter(({ kind }) => kind !== "own")];
}

const OWN = { chatId: "", kind: "own", name: "" } as const;

/** The chat or guest in a sentence. */
export function shareName({ kind, name }: Pick<Share, "kind" | "name">): string {
  if (kind === "own") return t("this chat");
  if (kind === "guest") return agentsText(t, [name]);
  return name === "" ? t("another chat") : JSON.stringify(name);
}

/** How much of it there is. */
export function shareCount({ files, hunks }: Pick<Share, "files" | "hunks">): string {
  const changes = t("{count} changes", { count: hunks });
  return files === hunks ? fileCount(t, files) : `${fileCount(t, files)} · ${changes}`;
}

/** Of whom how many files are, in one line: `1 from "Fix the tests" · 2 from Claude Code`. */
export function sharesText(shares: readonly Share[]): string {
  return shares
    .filter(({ kind }) => kind !== "own")
    .map((share) => t("{count} from {chat}", { count: share.files, chat: shareName(share) }))
    .join(" · ");
}
