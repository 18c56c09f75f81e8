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

/** How often in a row new problems can be sent without a message of the user between. */
const MAX_ROUNDS = 3;

interface AcceptedFile {
  readonly path: string;
  readonly before: readonly Diagnostic[];
  /** How often the text changed since the last accept. */
  changes: number;
}

/**
 * Offers the errors that appeared in accepted files in the status bar, as the language extensions report them, or sends them. A file that anything else
 * changed since is left out, and so is one that nothing has checked before: its errors may be old.
 */
export class NewProblemsOffer implements Disposable {
  private readonly send: (text: string) => void;
  private readonly sendsUnasked: () => boolean;
  private readonly owned = new DisposableStack();
  private readonly item = this.owned.add(vscode.window.createStatusBarItem("graft.newProblems", vscode.StatusBarAlignment.Left));
  private readonly files = new Map<string, AcceptedFile>();
  /** URIs of documents that language extensions have reported on, or had time to before Graft was used. */
  private readonly checked = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  private rounds = 0;
  private sending = false;

  /** `sendsUnasked` is true while errors are to be sent as soon as they appear. */
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
        const file = contentChanges.length > 0 ? this.files.get(document.uri.toString()) : undefined;
        if (!file) return;
        file.changes++;
        this.update();
      }),
    );
  }

  /** The errors on offer, by file. */
  get offered(): readonly { readonly path: string; readonly problems: readonly Diagnostic[] }[] {
    if (this.rounds >= MAX_ROUNDS) return [];
    return [...this.files].flatMap(([uri, { path, before, changes }]) => {
      const problems = changes === 0 ? newProblems(before, errorsOf(uri, path)) : [];
      return problems.length > 0 ? [{ path, problems }] : [];
    });
  }

  /** A change has just been accepted into the file's document. */
  acceptedInto({ uri, path }: FileRef): void {
    if (!openDocument(uri) || !this.checked.has(uri)) return;
    const known = this.files.get(uri);
    // One change is the accepted one.
    const before = known && known.changes <= 1 ? known.before : errorsOf(uri, path);
    this.files.set(uri, { path, before, changes: 0 });
    this.update();
  }

  /** A turn begins: what was accepted before it is no longer on offer. */
  turnBegan(): void {
    this.files.clear();
    if (!this.sending) this.rounds = 0;
    this.update();
  }

  /** Sends the errors on offer to the chat. */
  fix(): void {
    const { offered } = this;
    if (offered.length === 0) {
      void vscode.window.showInformationMessage(t("No new errors have appeared after you accepted changes."));
      return;
    }
    this.rounds++;
    this.sending = true;
    this.send(newProblemsRequest(t, offered));
    this.sending = false;
    this.files.clear();
    this.update();
  }

  /** Shows or sends what there is now. */
  update(): void {
    if (this.offered.length > 0 && !this.sending && this.sendsUnasked()) this.fix();
    const { offered } = this;
    if (offered.length === 0) {
      this.item.hide();
      return;
    }
    this.item.text = `$(error) ${newProblemsLabel(t, offered)}`;
    this.item.tooltip = t("These errors appeared after you accepted changes. Ask the model to fix them.");
    this.item.show();
  }

  dispose(): void {
    this.owned.dispose();
  }
}

/** True for a chat that does nothing, and that the user did not stop. */
export function canGoOn({ busy, queued, tree }: Pick<Chat, "busy" | "queued" | "tree">): boolean {
  const head = tree.headTurnId === null ? undefined : tree.turns.get(tree.headTurnId);
  return !busy && queued.length === 0 && !(head?.role === "agent" && head.endReason === "cancelled");
}

function errorsOf(uri: string, path: string): readonly Diagnostic[] {
  const found = vscode.languages.getDiagnostics(vscode.Uri.parse(uri, true));
  return found.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error).map((each) => diagnosticOf(path, each));
}
