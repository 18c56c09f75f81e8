import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { type Disposable, disposable } from "../../base/disposable.ts";
import { recordMissedUndo, recordUndo } from "../../review/restore/recordUndo.ts";
import { redoFile } from "../../review/restore/redoFile.ts";
import { type RestoreDeps, restoreFiles } from "../../review/restore/restoreFiles.ts";
import type { RestoreProblem } from "../../review/restore/restorePlan.ts";
import type { GuestJournals } from "../../review/storage/guestJournals.ts";
import { fileCount } from "../../turns/messages.ts";
import { emptyTree } from "../../turns/turnReducer.ts";
import { vscodeEditorFiles } from "../documents/vscodeEditorFiles.ts";
import { t } from "../localize.ts";
import { isStaleAt, isUnsavedAt } from "../workspace/isStale.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";
import { restoreProblemMessage } from "./messages.ts";
import { pickFiles } from "./pickFiles.ts";
import { type ChangingTurn, pickTurn } from "./pickTurn.ts";

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
    for (const chat of chats.all) void recordUndo(chat, uri, text, isUnsavedAt);
  };
  const watching = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document, reason }) => {
      // Typing is no record; a text from the disk may be one, as after a revert.
      if (reason !== undefined || !document.isDirty) record(document);
    }),
    // The editor brings back what was not saved.
    vscode.workspace.onDidOpenTextDocument(record),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const path = workspacePathOf(uri);
      if (path !== null) for (const chat of chats.all) chat.fileSaved(path);
    }),
  );
  const looking = chats.each((chat) => {
    const closed = new AbortController();
    void recordMissedUndo(chat, sources.workspace, isUnsavedAt, closed.signal);
    return disposable(() => closed.abort());
  });
  const deps = {
    ...sources,
    editor: vscodeEditorFiles(sources.workspace),
    isStale: isStaleAt,
    isUnsaved: isUnsavedAt,
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
      const { restored, problem } = await restoreFiles(
        target,
        turn.chatId === chatId ? { ...deps, chat } : { ...deps, ...guestOf(turn) },
      );
      const files = fileCount(t, restored);
      if (restored > 0)
        vscode.window.setStatusBarMessage(t("Graft undid changes in {files}.", { files }), 5_000);
      return told(problem);
    },
    /** Makes again what undoing a turn's changes took from a file. */
    async redoFile(turnId: string, path: string): Promise<RestoreProblem | undefined> {
      const chat = chats.ofTurn(turnId);
      const target = { turnId, path };
      if (!chat) return undefined;
      return told(await redoFile({ ...target, journal: chat.journal }, { ...deps, chat }));
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

function told(problem: RestoreProblem | undefined): RestoreProblem | undefined {
  if (problem) void vscode.window.showWarningMessage(restoreProblemMessage(t, problem));
  return problem;
}
