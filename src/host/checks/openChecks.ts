import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { type Disposable, disposable } from "../../base/disposable.ts";
import { type ProposalParts, proposalParts } from "../../edits/review/proposalParts.ts";
import type { RunnerFiles } from "../../ports/commands/runnerFiles.ts";
import { type Ground, type ProposedFile, proposedFiles } from "../../ports/commands/shadow.ts";
import type { ReviewOrigin } from "../../ports/review.ts";
import type { PanelMessage, PanelStatus } from "../../protocol/messages.ts";
import type { ProcessTools } from "../../tools/processTools.ts";
import type { CurrentChat } from "../chats/currentChat.ts";
import type { Host } from "../host.ts";
import { t } from "../localize.ts";
import type { Reviews } from "../openReviews.ts";
import type { WindowFiles } from "../workspace/windowFiles.ts";
import { askForCheck, chosenCheck, keepCheck } from "./chosenCheck.ts";
import {
  checkProblemMessage,
  fixCheckRequest,
  foundHunkMessage,
  noShadowMessage,
} from "./messages.ts";
import { ProposalChecks, type SearchRefusal } from "./proposalChecks.ts";

type CheckAction = Extract<PanelMessage, { type: "check" }>["action"];

/** What the user does with the check of the proposals. */
export interface CheckCommands {
  /** What the panel shows of it; empty where no check can run. */
  readonly status: () => Pick<PanelStatus, "check">;
  readonly onChange: (changed: () => void) => Disposable;
  act(action: CheckAction): Promise<void>;
}

/** The document that shows what the last check wrote. */
const OUTPUT = vscode.Uri.from({ scheme: "graft-check", path: "/check.log" });

/** The rooms that checks work with. */
interface CheckRooms {
  readonly host: Host;
  readonly files: WindowFiles;
  readonly reviews: Reviews;
  readonly requests: { readonly runnerFiles: RunnerFiles | null };
}

/** Runs the workspace's check after each turn, and when the user asks for it. */
export function openChecks(
  { host, files: { workspace }, reviews, requests: { runnerFiles } }: CheckRooms,
  machine: ProcessTools | null,
  chats: CurrentChat<Chat>,
): CheckCommands {
  const { preview, savedFiles } = reviews;
  const { context, run, stack } = host;
  if (!machine || !runnerFiles)
    return {
      status: () => ({}),
      onChange: () => disposable(() => undefined),
      act: async () => {
        void vscode.window.showInformationMessage(
          t("This window cannot run commands, so nothing can be checked."),
        );
      },
    };
  const memory = context.workspaceState;
  const chat = () => chats.chat;
  const written = stack.add(new vscode.EventEmitter<vscode.Uri>());
  stack.add(
    vscode.workspace.registerTextDocumentContentProvider(OUTPUT.scheme, {
      onDidChange: written.event,
      provideTextDocumentContent: () => checks.output,
    }),
  );
  /** The first change that a search found. */
  let shown: { readonly path: string; readonly hunkId: string | undefined } | null = null;
  const checks = stack.add(
    new ProposalChecks({
      machine,
      runnerFiles,
      chosen: () => (vscode.workspace.isTrusted ? chosenCheck(memory) : null),
      save: () => savedFiles.saveAccepted(new AbortController().signal),
      filesOf: (chatId) => filesIn(preview, chatId),
      changesOf: (chatId) => changesIn(preview, chatId),
      partsOf: (chatId) => partsIn(preview, chatId),
      ground: () => groundOf(machine),
      problemOf: (outcome) => checkProblemMessage(t, outcome),
      written: () => written.fire(OUTPUT),
      marks(found) {
        const command = chosenCheck(memory)?.text ?? "";
        const marked = found.map(({ part, code }) => ({
          uri: part.file.uri,
          hunk: part.hunk,
          text: foundHunkMessage(t, command, code),
        }));
        const ids = preview.markHunks(marked);
        const path = found[0]?.part.file.path;
        shown = path === undefined ? null : { path, hunkId: ids[0] };
      },
    }),
  );
  stack.add(preview.onPending(() => checks.changed()));
  stack.add(
    chats.follow((shown) =>
      shown.onBusy((busy) => {
        if (busy) checks.turnBegan();
        else if (!isStopped(shown)) run("Checking", checks.turnEnded(shown.chatId));
      }),
    ),
  );
  stack.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && vscode.workspace.getWorkspaceFolder(document.uri))
        checks.edited();
    }),
  );
  const actions: Record<CheckAction, () => Promise<void>> = {
    choose: async () => {
      if (!vscode.workspace.isTrusted) {
        await vscode.commands.executeCommand("workbench.trust.manage");
        return;
      }
      const { ground, noCopy, noOverlay } = await machine.ground();
      const problem = noCopy ?? noOverlay;
      if (ground === null) {
        if (problem) void vscode.window.showWarningMessage(noShadowMessage(t, problem));
        return;
      }
      const line = await askForCheck(workspace, chosenCheck(memory), ground);
      if (line === undefined) return;
      checks.stop();
      await keepCheck(memory, runnerFiles, line, ground);
      checks.changed();
      if (line !== null && !chat().busy) await checks.run(chat().chatId);
    },
    async run() {
      const chosen = chosenCheck(memory);
      if (!chosen) return actions.choose();
      if (chat().busy) {
        void vscode.window.showInformationMessage(t("The check runs when the answer is complete."));
        return;
      }
      if (changesIn(preview, chat().chatId) === 0) {
        void vscode.window.showInformationMessage(t("Nothing is proposed that could be checked."));
        return;
      }
      // The user runs it with the files as they are now.
      await keepCheck(memory, runnerFiles, chosen, await groundOf(machine));
      await checks.run(chat().chatId);
    },
    stop: async () => checks.stop(),
    async output() {
      const document = await vscode.workspace.openTextDocument(OUTPUT);
      await vscode.window.showTextDocument(document, { preview: true });
    },
    async fix() {
      const command = chosenCheck(memory)?.text ?? "";
      await chat().send(fixCheckRequest(t, command, checks.output));
    },
    find: async () => tellRefusal(await checks.findBreaking(chat().chatId)),
    need: async () => tellRefusal(await checks.findNeeded(chat().chatId)),
    async show() {
      if (shown) await preview.commands.show(shown.path, shown.hunkId);
    },
  };
  return {
    status: () => ({ check: checks.status(chat().chatId) }),
    onChange: checks.onChange,
    act: (action) => actions[action](),
  };
}

