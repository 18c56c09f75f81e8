import type { Attachment, AttachmentRef } from "../../turns/attachment.ts";

/** A message as the user wrote or said it. */
export interface WrittenMessage {
  readonly text: string;
  readonly attached?: readonly AttachmentRef[] | undefined;
  /** The attachments of the request that it replaces. */
  readonly earlier?: readonly Attachment[];
  readonly id?: string;
  readonly spoken?: boolean | undefined;
}

/** Several messages as one request. */
export function joinMessages(messages: readonly WrittenMessage[]): {
  /** "" where no message has words. */
  readonly text: string;
  readonly refs: readonly AttachmentRef[];
  readonly spoken: boolean;
  readonly ids: readonly string[];
} {
  return {
    text: messages
      .flatMap((message) => (message.text.trim() === "" ? [] : [message.text]))
      .join("\n\n"),
    refs: messages.flatMap(({ attached = [] }) => attached),
    spoken: messages.some((message) => message.spoken),
    ids: messages.flatMap(({ id }) => id ?? []),
  };
}
