import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { err } from "../../base/result.ts";
import { heldFailureText } from "../../edits/messages.ts";
import { fileErrorMessage } from "../../ports/messages.ts";
import { decisionProblemMessage } from "../../review/proposals/messages.ts";
import type { AttachmentRef } from "../../turns/attachment.ts";
import { attachmentLabel, turnErrorMessage } from "../../turns/messages.ts";
import type { PanelApp } from "../app.ts";
import { applyCode } from "../apply/applyCode.ts";
import { candidatesOf } from "../candidates/answers.ts";
import type { ChatContext } from "../context/chatContext.ts";
import { asideMessage, editorCommandMessage } from "../context/messages.ts";
import { t } from "../localize.ts";
import { chooseAgentOption } from "../models/chooseAgentOption.ts";
import { ofCall, ofChat } from "../preview/reviewTargets.ts";
import { openGraftSettings } from "../settings/configuration.ts";
import { openDocument } from "../workspace/documentText.ts";
import { filesNamed } from "../workspace/visibleFiles.ts";
import type { ChatBridge } from "./chatBridge.ts";
import type { MessageInbox, SentMessage } from "./messageInbox.ts";
import { followableLink, type PanelHandlers } from "./panelMessages.ts";
import type { PanelRequests } from "./panelRequests.ts";
import { tryDemo } from "./tryDemo.ts";

/** What belongs to one panel, of several in the window. */
export interface Panel {
  readonly bridge: ChatBridge;
  /** Of its composer. */
  readonly context: ChatContext;
}

/** Handlers for a panel's messages. */
export function createPanelHandlers(
  graft: PanelApp,
  panel: Panel,
  inbox: MessageInbox<Chat>,
  requests: Pick<PanelRequests, "approval" | "question" | "agreements">,
): PanelHandlers {
  const { bridge, context } = panel;
  const { voice } = graft;
  return {
    ready: () => {
      bridge.ready();
      context.ready();
      voice.show();
    },
    // Every message already proves that the panel is alive.
    alive: () => undefined,
    drawn: ({ seq }) => bridge.drawn(seq),
    send: (message) => inbox.receive(message, bridge),
    voice: ({ action }) => voice.act(action),
    ...composerHandlers(panel),
    ...chatHandlers(graft, panel),
    ...candidateHandlers(graft, panel),
    ...answerHandlers(graft, requests),
    ...reviewHandlers(graft),
    ...modelHandlers(graft),
    ...editorHandlers(graft),
  };
}

/** What the user gives with a message. */
function composerHandlers({ context }: Panel) {
  return {
    suggest: ({ id, trigger, query }) => context.suggest(id, trigger, query),
    measure: ({ refs }) => context.measure(refs),
    "attach-uris": ({ uris }) => context.attachUris(uris),
    "attach-paths": ({ paths, id }) => context.attachPaths(paths, id),
    "attach-image": (image) => context.attachImage(image),
    "open-attachment": async ({ ref }) => {
      const name = attachmentLabel(ref, t);
      await context
        .open(ref)
        .catch(() => vscode.window.showErrorMessage(t("Cannot open {name}.", { name })));
    },
  } satisfies Partial<PanelHandlers>;
}

/** The chat and its turns. What names a chat that is no longer open has nothing to act on. */
function chatHandlers(graft: PanelApp, { bridge }: Panel) {
  const { chats } = graft;
  return {
    unqueue: ({ chatId, id, edit }) => {
      const message = chats.find(chatId)?.unqueue(id);
      if (edit && message) bridge.compose(message.text, message.attached);
    },
    "send-queued": ({ chatId }) => chats.find(chatId)?.sendQueued(),
    resend({ chatId, turnId, text }) {
      const chat = chats.find(chatId);
      // The panel was out of date, so return the text to the composer.
      return !chat || chat.busy || !chat.tree.turns.has(turnId)
        ? bridge.compose(text)
        : chat.resend(turnId, text);
    },
    "show-branch": ({ chatId, turnId }) => chats.find(chatId)?.showBranch(turnId),
    stop: ({ chatId }) => graft.stop(chatId),
    async "new-chat"({ chatId }) {
      await chats.startNew(chatId);
      if (bridge !== graft.bridge) await vscode.commands.executeCommand("graft.chat.focus");
    },
    "show-chat": ({ chatId }) => graft.chatCommands.openChat(chatId),
    retry: ({ chatId, turnId }) => chats.find(chatId)?.retry(turnId),
    "set-mode": ({ chatId, mode }) => chats.find(chatId)?.setMode(mode),
    plan: ({ turnId, action }) =>
      action === "open"
        ? graft.plans.open(turnId)
        : graft.plans.start(turnId, action === "start-new"),
    "start-edit-mode": ({ chatId }) => askEditMode(chatId),
  } satisfies Partial<PanelHandlers>;
}

