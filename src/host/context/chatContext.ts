import type { Chat } from "../../agent/chat/chat.ts";
import type { ChatOptions } from "../../agent/chatOptions.ts";
import { DisposableStack } from "../../base/disposable.ts";
import type { Git } from "../../ports/commands/git.ts";
import type { LanguageServices } from "../../ports/languageServices.ts";
import type { ContextMessage } from "../../protocol/messages.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import type { NamedOffers } from "../../tools/command/chatAgent.ts";
import type { ServerPrompts } from "../../tools/mcp/mcpPrompt.ts";
import type { AttachmentRef } from "../../turns/attachment.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { RecentFiles } from "../workspace/vscodeEditorState.ts";
import type { VscodeWorkspace } from "../workspace/vscodeWorkspace.ts";
import { watchActiveFile } from "./activeFileRef.ts";
import { Attachables, isUnread } from "./attachables.ts";
import type { PendingText } from "./attachedText.ts";
import { FileList } from "./fileList.ts";
import type { ImageFiles } from "./imageStore.ts";
import { chooseImages, type ScaledImageMessage, storeImage } from "./images.ts";
import { openAttachment } from "./openAttachment.ts";
import { expandMessage, suggestCommands } from "./slashCommands.ts";
import { suggestContext } from "./suggestions.ts";
import { writeCommitMessage } from "./writeCommitMessage.ts";

/** The parts of the window that chat context needs. */
export interface ChatContextOptions {
  readonly workspace: VscodeWorkspace;
  readonly syntax: Syntax;
  readonly services: LanguageServices;
  readonly recent: RecentFiles;
  pending(): readonly PendingText[];
  /** Sends a message to the composer. */
  tell(message: ContextMessage): void;
  readonly connect: ChatOptions["connect"];
  readonly git: Git | null;
  readonly attachedText: NonNullable<ChatOptions["attached"]>;
  readonly serverPrompts: ServerPrompts;
  readonly images: ImageFiles;
  /** True where pages of the web can be read. */
  readonly hasWeb: boolean;
  /** The chat shown in the panel. */
  chat(): Pick<Chat, "chatId" | "tree">;
  /** What the agent offers that answers next in a chat; null for a model. */
  offers(tree: TurnTree): NamedOffers | null;
}

/** The context that the user gives with a message: suggestions, attachments and slash commands. */
export type ChatContext = ReturnType<typeof createChatContext>;

/** Connects the composer's attachments to the editor. */
export function createChatContext(options: ChatContextOptions) {
  const { workspace, syntax, tell, images, chat, attachedText, connect, git } = options;
  const stack = new DisposableStack();
  const files = stack.add(new FileList());
  const find = (id: string) => images.find(chat().chatId, id);
  const isKept = async (id: string) => (await find(id)) !== null;
  const attachables = new Attachables(workspace, syntax, attachedText, isKept);
  const tellAll = (messages: readonly ContextMessage[]) => messages.forEach(tell);
  let active: ContextMessage = { type: "active-file", ref: null };
  const suggestions = stack.add(createSuggestions({ ...options, files }));
  stack.add(
    watchActiveFile((ref) => {
      active = { type: "active-file", ref };
      tell(active);
    }),
  );
  return {
    /** Tells a new panel the active file. */
    ready: () => tell(active),

    suggest: suggestions.suggest,

    /** Measures the composer's attachments, or attaches those that only the host can read. */
    async measure(refs: readonly AttachmentRef[]): Promise<void> {
      const known = refs.filter((ref) => !isUnchosen(ref));
      if (known.length < refs.length) tellAll(await chooseImages());
      if (known.length === 0) return;
      const message = await attachables.measure(known);
      tell(known.some(isUnread) ? message : { type: "measured", items: message.items });
    },

    attach: async (refs: readonly AttachmentRef[]) => tellAll(await attachables.attach(refs)),
    attachUris: async (uris: readonly string[]) => tellAll(await attachables.dropped(uris)),

    /** With an `id`, notifies the composer when everything is read. */
    async attachPaths(paths: readonly string[], id?: number): Promise<void> {
      try {
        tellAll(await attachables.named(paths));
      } finally {
        if (id !== undefined) tell({ type: "attach", items: [], refused: [], answers: id });
      }
    },

    /** Stores and attaches an image that the panel has scaled. */
    async attachImage(image: ScaledImageMessage): Promise<void> {
      tell({ ...(await storeImage(image, images)), answers: image.id });
    },

    open: async (ref: AttachmentRef) =>
      openAttachment(ref, workspace, ref.image ? await find(ref.image.id) : null),
    expand: (text: string, attached: readonly AttachmentRef[], { tree }: Pick<Chat, "tree">) =>
      expandMessage(text, attached, options, options.offers(tree)),

    /**
     * Writes a commit message into the Source Control input of `repository`, or of the first one.
     */
    writeCommitMessage: (repository: unknown) => writeCommitMessage(repository, connect, git),
    dispose: () => stack.dispose(),
  };
}

/** Answers the composer's queries with `suggestions`. A later query cancels an earlier one. */
function createSuggestions(options: ChatContextOptions & { readonly files: FileList }) {
  const { tell } = options;
  let asked = new AbortController();
  return {
    async suggest(id: number, trigger: "@" | "/", query: string): Promise<void> {
      asked.abort();
      asked = new AbortController();
      const { signal } = asked;
      if (trigger === "@") {
        await suggestContext(
          query,
          options,
          (items, complete) => tell({ type: "suggestions", id, items, complete }),
          signal,
        );
        return;
      }
      const items = await suggestCommands(query, options, options.offers(options.chat().tree));
      if (!signal.aborted) tell({ type: "suggestions", id, items, complete: true });
    },
    dispose: () => asked.abort(),
  };
}

/** Whether the user still has to choose this image. */
function isUnchosen({ kind, image }: AttachmentRef): boolean {
  return kind === "image" && image === undefined;
}
