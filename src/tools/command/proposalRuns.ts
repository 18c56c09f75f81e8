import { err, ok, type Result } from "../../base/result.ts";
import type {
  CopyProgress,
  Ground,
  Shadow,
  ShadowPlace,
  ShadowProblem,
  Shadows,
} from "../../ports/commands/shadow.ts";
import type { Git } from "../../ports/git.ts";
import type { SavedFiles } from "../../ports/savedFiles.ts";
import type { ShadowResult, ToolContext } from "../tool.ts";
import type { ChatProposals } from "./chatProposals.ts";

/** Where commands run while changes are proposed. */
export type RunPlace = "proposals" | "workspace";

/** Folders that people install packages into, and want to have. */
const INSTALLED = /[\\/](?:node_modules|\.venv|venv|vendor)$/;
/** The most changes of a command that are proposed; more stay where it ran. */
const MOST_PROPOSED = 300;

/** Offers to put into the workspace what a command made where it ran. */
export interface KeepOffers {
  /** `path` is absolute; `keep` puts it there, and its error is the system's message. */
  made(path: string, keep: () => Promise<Result<null, string>>): void;
}

/** Runs of commands on what a chat proposes. */
export interface ProposalRuns {
  /**
   * How a command now sees the proposals, unless its call says otherwise; null where it runs on the
   * user's own files.
   */
  ground(asked?: RunPlace): Promise<Ground | null>;
  /** Why a command that is to run on the proposals cannot, or null. */
  problem(asked?: RunPlace): Promise<ShadowProblem | null>;
  /** Puts what is proposed in place. Call {@link ProposalRun.end} when the command is over. */
  begin(context: ToolContext): Promise<Result<ProposalRun, ShadowProblem>>;
  /** The same for a program that changes nothing. */
  look(
    signal: AbortSignal,
    tell?: (copied: CopyProgress) => void,
  ): Promise<Result<ProposalLook, ShadowProblem>>;
}

/** A stay in the shadow. */
export interface ProposalLook extends ShadowPlace {
  end(): Promise<void>;
}

/** A command's stay in the shadow. */
export interface ProposalRun extends ProposalLook {
  /** Proposes what changed. Calling it again looks again. */
  settle(): Promise<ShadowResult>;
}

/**
 * The runs of a chat; `setting` is the user's choice of the place, and `checked` settles when no
 * check is in the chat's shadow.
 */
export function proposalRuns(
  shadows: Shadows | null,
  proposals: ChatProposals,
  setting: () => RunPlace,
  offers: KeepOffers = { made() {} },
  checked: (chatId: string) => Promise<unknown> = async () => undefined,
): ProposalRuns {
  const { chatId } = proposals;
  const look: ProposalRuns["look"] = async (signal, tell) => {
    if (shadows === null) return err({ code: "unsupported-system", detail: "" });
    await checked(chatId);
    const shadow = shadows.of(chatId);
    const entered = await shadow.enter(proposals.files(), signal, tell);
    if (!entered.ok) return entered;
    const place = entered.value;
    return ok({
      ground: place.ground,
      enter: (program) => place.enter(program),
      at: (file) => place.at(file),
      end: () => shadow.leave(),
    });
  };
  // The model can leave the proposals, but not choose them against the user.
  const isWanted = (asked?: RunPlace) =>
    ![asked, setting()].includes("workspace") && proposals.paths().length > 0;
  return {
    look,
    async ground(asked) {
      if (shadows === null || !isWanted(asked)) return null;
      return (await shadows.problem()) === null ? (await shadows.ground()).ground : null;
    },
    problem: async (asked) => (shadows && isWanted(asked) ? shadows.problem() : null),
    async begin(context) {
      if (shadows === null) return err({ code: "unsupported-system", detail: "" });
      const shadow = shadows.of(chatId);
      await checked(chatId);
      // What a command in the background changed meanwhile is proposed, too.
      const { ground } = await shadows.ground();
      const settled = () => settle(shadow, ground, proposals, context, offers);
      await settled();
      const { emit, callId } = context;
      let isTold = false;
      const begun = await look(context.signal, (copied) => {
        isTold = true;
        emit({ type: "tool-progress", callId, text: "", copied });
      });
      if (!begun.ok) return begun;
      if (isTold) emit({ type: "tool-progress", callId, text: "" });
      return ok({ ...begun.value, settle: settled });
    },
  };
}

/** Python writes the path of such a folder into it, so it is of no use elsewhere. */
const PLACED = /[\\/](?:\.venv|venv)$/;

async function settle(
  shadow: Shadow,
  ground: Ground,
  proposals: ChatProposals,
  context: ToolContext,
  offers: KeepOffers,
): Promise<ShadowResult> {
  // What has changed by now is proposed, even if nobody waits for the command any more.
  const found = await shadow.collect(new AbortController().signal);
  const { changes, unshown, ignored, repository } = found;
  const isUseful = (path: string) =>
    INSTALLED.test(path) && !(ground === "copy" && PLACED.test(path));
  for (const path of ignored.filter(isUseful)) offers.made(path, () => shadow.keep(path));
  const isTooMany = found.truncated || changes.length > MOST_PROPOSED;
  const { proposed, refused } = isTooMany
    ? { proposed: [], refused: [] }
    : await proposals.propose(changes, context);
  return {
    ground,
    proposed,
    refused,
    unshown,
    ignored,
    repository,
    unproposed: isTooMany ? changes.length : 0,
  };
}

/** `git` on what a chat proposes, where it only reads and commands run there. */
export function gitOnProposals(git: Git, runs: ProposalRuns): Git {
  return {
    ...git,
    async run(run, signal) {
      if (run.changes || (await runs.ground()) === null) return git.run(run, signal);
      const place = await runs.look(signal);
      if (!place.ok) {
        const { detail } = place.error;
        return err({ code: "not-started", program: "git", detail });
      }
      try {
        return await git.run({ ...run, place: place.value }, signal);
      } finally {
        await place.value.end();
      }
    },
  };
}

/** The files that a call does not see as they are in the chat or the editor: not the chat's own. */
export function filesOfOthers(files: SavedFiles, proposals: ChatProposals): SavedFiles {
  return {
    pending() {
      const own = proposals.paths();
      return files.pending().filter((path) => !own.includes(path));
    },
    unsaved: () => files.unsaved(),
    saveAccepted: (signal) => files.saveAccepted(signal),
  };
}

/** What is said of a run that changed nothing. */
export const nothingChanged = (ground: Ground): ShadowResult => ({
  ground,
  proposed: [],
  refused: [],
  unshown: [],
  ignored: [],
  repository: false,
  unproposed: 0,
});