/** A request to several models, and choosing from their answers. */
function candidateHandlers(graft: PanelApp, { bridge, context }: Panel) {
  const { answers, chats, run } = graft;
  const comparing = new Map<string, AbortController>();
  return {
    async "send-to-models"({ chatId, text, attached }) {
      const chat = chats.find(chatId);
      if (chat && (await graft.sendToModels(chat, context, { text, attached })))
        bridge.context({ type: "draft-sent", text });
    },
    async "compare-answers"({ chatId, turnId }) {
      const chat = chats.find(chatId);
      if (!chat) return;
      comparing.get(turnId)?.abort();
      const own = new AbortController();
      comparing.set(turnId, own);
      const files = await answers.compare(candidatesOf(chat, turnId), own.signal);
      if (comparing.get(turnId) !== own) return;
      comparing.delete(turnId);
      bridge.context({ type: "compared", turnId, files });
    },
    async "propose-chosen"({ chatId, turnId, choices }) {
      const chat = chats.find(chatId);
      if (!chat) return;
      const problems = await answers.propose(chat, turnId, choices);
      bridge.context({ type: "combined", turnId, problems });
    },
    "compare-file"({ chatId, turnId, path, candidate }) {
      const chat = chats.find(chatId);
      const [found] = chat ? candidatesOf(chat, turnId).slice(candidate) : [];
      if (found) run("Comparing", answers.show(found, path));
    },
    "open-answer": ({ of }) => graft.chatCommands.openBeside(of),
  } satisfies Partial<PanelHandlers>;
}

/** The user's answers to what Graft asks. */
function answerHandlers(
  { chats }: PanelApp,
  { approval, question, agreements }: Pick<PanelRequests, "approval" | "question" | "agreements">,
) {
  return {
    agree: ({ open, start }) => agreements.answer(open, start),
    answer({ chatId, callId, values }) {
      const chat = chats.find(chatId);
      if (chat) question.answer(chat, callId, values);
    },
    approve({ chatId, callId, allowed, scope, more, first }) {
      const chat = chats.find(chatId);
      return chat && approval.answer(chat, callId, allowed, { scope, more, first });
    },
  } satisfies Partial<PanelHandlers>;
}

/** Proposed and accepted changes. */
function reviewHandlers(graft: PanelApp) {
  const { preview, restore } = graft;
  const { commands } = preview;
  return {
    "show-proposal": ({ path }) => commands.show(path ?? undefined),
    "accept-file": ({ path }) => commands.acceptFile(path),
    "reject-file": ({ path }) => commands.rejectFile(path),
    "accept-block": ({ turnId, blockId, overwrite }) =>
      commands.acceptBlock(turnId, blockId, overwrite),
    "reject-block": ({ turnId, blockId }) => commands.rejectBlock(turnId, blockId),
    "change-block": ({ turnId, blockId }) =>
      vscode.commands.executeCommand("graft.changeHunk", { turnId, blockId }),
    "stop-command": ({ turnId, callId }) => graft.stopCommand(turnId, callId),
    "restart-command": ({ turnId, callId }) => graft.restartCommand(turnId, callId),
    "accept-call": ({ turnId, callId }) => commands.acceptOf(ofCall(turnId, callId)),
    "reject-call": ({ turnId, callId }) => commands.rejectOf(ofCall(turnId, callId)),
    "accept-chat": ({ chatId, of }) => commands.acceptOf(ofChat(of ?? chatId)),
    "reject-chat": ({ chatId, of }) => commands.rejectOf(ofChat(of ?? chatId)),
    check({ chatId, action }) {
      const chat = graft.chats.find(chatId);
      return chat && graft.checks.act(action, chat);
    },
    "accept-all": () => commands.acceptAll("panel"),
    "reject-all": () => commands.rejectAll("panel"),
    "restore-files": ({ turnId, path }) => restore.restoreFiles(turnId, path),
    "redo-file": ({ turnId, path }) => restore.redoFile(turnId, path),
    "propose-anyway": ({ turnId, blockId }) => proposeAnyway(graft, turnId, blockId),
  } satisfies Partial<PanelHandlers>;
}

