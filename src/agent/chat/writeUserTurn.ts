import { newId } from "../../base/ids.ts";
import type { Attachment, AttachmentRef } from "../../turns/attachment.ts";
import type { UserTurn } from "../../turns/turn.ts";
import type { QueuedMessage } from "../../turns/turnEvent.ts";
import type { ChatOptions } from "../chatOptions.ts";
import type { AnswerParts } from "./answeringTurn.ts";
import type { WrittenMessage } from "./messageQueue.ts";

/** A request that is about to be answered. */
interface AskedRequest extends Pick<UserTurn, "parentTurnId" | "text"> {
  readonly refs: readonly AttachmentRef[];
  /** The ids of the messages that it is made of; those that `waited` are no longer queued. */
  readonly messages: readonly string[];
  readonly waited: readonly QueuedMessage[];
  readonly shown: Pick<UserTurn, "editFile" | "activeFile" | "editor" | "spoken">;
  readonly earlier: readonly Attachment[] | undefined;
}

/**
 * The request that messages make, those that `waited` first, with what the editor shows as it is
 * written; null where none has words.
 */
export function askedRequest(
  options: Pick<ChatOptions, "activeFile" | "editorView">,
  written: WrittenMessage,
  waited: readonly QueuedMessage[],
  { parentTurnId, editFile }: Pick<UserTurn, "parentTurnId" | "editFile">,
): AskedRequest | null {
  const all: readonly WrittenMessage[] = [...waited, written];
  const words = all.flatMap(({ text }) => (text.trim() === "" ? [] : [text]));
  if (words.length === 0) return null;
  // The user who names a file to edit means that one.
  const editor = editFile === null ? options.editorView?.() : undefined;
  return {
    parentTurnId,
    text: words.join("\n\n"),
    refs: all.flatMap(({ attached = [] }) => attached),
    messages: all.flatMap(({ id }) => id ?? []),
    waited,
    shown: {
      editFile,
      activeFile: editFile === null ? options.activeFile() : null,
      ...(editor && { editor }),
      ...(all.some(({ spoken }) => spoken) && { spoken: true as const }),
    },
    earlier: written.earlier,
  };
}

/** Puts a request on record as a turn, with what is attached to it as it is now. */
export async function writeUserTurn(
  { hub, tools, queue }: Pick<AnswerParts, "hub" | "tools" | "queue">,
  { parentTurnId, text, refs, messages, waited, shown, earlier }: AskedRequest,
  signal: AbortSignal,
): Promise<UserTurn> {
  const turnId = newId("turn");
  const attachments = await tools.attach(turnId, refs, signal, earlier);
  const sent = { ...shown, ...(attachments.length > 0 && { attachments }) };
  const named = messages.length > 0 && { messages: [...messages] };
  const start = { type: "turn-start", role: "user", parentTurnId, text, model: null } as const;
  hub.emit(turnId, { ...start, ...sent, ...named });
  queue.remove(waited);
  return { role: "user", id: turnId, parentTurnId, startedAt: Date.now(), text, ...sent };
}
