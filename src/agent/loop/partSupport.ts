import type { LearnedCapabilities } from "../../model/learnedCapabilities.ts";
import type { Message } from "../../model/message.ts";
import { type ModelError, modelError } from "../../model/modelFailure.ts";
import type { ImageStore } from "../../ports/imageStore.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { AgentTurn, TurnNotice, TurnTree, UserTurn } from "../../turns/turn.ts";
import type { TurnError } from "../../turns/turnError.ts";
import type { ModelConnection } from "../chatOptions.ts";

/**
 * How a request offers tools: as the API has it, or described in the text, with calls written as
 * text.
 */
export type ToolForm = "native" | "text";

/** A part of requests that servers may refuse: tools, or images. */
export interface PartSupport {
  /** True where a failure cannot be about this part. */
  isCertain(): boolean;
  /** A request with the part failed with `error`, and the same one without it was answered. */
  refused(error: ModelError): void;
}

/** The images of a turn's requests. */
export interface ImageSupport extends PartSupport {
  /** The bytes of the messages' images, by id, as far as they still exist. */
  load(messages: readonly Message[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** A turn's model, and where it is looked up and remembered what the model supports. */
export interface SupportParts {
  readonly connection: ModelConnection;
  readonly learned: LearnedCapabilities;
  /** Holds the chat's turns. */
  readonly tree: TurnTree;
  /** The turn has tools besides Graft's own. */
  readonly hasOtherTools: boolean;
  readonly emit: EmitTurnEvent;
}

/** Statuses of a request that the server will never take as it is. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);
/** Failures that servers also use for a request of which they do not know a part. */
const CODES: ReadonlySet<TurnError["code"]> = new Set([
  "rejected",
  "model-not-found",
  "api-not-found",
  "server-error",
  "stream-error",
]);

/**
 * Whether a failed request may succeed without tools or images, whatever the server says: `request`
 * where it will never succeed as it is, `server` where it may also succeed later (llama.cpp refuses
 * tools with 500). Null for other failures.
 */
export function mayRefusePart(error: TurnError | null): "request" | "server" | null {
  if (error?.code === "tools-refused") return "request";
  if (error === null || !CODES.has(error.code) || !("model" in error) || error.begun) return null;
  const { status = 500 } = error;
  return REFUSED.has(status) ? "request" : status === 500 ? "server" : null;
}

/**
 * How requests to the model offer tools: as the user says, else as text once it turned out to
 * refuse them.
 */
export function toolFormOf({
  connection,
  learned,
}: Pick<SupportParts, "connection" | "learned">): ToolForm {
  return (connection.info?.tools ?? !learned.refused.has("tools")) ? "native" : "text";
}

/**
 * Learns whether a model supports tools. A turn continues with tools as text once a request
 * succeeded only without; later turns too where nothing else can explain it:
 * - A status that calls the request itself wrong counts at once. A 500 may pass, so it counts the
 *   second time.
 * - Calls of another model may be what the server refused; without tools they are sent as text.
 * - A server refuses all tools for the schema of one, so tools that are not Graft's own prove
 *   nothing.
 * - A model that has called tools in this chat supports them.
 */
export function toolSupport(parts: SupportParts): PartSupport {
  const { connection, learned, tree, hasOtherTools } = parts;
  // Asked before the turn calls tools in text.
  const hadCalls = callingTurns(tree).length > 0;
  return {
    isCertain: () => connection.info?.tools === true || hasCalled(tree, connection.model),
    refused(error) {
      const means = mayRefusePart(error);
      if (means !== null && !hasOtherTools && !hadCalls)
        learned.refuse("tools", means === "request");
      tellToolsRefused(parts, error);
    },
  };
}

/**
 * Tells the user, once a chat, that the server takes no tools, and what it said where it just
 * refused them.
 */
export function tellToolsRefused(
  { connection, tree, emit }: SupportParts,
  refused: ModelError | null = null,
): void {
  const { model, client } = connection;
  const { status, said } = refused ?? {};
  const facts = { ...(status !== undefined && { status }), ...(said !== undefined && { said }) };
  const error = modelError(
    { code: "tools-refused", ...facts },
    { baseUrl: refused?.baseUrl ?? client.baseUrl, model },
  );
  if (!hasNotice(tree, model, "tools-refused"))
    emit({ type: "notice", level: "warning", code: "tools-refused", error });
}

/**
 * The images of chat `chatId` for a turn's requests; null where the model takes none, as somebody
 * said or as it turned out. Learns that from a request that succeeded only without images, unless
 * the model has answered one with images in this chat.
 */
export function imageSupport(
  { connection, learned, tree, emit }: SupportParts,
  store: ImageStore,
  chatId: string,
): ImageSupport | null {
  const { model, info } = connection;
  if (!(info?.images ?? !learned.refused.has("images"))) return null;
  return {
    async load(messages) {
      const bytes = new Map<string, Uint8Array>();
      for (const { id } of messages.flatMap((message) =>
        message.role === "user" ? (message.images ?? []) : [],
      )) {
        const data = await store.read(chatId, id);
        if (data) bytes.set(id, data);
      }
      return bytes;
    },
    isCertain: () => info?.images === true || hasSeenImages(tree, model),
    refused(error) {
      learned.refuse("images", mayRefusePart(error) === "request");
      if (!hasNotice(tree, model, "images-refused"))
        emit({ type: "notice", level: "warning", code: "images-refused", error });
    },
  };
}

/** True where the user has been told this of a model before. */
export function hasNotice(tree: TurnTree, model: string, code: TurnNotice["code"]): boolean {
  return agentTurns(tree).some((turn) => turn.model === model && tells(turn, code));
}

function tells({ parts }: AgentTurn, code: TurnNotice["code"]): boolean {
  return parts.some((part) => part.type === "notice" && part.code === code);
}

/** True where the model has answered a message with images, and did not refuse them. */
function hasSeenImages(tree: TurnTree, model: string): boolean {
  if (hasNotice(tree, model, "images-refused")) return false;
  return agentTurns(tree).some((turn) => {
    const hadImages =
      askedBy(tree, turn)?.attachments?.some(({ image }) => image !== undefined) === true;
    return hadImages && turn.model === model && turn.parts.some(({ type }) => type === "text");
  });
}

/** True where the model has called tools in the chat, other than in text. */
export function hasCalled(tree: TurnTree, wanted: string): boolean {
  return callingTurns(tree).some(({ model }) => model === wanted);
}

/**
 * The turns in which a model called tools, other than in text; edit mode on a file that the user
 * named is called by Graft.
 */
function callingTurns(tree: TurnTree): readonly AgentTurn[] {
  const turns = agentTurns(tree);
  const refusing = new Set(
    turns.filter((turn) => tells(turn, "tools-refused")).map(({ model }) => model),
  );
  return turns.filter((turn) => {
    const isByModel = turn.toolCalls.size > 0 && (askedBy(tree, turn)?.editFile ?? null) === null;
    return isByModel && !refusing.has(turn.model);
  });
}

function agentTurns(tree: TurnTree): readonly AgentTurn[] {
  return [...tree.turns.values()].flatMap((turn) => (turn.role === "agent" ? [turn] : []));
}

/** The request that a turn answers. */
function askedBy(tree: TurnTree, { parentTurnId }: AgentTurn): UserTurn | null {
  const turn = tree.turns.get(parentTurnId ?? "");
  return turn?.role === "user" ? turn : null;
}
