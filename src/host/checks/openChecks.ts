import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { type Disposable, disposable } from "../../base/disposable.ts";
import { type ProposalParts, proposalParts } from "../../edits/review/proposalParts.ts";
import { type ProposedFile, proposedFiles } from "../../ports/commands/shadow.ts";
import type { ReviewOrigin } from "../../ports/review.ts";
import { readPath } from "../../ports/workspace.ts";
import type { PanelMessage, PanelStatus } from "../../protocol/messages.ts";
import type { OpenChats } from "../../review/chats/openChats.ts";
import {
  checkProblemMessage,
  fixCheckRequest,
  foundHunkMessage,
  noShadowMessage,
} from "../../review/checks/messages.ts";
import {
  type FoundPart,
  ProposalChecks,
  type SearchRefusal,
} from "../../review/checks/proposalChecks.ts";
import type { ReportCheck } from "../../tools/command/proposalCheck.ts";
import type { RunWay } from "../../tools/command/proposalRuns.ts";
import type { CommandBackend, ProcessTools } from "../../tools/processTools.ts";
import type { Host } from "../host.ts";
import { t } from "../localize.ts";
import type { Reviews } from "../openReviews.ts";
import type { WindowFiles } from "../workspace/windowFiles.ts";
import { askForCheck, chosenCheck, keepCheck } from "./chosenCheck.ts";

type CheckAction = Extract<PanelMessage, { type: "check" }>["action"];

/** What the user does with the check of the proposals. */
export interface CheckCommands {
  /** What a panel with that chat shows of it; empty where no check can run. */
  readonly status: (chatId: string) => Pick<PanelStatus, "check">;
  readonly onChange: (changed: () => void) => Disposable;
  /** Runs it for the model of that chat. */
  readonly report: (chatId: string, ...given: Parameters<ReportCheck>) => ReturnType<ReportCheck>;
  act(action: CheckAction, chat: Chat): Promise<void>;
  /** Something is proposed in a chat outside of its turns: runs the check as after a turn. */
  proposed(chatId: string): void;
  /** Runs it after each turn of these chats. */
  follow(chats: OpenChats<Chat>): void;
}

/** The document that shows what the last check wrote. */
const OUTPUT = vscode.Uri.from({ scheme: "graft-check", path: "/check.log" });

/** What the user waits for is never stopped. */
const NEVER = new AbortController().signal;

/** The rooms that checks work with. */
interface CheckRooms {
  readonly host: Host;
  readonly files: WindowFiles;
  readonly reviews: Reviews;
}

const noChecks: CheckCommands = {
  status: () => ({}),
  onChange: () => disposable(() => undefined),
  report: async () => null,
  follow: () => undefined,
  proposed: () => undefined,
  act: async () => {
    void vscode.window.showInformationMessage(
      t("This window cannot run commands, so nothing can be checked."),
    );
  },
};

/** Runs the workspace's check when the user or a model asks for it, and after turns. */
export function openChecks(
  { host, files: { workspace }, reviews }: CheckRooms,
  machine: ProcessTools | null,
): CheckCommands {
  const { preview, savedFiles } = reviews;
  const { context, stack } = host;
  if (!machine) return noChecks;
  const memory = context.workspaceState;
  const written = stack.add(new vscode.EventEmitter<vscode.Uri>());
  stack.add(
    vscode.workspace.registerTextDocumentContentProvider(OUTPUT.scheme, {
      onDidChange: written.event,
      provideTextDocumentContent: () => checks.output,
    }),
  );
  /** The first change that a search found. */
  let shown: ShownChange | null = null;
  const checks = stack.add(
    new ProposalChecks({
      machine,
      chosen: () => (vscode.workspace.isTrusted ? chosenCheck(memory) : null),
      save: () => savedFiles.saveAccepted(NEVER),
      filesOf: (chatId) => filesIn(preview, chatId),
      changesOf: (chatId) => changesIn(preview, chatId),
      partsOf: (chatId) => partsIn(preview, chatId),
      async read(path, signal) {
        const read = await readPath(workspace, path, signal);
        return read.ok ? read.value.text : null;
      },
      isSandboxed: async (signal) => wayOf(await machine.backend(signal)).isSandboxed,
      problemOf: (outcome) => checkProblemMessage(t, outcome),
      written: () => written.fire(OUTPUT),
      marks(found) {
        shown = marked(preview, chosenCheck(memory)?.text ?? "", found);
      },
    }),
  );
  watchTexts(checks, { host, reviews });
  const acting = { workspace, machine, memory, preview };
  return {
    status: (chatId) => ({ check: checks.status(chatId) }),
    onChange: checks.onChange,
    report: (chatId, signal) => checks.report(chatId, signal),
    proposed: (chatId) => host.run("Checking", checks.turnEnded(chatId)),
    follow: (chats) => followTurns(checks, host, chats),
    act: (action, chat) => checkActions(checks, { ...acting, chat }, () => shown)[action](),
  };
}

