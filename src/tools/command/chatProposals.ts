import type { ProposedFile, ShadowChanges } from "../../ports/commands/shadow.ts";
import type { ReviewOrigin } from "../../ports/review.ts";
import type { ProposedChanges, ToolContext } from "../tool.ts";

/** What a command changed. */
export type CommandChanges = Pick<ShadowChanges, "changes" | "modes">;

/** The call for which something is proposed. */
export interface ProposingContext
  extends Pick<ToolContext, "turnId" | "callId" | "emit" | "signal">,
    Pick<ReviewOrigin, "agent"> {}

/** What a chat proposes, as files, and where its commands propose more. */
export interface ChatProposals {
  readonly chatId: string;
  /** The workspace paths of the files that the chat's proposals change. */
  paths(): readonly string[];
  /** These files as they are proposed. */
  files(): readonly ProposedFile[];
  /** Proposes what a command changed, as blocks of its call. */
  propose(changes: CommandChanges, context: ProposingContext): Promise<ProposedChanges>;
}

/** Where nothing is ever proposed. */
export const noProposals: ChatProposals = {
  chatId: "",
  paths: () => [],
  files: () => [],
  propose: async () => ({ proposed: [], refused: [] }),
};
