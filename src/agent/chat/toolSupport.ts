import type { LearnedCapabilities } from "../../model/learnedCapabilities.ts";
import { type ModelError, modelError } from "../../model/modelFailure.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { AgentTurn, TurnNotice, TurnTree } from "../../turns/turn.ts";
import type { ModelConnection } from "../chatOptions.ts";
import { mayRefusePart, type PartSupport } from "../loop/partRefusal.ts";

/** Where a turn's support for tools is looked up and remembered. */
interface ToolSupportParts {
  readonly connection: ModelConnection;
  readonly learned: LearnedCapabilities;
  /** Holds the chat's turns. */
  readonly tree: TurnTree;
  /** The turn has tools besides Graft's own. */
  readonly hasOtherTools: boolean;
  readonly emit: EmitTurnEvent;
}

/** True where requests to the model may carry tools: as the user says, else unless it turned out to refuse them. */
export function offersTools({ connection, learned }: Pick<ToolSupportParts, "connection" | "learned">): boolean {
  return connection.info?.tools ?? !learned.refused.has("tools");
}

/**
 * Learns whether a model supports tools. A turn continues without them once a request succeeded only without; later turns too where
 * nothing else can explain it:
 * - A status that calls the request itself wrong counts at once. A 500 may pass, so it counts the second time.
 * - Calls of another model may be what the server refused; without tools they are sent as text.
 * - A server refuses all tools for the schema of one, so tools that are not Graft's own prove nothing.
 * - A model that has called tools in this chat supports them.
 */
export function toolSupport(parts: ToolSupportParts): PartSupport {
  const { connection, learned, tree, hasOtherTools } = parts;
  return {
    isCertain: () => connection.info?.tools === true || callingTurns(tree).some(({ model }) => model === connection.model),
    refused(error) {
      const means = mayRefusePart(error);
      if (means !== null && !hasOtherTools && callingTurns(tree).length === 0) learned.refuse("tools", means === "request");
      tellToolsRefused(parts, error);
    },
  };
}

/** Tells the user, once a chat, that the model gets no tools, and what the server said where it just refused them. */
export function tellToolsRefused({ connection, tree, emit }: ToolSupportParts, refused: ModelError | null = null): void {
  const { model, client } = connection;
  const { status, said } = refused ?? {};
  const facts = { ...(status !== undefined && { status }), ...(said !== undefined && { said }) };
  const error = modelError({ code: "tools-refused", ...facts }, { baseUrl: refused?.baseUrl ?? client.baseUrl, model });
  if (!hasNotice(tree, model, "tools-refused")) emit({ type: "notice", level: "warning", code: "tools-refused", error });
}

/** True where the user has been told this of a model before. */
export function hasNotice(tree: TurnTree, model: string, code: TurnNotice["code"]): boolean {
  return agentTurns(tree).some((turn) => turn.model === model && turn.parts.some((part) => part.type === "notice" && part.code === code));
}

/** The turns in which a model called tools; edit mode on a file that the user named is called by Graft. */
function callingTurns(tree: TurnTree): readonly AgentTurn[] {
  return agentTurns(tree).filter((turn) => {
    const asked = turn.parentTurnId === null ? undefined : tree.turns.get(turn.parentTurnId);
    return turn.toolCalls.size > 0 && !(asked?.role === "user" && asked.editFile !== null);
  });
}

function agentTurns(tree: TurnTree): readonly AgentTurn[] {
  return [...tree.turns.values()].flatMap((turn) => (turn.role === "agent" ? [turn] : []));
}