/** The model, its server and the settings. */
function modelHandlers(graft: PanelApp) {
  const { models } = graft;
  return {
    "set-api-key": () => models.setKey(),
    "choose-model": () => models.choose(),
    "choose-agent-option"({ chatId }) {
      const chat = graft.chats.find(chatId);
      return chat && chooseAgentOption(chat);
    },
    "choose-effort": () => models.chooseEffort(),
    "test-connection": () => models.test(),
    "enter-api-key": () => models.enterKey(),
    "try-demo": ({ chatId }) => tryDemo(graft, graft.chats.find(chatId) ?? graft.chat),
    "find-models": () => models.findOffers(),
    "take-offer": ({ offer }) => models.takeOffer(offer),
    "open-settings": ({ query }) => openGraftSettings(query),
    "manage-trust": () => vscode.commands.executeCommand("workbench.trust.manage"),
  } satisfies Partial<PanelHandlers>;
}

/** What an answer names or holds. */
function editorHandlers(graft: PanelApp) {
  return {
    "open-file": ({ path, line }) => openFile(graft, path, line),
    "save-file": ({ path }) => saveFile(graft, path),
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    "apply-code"(message) {
      const chat = graft.chats.find(message.chatId);
      return (
        chat && applyCode({ chat, preview: graft.preview, workspace: graft.workspace }, message)
      );
    },
    "insert-code": ({ text }) => insertCode(text),
    "open-symbol": ({ name }) => openSymbol(name),
    "open-link": ({ url }) => openLink(url),
  } satisfies Partial<PanelHandlers>;
}

/**
 * Sends a message or runs its command. Resolves once it has started. `done` is false if nothing was
 * done or the chat records the message itself.
 */
export async function startMessage(
  graft: PanelApp,
  chat: Chat,
  message: SentMessage,
): Promise<{ readonly done: Promise<boolean> }> {
  const { id, text, attached = [], mode } = message;
  if (mode !== undefined) chat.setMode(mode);
  const expanded = await graft.context.expand(text, attached, chat);
  switch (expanded.code) {
    case "refused":
      return { done: Promise.resolve(false) };
    case "send":
      return { done: chat.send(expanded.text, expanded.attached, false, id).then(() => false) };
    case "edit": {
      const refused = askEditMode(chat.chatId, expanded.words || undefined, attached);
      return { done: Promise.resolve(refused).then((code) => code === undefined) };
    }
    case "btw":
      return { done: Promise.resolve(askBeside(chat, expanded.words, attached)) };
    case "compact":
      if (!chat.busy) return { done: chat.compact(id).then(() => false) };
      void vscode.window.showInformationMessage(editorCommandMessage(t, "busy"));
      return { done: Promise.resolve(false) };
  }
}

/** Asks what is missing. Settles with the reason if nothing was started. */
function askEditMode(
  chatId: string | undefined,
  words?: string,
  attached: readonly AttachmentRef[] = [],
): Thenable<unknown> {
  const given = [undefined, words, attached, chatId];
  return vscode.commands.executeCommand("graft.startEditMode", ...given);
}

