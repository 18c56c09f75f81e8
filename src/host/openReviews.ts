import * as vscode from "vscode";
import type { Chat } from "../agent/chat/chat.ts";
import type { ReviewEvents } from "../ports/review.ts";
import { type ChatStorage, windowAnswers } from "./chatStorage.ts";
import type { CurrentChat } from "./chats/currentChat.ts";
import { recordReviews } from "./chats/recordReviews.ts";
import type { Host } from "./host.ts";
import { t } from "./localize.ts";
import { canGoOn, NewProblemsOffer } from "./panel/newProblemsOffer.ts";
import { DiffPreview } from "./preview/diffPreview.ts";
import { proposalsBusyMessage } from "./preview/messages.ts";
import { SharedProposals } from "./proposals/sharedProposals.ts";
import { AppliedReview } from "./restore/appliedReview.ts";
import { ProposalStore } from "./storage/proposalStore.ts";
import { VscodeSavedFiles } from "./workspace/vscodeSavedFiles.ts";
import type { WindowFiles } from "./workspace/windowFiles.ts";

/** The workspace state key for applied changes that still need review. */
const APPLIED_REVIEW = "graft.appliedReview";

/** Where the user reviews changes, and what follows an accepted one. */
export interface Reviews {
  readonly preview: DiffPreview;
  /** What other windows have. */
  readonly shared: SharedProposals;
  /** Applied changes that still need review. */
  readonly applied: AppliedReview;
  readonly savedFiles: VscodeSavedFiles;
  readonly newProblems: NewProblemsOffer;
  /** Settles when what is pending is on record, and free for other windows. */
  kept(): Promise<void>;
}

/**
 * Opens the proposals that are on record. `opened` settles when the first chat is open, and `chat`
 * gives the one shown.
 */
export async function openReviews(
  { configuration, context, logger, run, stack }: Host,
  { workspace, files }: WindowFiles,
  { journals, decisions, proposals, lease, tellFault }: ChatStorage,
  opened: Promise<CurrentChat<Chat>>,
  chat: () => Chat,
): Promise<Reviews> {
  const savedFiles = stack.add(
    new VscodeSavedFiles(
      () => configuration.settings.edits.save,
      () => preview.pendingPaths,
      (uri) => workspace.resolveUri(uri),
    ),
  );
  const newProblems = stack.add(
    new NewProblemsOffer(
      (text) => run("Sending", chat().send(text)),
      // A partly accepted change often does not compile.
      () =>
        configuration.settings.edits.fixNewErrors === "always" &&
        workspace.trusted &&
        preview.pendingPaths.length === 0 &&
        canGoOn(chat()),
    ),
  );
  const records = stack.add(recordReviews({ opened, journals, decisions, logger }));
  const store = new ProposalStore(proposals, logger, tellFault, lease);
  const shared = stack.add(
    new SharedProposals({
      store,
      alive: windowAnswers,
      isInFront: () => vscode.window.state.focused,
      refused: () => void vscode.window.showWarningMessage(proposalsBusyMessage(t)),
    }),
  );
  const preview: DiffPreview = stack.add(
    new DiffPreview({
      logger,
      settings: () => ({
        inline: configuration.settings.diff.inline,
        review: configuration.settings.edits.review,
      }),
      memento: context.globalState,
      workspace,
      operations: files,
      store,
      shared,
      events: afterAccept(records, savedFiles, newProblems),
      focusComposer: () => void vscode.commands.executeCommand("graft.openChat"),
    }),
  );
  await shared.start(preview);
  const applied = stack.add(
    new AppliedReview((review) => void context.workspaceState.update(APPLIED_REVIEW, review)),
  );
  void opened.then(({ chat: { journal } }) =>
    run(
      "Listing applied changes",
      applied.bringBack(context.workspaceState.get(APPLIED_REVIEW), journal),
    ),
  );
  const kept = () => preview.kept().then(() => store.release());
  return { preview, shared, applied, savedFiles, newProblems, kept };
}

/** Records what becomes of proposals, and goes on from there. */
function afterAccept(
  records: ReviewEvents,
  savedFiles: VscodeSavedFiles,
  newProblems: NewProblemsOffer,
): ReviewEvents {
  return {
    decided: records.decided,
    applied(origin, change) {
      records.applied(origin, change);
      if (change.before === null || change.after === null) return;
      savedFiles.acceptedInto(change.file);
      newProblems.acceptedInto(change.file);
    },
    takenBack(origin, change) {
      records.takenBack(origin, change);
      if (change.before !== null) savedFiles.acceptedInto(change.file);
    },
  };
}