async function groundOf(machine: ProcessTools): Promise<Ground> {
  return (await machine.ground()).ground ?? "overlay";
}

function tellRefusal(refused: SearchRefusal | null): void {
  if (refused === "out-of-date")
    void vscode.window.showInformationMessage(
      t("Run the check first: Graft looks only where its result is about what is proposed now."),
    );
  if (refused === "commands-running")
    void vscode.window.showWarningMessage(
      t("A command still runs on the proposals. Stop it, then look again."),
    );
}

/** What a chat proposes, complete messages only. */
function proposedIn(preview: Reviews["preview"], chatId: string) {
  const isOwn = ({ origin }: { readonly origin: ReviewOrigin }) => origin.chatId === chatId;
  return {
    reviews: preview.pendingReviews.filter(
      ({ streaming, reviewedBlocks }) => !streaming && reviewedBlocks.some(isOwn),
    ),
    operations: preview.operations.pending.filter(isOwn),
  };
}

function partsIn(preview: Reviews["preview"], chatId: string): ProposalParts {
  const { reviews, operations } = proposedIn(preview, chatId);
  const texts = reviews.map(({ file, realText, proposedText }) => {
    return { file, real: realText, proposed: proposedText };
  });
  return proposalParts(texts, operations);
}

function filesIn(preview: Reviews["preview"], chatId: string): readonly ProposedFile[] {
  const { reviews, operations } = proposedIn(preview, chatId);
  const changed = reviews.filter((review) => review.hunks().length > 0);
  return proposedFiles(
    changed.map(({ file, proposedText }) => ({ file, text: proposedText })),
    operations,
  );
}

function changesIn(preview: Reviews["preview"], chatId: string): number {
  const { reviews, operations } = proposedIn(preview, chatId);
  return reviews.reduce((sum, review) => sum + review.hunks().length, operations.length);
}

function isStopped({ tree }: Chat): boolean {
  const head = tree.headTurnId === null ? undefined : tree.turns.get(tree.headTurnId);
  return head?.role === "agent" && head.endReason === "cancelled";
}
