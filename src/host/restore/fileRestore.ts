import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { type Disposable, disposable } from "../../base/disposable.ts";
import { recordMissedUndo, recordUndo } from "../../review/restore/recordUndo.ts";
import type { GuestJournals } from "../../review/storage/guestJournals.ts";
import { emptyTree } from "../../turns/turnReducer.ts";
import { WorkspaceEditApplier } from "../workspace/workspaceEditApplier.ts";
import { pickFiles } from "./pickFiles.ts";
import { type ChangingTurn, pickTurn } from "./pickTurn.ts";
import { redoFile } from "./redoFile.ts";
import { type RestoreDeps, restoreFiles } from "./restoreFiles.ts";
import type { RestoreProblem } from "./restorePlan.ts";

/** Restores files, and records what undo, redo and the disk do to files that turns changed. */
export type FileRestore = ReturnType<typeof createFileRestore>;

/** The open chats, and the one that the user works in. */
interface Chats {
  readonly chat: Chat;
  readonly all: readonly Chat[];
  ofTurn(turnId: string): Chat | null;
  /** Listens to every chat from its opening on. */
  each(listen: (chat: Chat) => Disposable): Disposable;
}

/** What guests changed, and how they hear that it was taken back. */
interface RestorableGuests {
  readonly journals: Pick<GuestJournals, "latest">;
  restored(chatId: string, paths: readonly string[]): void;
}

/** Starts watching at once. */
export function createFileRestore(
  chats: Chats,
  sources: Pick<RestoreDeps, "workspace" | "pendingPaths" | "setExecutable" | "rewritten">,
  guests: RestorableGuests,
) {
  const record = (document: vscode.TextDocument) => {
    const [uri, text] = [document.uri.toString(), document.getText()];
    for (const chat of chats.all) void recordUndo(chat, uri, text);
  };
  const watching = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document, reason }) => {
      // Typing is no record; a text from the disk may be one, as after a revert.
      if (reason !== undefined || !document.isDirty) record(document);
    }),
    // The editor brings back what was not saved.
    vscode.workspace.onDidOpenTextDocument(record),
  );
  const looking = chats.each((chat) => {
    const closed = new AbortController();
    void recordMissedUndo(chat, sources.workspace, closed.signal);
    return disposable(() => closed.abort());
  });
  const deps = {
    ...sources,
    applier: new WorkspaceEditApplier(sources.workspace),
    pick: pickFiles,
  };
  return {
    /**
     * Restores files to before an agent turn; asks which turn when it is null. Settles with the
     * problem that the user was told of.
     */
    async restoreFiles(
      turnId: string | null,
      path: string | null,
    ): Promise<RestoreProblem | undefined> {
      const chat = (turnId === null ? null : chats.ofTurn(turnId)) ?? chats.chat;
      const { chatId, journal } = chat;
      const turn =
        turnId === null ? await pickTurn(chat, guests.journals) : { chatId, journal, turnId };
      if (turn === null) return undefined;
      const target = { journal: turn.journal, turnId: turn.turnId, path };
      return turn.chatId === chatId
        ? restoreFiles(target, { ...deps, chat })
        : restoreFiles(target, { ...deps, ...guestOf(turn) });
    },
    /** Makes again what undoing a turn's changes took from a file. */
    async redoFile(turnId: string, path: string): Promise<RestoreProblem | undefined> {
      const chat = chats.ofTurn(turnId);
      const target = { turnId, path };
      return chat ? redoFile({ ...target, journal: chat.journal }, { ...deps, chat }) : undefined;
    },
    dispose() {
      watching.dispose();
      looking.dispose();
    },
  };

  /** What stands for the chat of a guest. */
  function guestOf({ chatId, agent = null }: Partial<ChangingTurn> & { chatId: string }) {
    const chat: RestoreDeps["chat"] = {
      busy: false,
      tree: emptyTree(),
      filesRestored: (_, files) =>
        guests.restored(
          chatId,
          files.map(({ path }) => path),
        ),
    };
    return { agent: agent ?? "", chat };
  }
}
