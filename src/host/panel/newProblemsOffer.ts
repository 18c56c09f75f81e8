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
  readonly before: readonly Diagnostic[];
  /** The number of text changes since the last accept. */
  changes: number;
}

/**
 * Offers to fix errors that appeared in accepted files, in the status bar, or sends them to the
 * model. The errors come from language extensions. Skips files that changed otherwise since, and
 * files never checked before, whose errors may be old.
 */
export class NewProblemsOffer implements Disposable {
  private readonly send: (text: string) => void;
  private readonly sendsUnasked: () => boolean;
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

  /** `sendsUnasked` returns whether to send errors as soon as they appear. */
  constructor(send: (text: string) => void, sendsUnasked: () => boolean) {
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
  get offered(): readonly { readonly path: string; readonly problems: readonly Diagnostic[] }[] {
    if (this.rounds >= MAX_ROUNDS) return [];
    return [...this.files].flatMap(([uri, { path, before, changes }]) => {
      const problems = changes === 0 ? newProblems(before, errorsOf(uri, path)) : [];
      return problems.length > 0 ? [{ path, problems }] : [];
    });
  }

  /** Call after accepting a change into the file's document. */
  acceptedInto({ uri, path }: FileRef): void {
    if (!openDocument(uri) || !this.checked.has(uri)) return;
    const known = this.files.get(uri);
    // The accept itself counts as one change.
    const before = known && known.changes <= 1 ? known.before : errorsOf(uri, path);
    this.files.set(uri, { path, before, changes: 0 });
    this.update();
  }

  /** A new turn started. Withdraws the offer for earlier accepts. */
  turnBegan(): void {
    this.files.clear();
    if (!this.sending) this.rounds = 0;
    this.update();
  }

  /** Sends the offered errors to the chat. */
  fix(): void {
    const { offered } = this;
    if (offered.length === 0) {
      void vscode.window.showInformationMessage(
        t("No new errors have appeared after you accepted changes."),
      );
      return;
    }
    this.rounds++;
    this.sending = true;
    this.send(newProblemsRequest(t, offered));
    this.sending = false;
    this.files.clear();
    this.update();
  }

  /** Updates the offer, or sends it. */
  update(): void {
    if (this.offered.length > 0 && !this.sending && this.sendsUnasked()) this.fix();
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
