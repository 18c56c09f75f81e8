import { newId } from "../../base/ids.ts";
import type { Attachment, AttachmentRef } from "../../turns/attachment.ts";
import type { UserTurn } from "../../turns/turn.ts";
import type { QueuedMessage } from "../../turns/turnEvent.ts";
import type { ChatOptions } from "../chatOptions.ts";
import type { AnswerParts } from "./answeringTurn.ts";
import { removeQueued } from "./answerRequest.ts";

/** A request that is about to be answered. */
interface AskedRequest extends Pick<UserTurn, "parentTurnId" | "text"> {
  readonly refs: readonly AttachmentRef[];
  /** The ids of the messages that it is made of; those that `waited` are no longer queued. */
  readonly messages: readonly string[];
  readonly waited: readonly QueuedMessage[];
  readonly shown: Pick<UserTurn, "editFile" | "activeFile" | "editor" | "spoken">;
  readonly earlier: readonly Attachment[] | undefined;
}

/** What the editor shows as a request is written; nothing where that names a file to edit. */
export function shownWith(
  options: Pick<ChatOptions, "activeFile" | "editorView">,
  editFile: string | null,
  spoken: boolean,
): AskedRequest["shown"] {
  const editor = editFile === null ? options.editorView?.() : undefined;
  return {
    editFile,
    activeFile: editFile === null ? options.activeFile() : null,
    ...(editor && { editor }),
    ...(spoken && { spoken: true as const }),
  };
}

/** Puts a request on record as a turn, with what is attached to it as it is now. */
export async function writeUserTurn(
  { hub, tree, tools }: Pick<AnswerParts, "hub" | "tree" | "tools">,
  { parentTurnId, text, refs, messages, waited, shown, earlier }: AskedRequest,
  signal: AbortSignal,
): Promise<UserTurn> {
  const turnId = newId("turn");
  const attachments = await tools.attach(turnId, refs, signal, earlier);
  const sent = { ...shown, ...(attachments.length > 0 && { attachments }) };
  const named = messages.length > 0 && { messages: [...messages] };
  const start = { type: "turn-start", role: "user", parentTurnId, text, model: null } as const;
  hub.emit(turnId, { ...start, ...sent, ...named });
  removeQueued(hub, tree, waited);
  return { role: "user", id: turnId, parentTurnId, startedAt: Date.now(), text, ...sent };
}
