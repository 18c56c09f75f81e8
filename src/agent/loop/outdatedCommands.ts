import type { OutdatedCommand } from "../../edits/messages.ts";
import type { BlockOutcome } from "../../ports/review.ts";
import type { EditStatus } from "../../turns/editBlock.ts";
import { type AgentTurn, agentTurns, runningOnProposals, type TurnTree } from "../../turns/turn.ts";
import type { TurnEventBody } from "../../turns/turnEvent.ts";

const REJECTED: ReadonlySet<EditStatus> = new Set(["rejected", "partly-applied"]);

/**
 * What the records get where blocks of a turn have these outcomes: a command that runs on the
 * proposals, and saw one that is rejected now, still has the old text. By turn.
 */
export function outdatedCommands(
  tree: TurnTree,
  turnId: string,
  path: string,
  blocks: readonly Pick<BlockOutcome, "blockId" | "status">[],
): readonly (readonly [turnId: string, TurnEventBody])[] {
  const rejected = blocks.filter(({ status }) => REJECTED.has(status));
  if (rejected.length === 0) return [];
  return agentTurns(tree).flatMap((of) =>
    runningOnProposals(of).flatMap(({ callId, serves = [], outdated = [] }) => {
      const hasSeen = serves.some(
        (seen) =>
          seen.turnId === turnId && rejected.some(({ blockId }) => blockId === seen.blockId),
      );
      if (!hasSeen || outdated.includes(path)) return [];
      const paths = [...outdated, path];
      return [[of.id, { type: "command-outdated" as const, callId, paths }] as const];
    }),
  );
}

/** Those of a turn. */
export function outdatedOf(turn: AgentTurn): readonly OutdatedCommand[] {
  return runningOnProposals(turn).flatMap(({ input, outdated: paths = [] }) =>
    paths.length > 0 ? [{ command: commandLine(input), paths }] : [],
  );
}

/** The command line in the arguments of a call; "" where there is none. */
export function commandLine(input: unknown): string {
  const isNamed = typeof input === "object" && input !== null && "command" in input;
  return isNamed ? String(input.command) : "";
}