/** Asks beside the turn; false where there is no answer, and the user is told why. */
async function askBeside(
  chat: Chat,
  words: string,
  attached: readonly AttachmentRef[],
): Promise<boolean> {
  const asked = words === "" ? err("empty" as const) : await chat.aside(words, attached);
  if (asked.ok) return true;
  const { error } = asked;
  // Who stopped it knows.
  if (typeof error !== "string" && error.code === "aborted") return false;
  const said = typeof error === "string" ? asideMessage(t, error) : turnErrorMessage(error, t);
  void vscode.window.showWarningMessage(said);
  return false;
}

async function proposeAnyway(
  { chats, preview }: PanelApp,
  turnId: string,
  blockId: string,
): Promise<void> {
  const chat = chats.ofTurn(turnId);
  const turn = chat?.tree.turns.get(turnId);
  const path = turn?.role === "agent" ? turn.edits.get(blockId)?.path : undefined;
  if (
    path !== undefined &&
    preview.proposals.reviews.some((review) => review.path === path && review.streaming)
  ) {
    void vscode.window.showWarningMessage(
      decisionProblemMessage(t, { code: "still-streaming" }, path),
    );
    return;
  }
  const failure = await chat?.proposeAgain(turnId, blockId);
  if (failure) void vscode.window.showWarningMessage(heldFailureText(failure, t));
}

/** Opens a file by its path, or as answers often write it, by the end of its path. */
async function openFile({ workspace }: PanelApp, name: string, line: number | null): Promise<void> {
  const [only, ...others] = await filesNamed(name);
  if (others.length > 0)
    return void (await vscode.commands.executeCommand("workbench.action.quickOpen", name));
  const path = only ?? name;
  const file = await workspace.resolve(path);
  if (!file.ok) {
    void vscode.window.showErrorMessage(fileErrorMessage(file.error, t));
    return;
  }
  const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  const selection = line === null ? {} : { selection: new vscode.Range(position, position) };
  try {
    await vscode.window.showTextDocument(vscode.Uri.parse(file.value.uri, true), {
      preview: true,
      ...selection,
    });
  } catch {
    void vscode.window.showErrorMessage(
      t("Cannot open {path}. It was deleted, or it is not a text file.", { path }),
    );
  }
}

async function saveFile({ workspace }: PanelApp, path: string): Promise<void> {
  const file = await workspace.resolve(path);
  const document = file.ok ? openDocument(file.value.uri) : null;
  if (await document?.save().then(undefined, () => false)) return;
  void vscode.window.showErrorMessage(
    t("{path} could not be saved. Save it in its tab.", { path }),
  );
}

async function insertCode(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const inserted = await editor?.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!inserted)
    void vscode.window.showWarningMessage(
      t("Open a file that can be edited, and put the cursor where the code belongs."),
    );
  else if (editor) await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

/**
 * Goes to the symbol of that name, such as `area` or `Shape.area`. The user chooses if there are
 * several.
 */
async function openSymbol(qualified: string): Promise<void> {
  const names = qualified.split(/\.|#|::/);
  const name = names.at(-1) ?? qualified;
  const found = await vscode.commands.executeCommand<
    readonly vscode.SymbolInformation[] | undefined
  >("vscode.executeWorkspaceSymbolProvider", name);
  const named = (found ?? []).filter(
    (symbol) => symbol.name.replace(/\(.*/, "").replace(/^#/, "") === name,
  );
  const members = named.filter(
    ({ containerName }) => containerName.split(/\.|#|::/).at(-1) === names.at(-2),
  );
  const [only, ...others] = members.length > 0 ? members : named;
  if (!only || others.length > 0)
    await vscode.commands.executeCommand("workbench.action.quickOpen", `#${name}`);
  else {
    const { start } = only.location.range;
    await vscode.window.showTextDocument(only.location.uri, {
      selection: new vscode.Range(start, start),
      preview: true,
    });
  }
}

async function openLink(url: string): Promise<void> {
  const link = followableLink(url);
  if (link === null)
    void vscode.window.showWarningMessage(t("Graft opens only http and https links."));
  else await vscode.env.openExternal(vscode.Uri.parse(link, true));
}
