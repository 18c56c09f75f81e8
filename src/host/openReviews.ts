import * as vscode from "vscode";
import type { Chat } from "../agent/chat/chat.ts";
import type { ReviewEvents } from "../ports/review.ts";
import { type ChatTitles, watchChatTitles } from "../review/chats/chatTitles.ts";
import type { OpenChats } from "../review/chats/openChats.ts";
import { recordReviews } from "../review/chats/recordReviews.ts";
import { proposalsBusyMessage } from "../review/proposals/messages.ts";
import { SharedProposals } from "../review/proposals/sharedProposals.ts";
import { ProposalStore } from "../review/storage/proposalStore.ts";
import { type ChatStorage, windowAnswers } from "./chatStorage.ts";
import type { Host } from "./host.ts";
import { t } from "./localize.ts";
import { canGoOn, NewProblemsOffer } from "./panel/newProblemsOffer.ts";
import { DiffPreview } from "./preview/diffPreview.ts";
import { VscodeSavedFiles } from "./workspace/vscodeSavedFiles.ts";
import type { WindowFiles } from "./workspace/windowFiles.ts";

/** Where the user reviews changes, and what follows an accepted one. */
export interface Reviews {
  readonly preview: DiffPreview;
  /** What other windows have. */
  readonly shared: SharedProposals;
  /** Which proposals could not be stored. */
  readonly store: Pick<ProposalStore, "unkept">;
  readonly savedFiles: VscodeSavedFiles;
  readonly newProblems: NewProblemsOffer;
  /** What the chats are called that wrote proposals. */
  readonly titles: ChatTitles;
  /** Decisions are recorded in these chats, and wait until then. Called once. */
  serve(chats: OpenChats<Chat>): void;
  /** Settles when what is pending is on record, and free for other windows. */
  kept(): Promise<void>;
}

/** Opens the proposals that are on record. Chats are opened on them: see {@link Reviews.serve}. */
export async function openReviews(
  host: Host,
  { workspace, files }: WindowFiles,
  {
    chats: storedChats,
    journals,
    guestJournals,
    decisions,
    proposals,
    lease,
    tellFault,
  }: ChatStorage,
): Promise<Reviews> {
  const { configuration, logger, run, stack } = host;
  let chats: OpenChats<Chat> | null = null;
  let served: (chats: OpenChats<Chat>) => void = () => undefined;
  const opened = new Promise<OpenChats<Chat>>((resolve) => {
    served = resolve;
  });
  const savedFiles = stack.add(
    new VscodeSavedFiles(
      () => configuration.settings.edits.save,
      () => preview.proposals.pendingPaths,
      (uri) => workspace.resolveUri(uri),
    ),
  );
  const newProblems = stack.add(
    new NewProblemsOffer(
      (text, chatId) => {
        const chat = chats?.find(chatId) ?? chats?.chat;
        if (chat) run("Sending", chat.send(text));
      },
      // A partly accepted change often does not compile.
      (chatId) => {
        const chat = chats?.find(chatId);
        return (
          configuration.settings.edits.fixNewErrors === "always" &&
          workspace.trusted &&
          preview.proposals.pendingPaths.length === 0 &&
          chat !== undefined &&
          chat !== null &&
          canGoOn(chat)
        );
      },
    ),
  );
  const records = stack.add(recordReviews(opened, journals, guestJournals, decisions, logger));
  const store = new ProposalStore(proposals, logger, tellFault, lease);
  const shared = stack.add(
    new SharedProposals({
      store,
      alive: windowAnswers,
      isInFront: () => vscode.window.state.focused,
      refused: () => void vscode.window.showWarningMessage(proposalsBusyMessage(t)),
    }),
  );
  const events = afterAccept(records, savedFiles, newProblems);
  const titles = stack.add(watchChatTitles(opened, storedChats));
  const around = { events, titles };
  const preview = stack.add(openPreview(host, { workspace, files }, store, shared, around));
  await shared.start(preview.proposals);
  const kept = () => preview.proposals.kept().then(() => store.release());
  const serve = (all: OpenChats<Chat>) => {
    chats = all;
    served(all);
  };
  return { preview, shared, store, savedFiles, newProblems, titles, serve, kept };
}

function openPreview(
  { configuration, context, logger }: Host,
  { workspace, files }: Pick<WindowFiles, "workspace" | "files">,
  store: ProposalStore,
  shared: SharedProposals,
  around: { readonly events: ReviewEvents; readonly titles: ChatTitles },
): DiffPreview {
  return new DiffPreview({
    logger,
    settings: () => ({
      inline: configuration.settings.diff.inline,
      review: configuration.settings.edits.review,
    }),
    memento: context.globalState,
    workspace,
    files,
    store,
    shared,
    ...around,
    focusComposer: () => void vscode.commands.executeCommand("graft.openChat"),
  });
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
      newProblems.acceptedInto(change.file, origin.chatId);
    },
    takenBack(origin, change) {
      records.takenBack(origin, change);
      if (change.before !== null) savedFiles.acceptedInto(change.file);
    },
  };
}
