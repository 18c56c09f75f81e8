import type { ProposedFile, ShadowChanges } from "../../ports/commands/shadow.ts";
import type { ReviewOrigin } from "../../ports/review.ts";
import type { FileError } from "../../ports/workspace.ts";
import type { ToolContext } from "../tool.ts";

/**
 * A file with a change that waits for the user: its workspace path, and what the command did. Of one
 * that it gave the user's own text again, nothing waits any more.
 */
export interface ProposedPath {
  readonly path: string;
  readonly did:
    | "created"
    | "changed"
    | "deleted"
    | "renamed"
    | "made-executable"
    | "made-plain"
    | "taken-back";
  /** The new path of a renamed file. */
  readonly to?: string;
}

/** What a command changed. */
export type CommandChanges = Pick<ShadowChanges, "changes" | "modes">;

/** What became of a command's changes. */
export interface ProposedChanges {
  /** A file whose mode changed, too, is there twice. */
  readonly proposed: readonly ProposedPath[];
  /** What could not be proposed, and why; absolute paths of files elsewhere. */
  readonly refused: readonly { readonly path: string; readonly error: FileError }[];
}

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