/** Runs the check after each turn. */
function followTurns(checks: ProposalChecks, { run, stack }: Host, chats: OpenChats<Chat>): void {
  stack.add(
    chats.each((chat) =>
      chat.onBusy((busy) => {
        if (busy) checks.turnBegan(chat.chatId);
        else if (!isStopped(chat)) run("Checking", checks.turnEnded(chat.chatId));
      }),
    ),
  );
}

/** Knows when a result is out of date. */
function watchTexts(
  checks: ProposalChecks,
  { host: { stack }, reviews: { preview } }: Pick<CheckRooms, "host" | "reviews">,
): void {
  stack.add(preview.proposals.onChange(() => checks.stateChanged()));
  stack.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && vscode.workspace.getWorkspaceFolder(document.uri))
        checks.edited();
    }),
  );
}

/** What the actions work with. */
interface ActionParts {
  readonly workspace: WindowFiles["workspace"];
  readonly machine: ProcessTools;
  readonly memory: vscode.Memento;
  readonly preview: Reviews["preview"];
  readonly chat: Chat;
}

/** A change that a search found. */
interface ShownChange {
  readonly path: string;
  readonly hunkId: string | undefined;
}

/** Marks what a search found; returns the first of it. */
function marked(
  preview: Reviews["preview"],
  command: string,
  found: readonly FoundPart[],
): ShownChange | null {
  const ids = preview.markHunks(
    found.map((one) => ({
      uri: one.part.file.uri,
      hunk: one.part.hunk,
      text: foundHunkMessage(t, command, one),
    })),
  );
  const path = found[0]?.part.file.path;
  return path === undefined ? null : { path, hunkId: ids[0] };
}

/** What the user does with a check; `shown` is the first change that a search found. */
function checkActions(
  checks: ProposalChecks,
  { workspace, machine, memory, preview, chat }: ActionParts,
  shown: () => ShownChange | null,
): Record<CheckAction, () => Promise<void>> {
  const runNow = async (network: boolean) => {
    const chosen = chosenCheck(memory);
    if (!chosen) return actions.choose();
    if (chat.busy) {
      void vscode.window.showInformationMessage(t("The check runs when the answer is complete."));
      return;
    }
    if (changesIn(preview, chat.chatId) === 0) {
      void vscode.window.showInformationMessage(t("Nothing is proposed that could be checked."));
      return;
    }
    await checks.runByUser(chat.chatId, network);
  };
  const actions: Record<CheckAction, () => Promise<void>> = {
    choose: async () => {
      if (!vscode.workspace.isTrusted) {
        await vscode.commands.executeCommand("workbench.trust.manage");
        return;
      }
      const found = await machine.backend(NEVER);
      const { backend, noCopy, noOverlay } = found;
      const problem = noCopy ?? noOverlay;
      if (backend === null) {
        if (problem) void vscode.window.showWarningMessage(noShadowMessage(t, problem));
        return;
      }
      const line = await askForCheck(workspace, chosenCheck(memory), wayOf(found));
      if (line === undefined) return;
      checks.stop();
      await keepCheck(memory, line);
      checks.stateChanged();
      if (line !== null && !chat.busy) await checks.runByUser(chat.chatId, false);
    },
    run: () => runNow(false),
    network: () => runNow(true),
    stop: async () => checks.stop(),
    async output() {
      const document = await vscode.workspace.openTextDocument(OUTPUT);
      await vscode.window.showTextDocument(document, { preview: true });
    },
    async fix() {
      const command = chosenCheck(memory)?.text ?? "";
      const output = checks.outputOf(chat.chatId);
      if (output === null) return;
      const { text, attached } = fixCheckRequest(t, command, output);
      await chat.send(text, attached);
    },
    find: async () => tellRefusal(await checks.findBreaking(chat.chatId)),
    need: async () => tellRefusal(await checks.findNeeded(chat.chatId)),
    async show() {
      const found = shown();
      if (found) await preview.commands.show(found.path, found.hunkId);
    },
  };
  return actions;
}

/** How a check runs. */
function wayOf({ backend, isSandboxed }: CommandBackend): RunWay {
  return { backend, isSandboxed };
}

function tellRefusal(refused: SearchRefusal | null): void {
  if (refused === "out-of-date")
    void vscode.window.showInformationMessage(
      t("Run the check first. Its last result is not about the current proposals."),
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
    reviews: preview.proposals.reviews.filter(
      ({ streaming, reviewedBlocks }) => !streaming && reviewedBlocks.some(isOwn),
    ),
    operations: preview.proposals.operations.pending.filter(isOwn),
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
