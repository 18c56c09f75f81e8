import type { ChatOptions } from "../../agent/chatOptions.ts";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import type { LanguageServices } from "../../ports/languageServices.ts";
import type { ContextMessage, PanelMessage } from "../../protocol/messages.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import type { AttachmentRef } from "../../turns/attachment.ts";
import type { RecentFiles } from "../workspace/vscodeEditorState.ts";
import type { VscodeWorkspace } from "../workspace/vscodeWorkspace.ts";
import { watchActiveFile } from "./activeFileRef.ts";
import { createAttachables, isUnread } from "./attachables.ts";
import { createAttachedText, type PendingText } from "./attachedText.ts";
import { FileList } from "./fileList.ts";
import type { ImageFiles } from "./imageStore.ts";
import { chooseImages, storeImage } from "./images.ts";
import { openAttachment } from "./openAttachment.ts";
import { type ExpandedMessage, expandMessage, suggestCommands } from "./slashCommands.ts";
import { suggestContext } from "./suggestions.ts";
import { writeCommitMessage } from "./writeCommitMessage.ts";

/** What chat context needs of the window. */
export interface ChatContextOptions {
  readonly workspace: VscodeWorkspace;
  readonly syntax: Syntax;
  readonly services: LanguageServices;
  readonly recent: RecentFiles;
  pending(): readonly PendingText[];
  /** Sends the composer a message. */
  tell(message: ContextMessage): void;
  readonly connect: ChatOptions["connect"];
  readonly images: ImageFiles;
  /** The chat that the panel shows. */
  chatId(): string;
}

/** What the user says a message is about: the composer's lists, attachments and commands. */
export interface ChatContext extends Disposable {
  /** Answers with `suggestions`; a later query ends an earlier one. */
  suggest(id: number, trigger: "@" | "/", query: string): Promise<void>;
  /** Tells the composer what is known of attachments that it has, or attaches what only the host can read. */
  measure(refs: readonly AttachmentRef[]): Promise<void>;
  attach(refs: readonly AttachmentRef[]): Promise<void>;
  attachUris(uris: readonly string[]): Promise<void>;
  /** With an `id`, the composer is told once all is read. */
  attachPaths(paths: readonly string[], id?: number): Promise<void>;
  /** Stores and attaches an image that the panel has scaled. */
  attachImage(image: PanelMessage & { readonly type: "attach-image" }): Promise<void>;
  open(ref: AttachmentRef): Promise<void>;
  expand(text: string, attached: readonly AttachmentRef[]): Promise<ExpandedMessage>;
  /** The text of an attachment, for the chat. */
  readonly attachedText: (ref: AttachmentRef) => Promise<string | null>;
  /** Puts a message for the changes into the input of `repository`, a source control, or of the first one. */
  writeCommitMessage(repository: unknown): Promise<void>;
  /** Tells the composer of the active file again: the panel is new. */
  ready(): void;
}

/** Connects the composer's attachments with the editor. */
export function createChatContext(options: ChatContextOptions): ChatContext {
  const { workspace, tell, images } = options;
  const stack = new DisposableStack();
  const files = stack.add(new FileList());
  const attachedText = createAttachedText(options);
  const attachables = createAttachables(
    workspace,
    options.syntax,
    attachedText,
    async (id) => (await images.find(options.chatId(), id)) !== null,
  );
  const tellAll = (messages: readonly ContextMessage[]) => messages.forEach(tell);
  let active: ContextMessage = { type: "active-file", ref: null };
  let asked = new AbortController();
  stack.add({ dispose: () => asked.abort() });
  stack.add(
    watchActiveFile((ref) => {
      active = { type: "active-file", ref };
      tell(active);
    }),
  );
  return {
    attachedText,
    ready: () => tell(active),
    async suggest(id, trigger, query) {
      asked.abort();
      asked = new AbortController();
      const { signal } = asked;
      if (trigger === "@") {
        await suggestContext(query, { ...options, files }, (items, complete) => tell({ type: "suggestions", id, items, complete }), signal);
        return;
      }
      const items = await suggestCommands(query, workspace);
      if (!signal.aborted) tell({ type: "suggestions", id, items, complete: true });
    },
    async measure(refs) {
      const known = refs.filter((ref) => !isUnchosen(ref));
      if (known.length < refs.length) tellAll(await chooseImages());
      if (known.length === 0) return;
      const message = await attachables.measure(known);
      tell(known.some(isUnread) ? message : { type: "measured", items: message.items });
    },
    attach: async (refs) => tellAll(await attachables.attach(refs)),
    attachUris: async (uris) => tellAll(await attachables.dropped(uris)),
    async attachPaths(paths, id) {
      try {
        tellAll(await attachables.named(paths));
      } finally {
        if (id !== undefined) tell({ type: "attach", items: [], refused: [], answers: id });
      }
    },
    attachImage: async (image) => tell({ ...(await storeImage(image, images)), answers: image.id }),
    open: async (ref) => openAttachment(ref, workspace, ref.image ? await images.find(options.chatId(), ref.image.id) : null),
    writeCommitMessage: (repository) => writeCommitMessage(repository, options.connect),
    expand: (text, attached) => expandMessage(text, attached, workspace),
    dispose: () => stack.dispose(),
  };
}

/** True for an image that the user is yet to choose. */
function isUnchosen({ kind, image }: AttachmentRef): boolean {
  return kind === "image" && image === undefined;
}
