import type { LearnedCapabilities } from "../../model/learnedCapabilities.ts";
import type { ImageStore } from "../../ports/imageStore.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { ModelConnection } from "../chatOptions.ts";
import { type ImageSupport, mayRefusePart } from "../loop/partRefusal.ts";
import { hasNotice } from "./toolSupport.ts";

/** Where a turn's images come from, and where it is remembered that a model takes none. */
interface ImageSupportParts {
  readonly connection: ModelConnection;
  readonly learned: LearnedCapabilities;
  /** Holds the chat's turns. */
  readonly tree: TurnTree;
  readonly chatId: string;
  readonly store: ImageStore;
  readonly emit: EmitTurnEvent;
}

/**
 * The images for a turn's requests; null where the model takes none, as somebody said or as it turned out. Learns that from a request
 * that succeeded only without images, unless the model has answered one with images in this chat.
 */
export function imageSupport({ connection, learned, tree, chatId, store, emit }: ImageSupportParts): ImageSupport | null {
  const { model, info } = connection;
  if (!(info?.images ?? !learned.refused.has("images"))) return null;
  const bytes = new Map<string, Uint8Array>();
  return {
    async load(messages) {
      const images = messages.flatMap((message) => (message.role === "user" ? (message.images ?? []) : []));
      const shown = new Map<string, Uint8Array>();
      for (const { id } of images) {
        const data = bytes.get(id) ?? (await store.read(chatId, id));
        if (data) bytes.set(id, data);
        if (data) shown.set(id, data);
      }
      return shown;
    },
    isCertain: () => info?.images === true || hasSeenImages(tree, model),
    refused(error) {
      learned.refuse("images", mayRefusePart(error) === "request");
      if (!hasNotice(tree, model, "images-refused")) emit({ type: "notice", level: "warning", code: "images-refused", error });
    },
  };
}

/** True where the model has answered a message with images, and did not refuse them. */
function hasSeenImages(tree: TurnTree, model: string): boolean {
  if (hasNotice(tree, model, "images-refused")) return false;
  return [...tree.turns.values()].some((turn) => {
    const asked = turn.role === "agent" && turn.parentTurnId !== null ? tree.turns.get(turn.parentTurnId) : undefined;
    const hadImages = asked?.role === "user" && asked.attachments?.some(({ image }) => image !== undefined) === true;
    return turn.role === "agent" && hadImages && turn.model === model && turn.parts.some(({ type }) => type === "text");
  });
}
