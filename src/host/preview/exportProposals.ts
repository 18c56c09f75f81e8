import * as vscode from "vscode";
import { makeShare } from "../../edits/share/makeShare.ts";
import { shareFaultText } from "../../edits/share/messages.ts";
import { MAX_SHARED_BYTES } from "../../edits/share/share.ts";
import type { Logger } from "../../ports/logger.ts";
import { allowSecret, type FileRef, type Workspace } from "../../ports/workspace.ts";
import { keyOf } from "../../review/proposals/outcomeReporter.ts";
import { t } from "../localize.ts";
import type { DiffPreview } from "./diffPreview.ts";
import { exportedMessage } from "./messages.ts";

const NAME = "proposals.graft.json";
/** Characters of what is said about a shared review. */
const MAX_COMMENT = 2_000;

/** What is pending in the window, and in which chats. */
export interface SharingWindow {
  readonly preview: DiffPreview;
  readonly workspace: Workspace;
  readonly logger: Logger;
  /** Makes this window the one that decides, or tells why it cannot. */
  own(): Promise<boolean>;
  /** What a chat is called; "" where that is not known. */
  titleOf(chatId: string): string;
}

/** Writes what is pending into one file, for another machine; asks which, and what to say about it. */
export async function exportProposals({
  preview,
  workspace,
  own,
  titleOf,
}: SharingWindow): Promise<void> {
  if (!(await own())) return;
  const reviews = preview.proposals.reviews.flatMap((review) => review.stored() ?? []);
  const operations = preview.proposals.operations.pending;
  const { showInformationMessage, showInputBox, showSaveDialog } = vscode.window;
  if (reviews.length + operations.length === 0)
    return void showInformationMessage(t("No proposed changes are pending."));
  const comment = await showInputBox({
    title: t("Graft: export proposals"),
    prompt: t("What should the reviewer know? Leave this empty to say nothing."),
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.length > MAX_COMMENT
        ? t("Use at most {count} characters.", { count: MAX_COMMENT })
        : null,
  });
  if (comment === undefined) return;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const target = await showSaveDialog({
    title: t("Graft: export proposals"),
    filters: { [t("Proposals of Graft")]: ["json"] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder.uri, NAME) }),
  });
  if (!target) return;
  const chats = new Map(
    reviews.flatMap(({ blocks }) =>
      blocks.map(
        ({ origin, blockId }) => [keyOf(origin, blockId), titleOf(origin.chatId)] as const,
      ),
    ),
  );
  const { review, secret } = await makeShare(reviews, operations, {
    comment: comment.trim(),
    chatOf: (key) => chats.get(key) ?? "",
    textOf: (file) => textOf(workspace, file),
  });
  const bytes = new TextEncoder().encode(`${JSON.stringify(review, null, 1)}\n`);
  const name = target.path.slice(target.path.lastIndexOf("/") + 1);
  const { length } = bytes;
  if (length > MAX_SHARED_BYTES)
    return void vscode.window.showErrorMessage(
      shareFaultText(t, name, { code: "too-large", bytes: length }),
    );
  await vscode.workspace.fs.writeFile(target, bytes);
  const files = new Set([...review.files, ...review.operations].map(({ path }) => path)).size;
  const message = exportedMessage(t, name, files, secret);
  void (secret.length > 0
    ? vscode.window.showWarningMessage(message)
    : showInformationMessage(message));
}

async function textOf(workspace: Workspace, file: FileRef): Promise<string | null> {
  const read = await workspace.read(allowSecret(file), new AbortController().signal);
  return read.ok ? read.value.text : null;
}
