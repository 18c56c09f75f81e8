import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import type { Diagnostic } from "../../ports/languageServices.ts";
import type { FileRef } from "../../ports/workspace.ts";
import { newProblems } from "../../tools/editor/newProblems.ts";
import { t } from "../localize.ts";
import { newProblemsLabel, newProblemsRequest } from "../messages.ts";
import { openDocument } from "../workspace/documentText.ts";
import { diagnosticOf } from "../workspace/vscodeLanguageServices.ts";

/** How many fixes can be sent in a row without a message from the user. */
const MAX_ROUNDS = 3;

interface AcceptedFile {
  readonly path: string;
  /** The chat that proposed what was accepted last. */
  readonly chatId: string;
  readonly before: readonly Diagnostic[];
  /** The number of text changes since the last accept. */
  changes: number;
}

/** Errors that appeared after an accept. */
interface OfferedFile {
  readonly path: string;
  readonly chatId: string;
  readonly problems: readonly Diagnostic[];
}

/**
 * Offers to fix errors that appeared in accepted files, in the status bar, or sends them to the
 * model. The errors come from language extensions. Skips files that changed otherwise since, and
 * files never checked before, whose errors may be old.
 */
export class NewProblemsOffer implements Disposable {
  private readonly send: (text: string, chatId: string) => void;
  private readonly sendsUnasked: (chatId: string) => boolean;
  private readonly owned = new DisposableStack();
  private readonly item = this.owned.add(
    vscode.window.createStatusBarItem("graft.newProblems", vscode.StatusBarAlignment.Left),
  );
  private readonly files = new Map<string, AcceptedFile>();
  /**
   * URIs of documents that language extensions have checked, or could have checked before Graft was
   * used.
   */
  private readonly checked = new Set(
    vscode.workspace.textDocuments.map(({ uri }) => uri.toString()),
  );
  private rounds = 0;
  private sending = false;

  /** `sendsUnasked` returns whether to send errors to a chat as soon as they appear. */
  constructor(
    send: (text: string, chatId: string) => void,
    sendsUnasked: (chatId: string) => boolean,
  ) {
    this.send = send;
    this.sendsUnasked = sendsUnasked;
    this.item.name = t("Graft: New Errors");
    this.item.command = "graft.fixNewErrors";
    this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.errorBackground");
    this.owned.add(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) this.checked.add(uri.toString());
        this.update();
      }),
    );
    this.owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const file =
          contentChanges.length > 0 ? this.files.get(document.uri.toString()) : undefined;
        if (!file) return;
        file.changes++;
        this.update();
      }),
    );
  }

  /** The offered errors, by file. */
  get offered(): readonly OfferedFile[] {
    if (this.rounds >= MAX_ROUNDS) return [];
    return [...this.files].flatMap(([uri, { path, chatId, before, changes }]) => {
      const problems = changes === 0 ? newProblems(before, errorsOf(uri, path)) : [];
      return problems.length > 0 ? [{ path, chatId, problems }] : [];
    });
  }

  /** Call after accepting a change of that chat into the file's document. */
  acceptedInto({ uri, path }: FileRef, chatId: string): void {
    if (!openDocument(uri) || !this.checked.has(uri)) return;
    const known = this.files.get(uri);
    // The accept itself counts as one change.
    const before = known && known.changes <= 1 ? known.before : errorsOf(uri, path);
    this.files.set(uri, { path, chatId, before, changes: 0 });
    this.update();
  }

  /** A turn of that chat started. Withdraws the offer for earlier accepts of what it proposed. */
  turnBegan(chatId: string): void {
    this.forget(chatId);
    if (!this.sending) this.rounds = 0;
    this.update();
  }

  /** Sends the offered errors to their chats; `only` to one of them. */
  fix(only?: string): void {
    const offered = this.offered.filter(({ chatId }) => only === undefined || chatId === only);
    if (offered.length === 0) {
      void vscode.window.showInformationMessage(
        t("No new errors have appeared after you accepted changes."),
      );
      return;
    }
    this.rounds++;
    this.sending = true;
    for (const id of new Set(offered.map(({ chatId }) => chatId))) {
      const own = offered.filter(({ chatId }) => chatId === id);
      this.send(newProblemsRequest(t, own), id);
      this.forget(id);
    }
    this.sending = false;
    this.update();
  }

  /** Updates the offer, or sends it. */
  update(): void {
    const unasked = this.sending
      ? undefined
      : this.offered.find(({ chatId }) => this.sendsUnasked(chatId));
    if (unasked) this.fix(unasked.chatId);
    const { offered } = this;
    if (offered.length === 0) {
      this.item.hide();
      return;
    }
    this.item.text = `$(error) ${newProblemsLabel(t, offered)}`;
    this.item.tooltip = t(
      "These errors appeared after you accepted changes. Ask the model to fix them.",
    );
    this.item.show();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private forget(chatId: string): void {
    for (const [uri, file] of this.files) if (file.chatId === chatId) this.files.delete(uri);
  }
}

/** Whether a chat is idle and the user did not stop it. */
export function canGoOn({ busy, queued, tree }: Pick<Chat, "busy" | "queued" | "tree">): boolean {
  const head = tree.headTurnId === null ? undefined : tree.turns.get(tree.headTurnId);
  return (
    !busy && queued.length === 0 && !(head?.role === "agent" && head.endReason === "cancelled")
  );
}

function errorsOf(uri: string, path: string): readonly Diagnostic[] {
  const found = vscode.languages.getDiagnostics(vscode.Uri.parse(uri, true));
  return found
    .filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error)
    .map((each) => diagnosticOf(path, each));
}
