import * as vscode from "vscode";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import { newId } from "../../base/ids.ts";
import type { FileRef } from "../../ports/workspace.ts";
import { proposalAddress, watchProposalLanguage } from "../documents/proposalLanguage.ts";
import { t } from "../localize.ts";

/** The scheme of texts that models made of files. */
const SCHEME = "graft-answer";

/** What a model makes of a file, beside the file. */
export interface AnswerDiffs extends Disposable {
  /** `text` is null where the model deletes the file, `isThere` false where there is none now. */
  show(file: FileRef, isThere: boolean, text: string | null, title: string): Promise<void>;
}

/** Opens the provider of these read-only texts; a text lives as long as its document. */
export function openAnswerDiffs(): AnswerDiffs {
  const stack = new DisposableStack();
  const texts = new Map<string, string>();
  stack.add(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) =>
        texts.get(uri.toString()) ?? t("Open this comparison again from the chat."),
    }),
  );
  stack.add(watchProposalLanguage(SCHEME));
  stack.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => void texts.delete(uri.toString())),
  );
  const place = (file: vscode.Uri, text: string) => {
    const uri = proposalAddress(SCHEME, newId("answer"), file);
    texts.set(uri.toString(), text);
    return uri;
  };
  return {
    async show({ uri }, isThere, text, title) {
      const file = vscode.Uri.parse(uri, true);
      const before = isThere ? file : place(file, "");
      const options = { preview: true };
      await vscode.commands.executeCommand(
        "vscode.diff",
        before,
        place(file, text ?? ""),
        title,
        options,
      );
    },
    dispose: () => stack.dispose(),
  };
}
