import * as vscode from "vscode";
import { newId } from "../../base/ids.ts";
import type { Result } from "../../base/result.ts";
import { shareFaultText, shareProblemText } from "../../edits/share/messages.ts";
import { type OpenedFile, type OpenedShare, openShare } from "../../edits/share/openShare.ts";
import {
  MAX_SHARED_BYTES,
  readShare,
  type Share,
  type ShareFault,
} from "../../edits/share/share.ts";
import { IMPORTED_CHAT } from "../../ports/outsideChat.ts";
import type { ReviewOrigin } from "../../ports/review.ts";
import { keyOf } from "../../review/proposals/outcomeReporter.ts";
import type { StoredProposal } from "../../review/storage/proposalStore.ts";
import { t } from "../localize.ts";
import type { SharingWindow } from "./exportProposals.ts";
import { importedMessage, leftOutMessage } from "./messages.ts";

/**
 * Adds the proposals of a file that another machine's Graft exported; asks which. The user's files
 * stay as they are, and what cannot be reviewed here is told by name.
 */
export async function importProposals(
  { preview, workspace, logger, own }: SharingWindow,
  given?: vscode.Uri,
): Promise<void> {
  if (!(await own())) return;
  const [chosen] = given ? [given] : ((await chooseShare()) ?? []);
  if (!chosen) return;
  const name = chosen.path.slice(chosen.path.lastIndexOf("/") + 1);
  const shared = await shareAt(chosen);
  const { showErrorMessage, showInformationMessage, showWarningMessage } = vscode.window;
  if (!shared.ok) return void showErrorMessage(shareFaultText(t, name, shared.error));
  const id = newId(IMPORTED_CHAT);
  const origin = { chatId: id, turnId: id, callId: id };
  const { signal } = new AbortController();
  const opened = await openShare(shared.value, workspace, origin, signal);
  const begunAt = Date.now();
  const waiting = await preview.proposals.adopt(
    opened.files.map((file) => storedProposal(file, origin, begunAt)),
  );
  const problems = [...opened.problems];
  for (const operation of opened.operations) {
    const proposed = await preview.proposals.operations.propose(operation);
    if (!proposed.ok) problems.push({ code: "file", error: proposed.error });
  }
  const reasons = problems.map((problem) => shareProblemText(t, problem));
  for (const reason of reasons) logger.warn(reason);
  if (reasons.length > 0) void showWarningMessage(leftOutMessage(t, reasons));
  const { comment } = shared.value;
  const told = importedMessage(t, { name, comment, ...importCounts(opened), waiting });
  const review = t("Review");
  const offered = opened.files.length > 0 ? [review] : [];
  if ((await showInformationMessage(told, ...offered)) === review)
    await preview.commands.reviewAll();
}

function importCounts({ files, operations, done }: OpenedShare) {
  const sum = (count: (file: OpenedFile) => number) =>
    files.reduce((total, file) => total + count(file), 0);
  return {
    files: files.length + operations.length,
    changes: sum(({ hunks }) => hunks) + operations.length,
    conflicts: sum(({ conflicts }) => conflicts),
    done: done.length,
  };
}

/** A proposal as it is kept, from a review whose blocks have no turn yet. */
function storedProposal(
  { snapshot, review }: OpenedFile,
  origin: ReviewOrigin,
  begunAt: number,
): StoredProposal {
  const { file, exists } = snapshot;
  const key = (blockId: string) => keyOf(origin, blockId);
  return {
    ...{ id: newId("review"), begunAt, file, exists },
    blocks: review.blocks.map(({ blockId }) => ({ origin, blockId })),
    review: {
      ...review,
      blocks: review.blocks.map((block) => ({ ...block, blockId: key(block.blockId) })),
      decided: review.decided.map(([blockId, decided]) => [key(blockId), decided] as const),
    },
  };
}

function chooseShare(): Thenable<vscode.Uri[] | undefined> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  return vscode.window.showOpenDialog({
    title: t("Graft: import proposals"),
    filters: { [t("Proposals of Graft")]: ["json"] },
    ...(folder && { defaultUri: folder.uri }),
  });
}

async function shareAt(uri: vscode.Uri): Promise<Result<Share, ShareFault>> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > MAX_SHARED_BYTES) return { ok: false, error: { code: "too-large", bytes: size } };
  return readShare(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
}
