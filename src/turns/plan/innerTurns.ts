import type { AgentTurn, Turn, TurnTree } from "../turn.ts";

/** The turns of the agents that `turn` started, in the order of its calls. */
export function innerTurns(tree: Pick<TurnTree, "turns">, turn: Turn): readonly AgentTurn[] {
  if (turn.role !== "agent") return [];
  return [...turn.toolCalls.values()].flatMap(({ agentTurnId }) => {
    const inner = agentTurnId === null ? undefined : tree.turns.get(agentTurnId);
    return inner?.role === "agent" ? [inner] : [];
  });
}
