import { err, ok, type Result } from "../../base/result.ts";
import type { Git } from "../../ports/commands/git.ts";
import type {
  CopyProgress,
  IgnoredFolder,
  Shadow,
  ShadowBackendName,
  ShadowChange,
  ShadowMode,
  ShadowPlace,
  ShadowProblem,
  Shadows,
} from "../../ports/commands/shadow.ts";
import type { SavedFiles } from "../../ports/savedFiles.ts";
import type { ProposedPath, ShadowResult } from "../tool.ts";
import type { ChatProposals, ProposingContext } from "./chatProposals.ts";
import { shadowReason } from "./messages.ts";

/** Where commands run while changes are proposed. */
export type RunPlace = "proposals" | "workspace";

/** The user's choices about that; with `only-proposals` no command runs anywhere else. */
export interface RunChoice {
  readonly on: RunPlace | "ask" | "only-proposals";
  /** With `auto`, commands in an overlay have a sandbox where they can, and no question. */
  readonly sandbox: "off" | "auto";
}

/** How a command will run. */
export interface RunWay {
  /** How it sees the proposals; null where it runs on the user's own files. */
  readonly backend: ShadowBackendName | null;
  readonly isSandboxed: boolean;
}

/** What a call says about it. */
export interface RunWish {
  readonly on?: RunPlace | undefined;
  /** True where it cannot have a sandbox: it needs the network, or the user has to reach it. */
  readonly needsNetwork: boolean;
}

/** The most changes of a command that are proposed; more stay where it ran. */
const MOST_PROPOSED = 300;

/** Offers to put into the workspace what a command made where it ran. */
export interface KeepOffers {
  /** Ignored folders that it made or changed; at least one. */
  made(folders: readonly IgnoredFolder[], shadow: Pick<Shadow, "compare" | "keepFolder">): void;
}

/** Runs of commands on what a chat proposes. */
export interface ProposalRuns {
  /** How a program without a wish of its own now sees the proposals; null for the user's files. */
  backend(signal: AbortSignal): Promise<ShadowBackendName | null>;
  way(wish: RunWish, signal: AbortSignal): Promise<RunWay>;
  /** True where the user wants to be asked where such a command runs. */
  isChosenEachTime(asked?: RunPlace): boolean;
  /** True where a command may run nowhere but on the proposals, also where there are none yet. */
  readonly isOnlyOnProposals: boolean;
  /** Why a command that is to run on the proposals cannot, or null. */
  problem(asked: RunPlace | undefined, signal: AbortSignal): Promise<ShadowProblem | null>;
  /** Puts what is proposed in place. Call {@link CommandStay.end} when the command is over. */
  begin(context: ProposingContext): Promise<Result<CommandStay, ShadowProblem>>;
  /** The same for a program that changes nothing. */
  look(
    signal: AbortSignal,
    tell?: (copied: CopyProgress) => void,
  ): Promise<Result<ShadowStay, ShadowProblem>>;
  /**
   * The same for one that acts on what it finds, as git does on its settings, without a sandbox: it
   * meets nothing that a command in one has changed by then.
   */
  lookApart(signal: AbortSignal): Promise<Result<ShadowStay, ShadowProblem>>;
}

/** A stay in the shadow. */
export interface ShadowStay extends ShadowPlace {
  end(): Promise<void>;
}

/** A command's stay in the shadow. */
export interface CommandStay extends ShadowStay {
  /**
   * Proposes what changed, as blocks of its call, or of the one that `callOf` names for an absolute
   * path; with null it waits for the next time. Calling it again looks again.
   */
  settle(callOf?: (path: string) => string | null): Promise<ShadowResult>;
}

/**
 * The runs of a chat; `choice` is the user's, and `checked` settles when no check is in the chat's
 * shadow.
 */
export function proposalRuns(
  shadows: Shadows | null,
  proposals: ChatProposals,
  choice: () => RunChoice,
  offers: KeepOffers = { made() {} },
  checked: (chatId: string) => Promise<unknown> = async () => undefined,
): ProposalRuns {
  const { chatId } = proposals;
  const lookIn = async (
    id: string,
    ...[signal, tell]: Parameters<ProposalRuns["look"]>
  ): ReturnType<ProposalRuns["look"]> => {
    if (shadows === null) return err({ code: "unsupported-system", detail: "" });
    const shadow = shadows.of(id);
    const entered = await shadow.enter(proposals.files(), signal, tell);
    if (!entered.ok) return entered;
    const place = entered.value;
    return ok({
      backend: place.backend,
      enter: (program) => place.enter(program),
      at: (file) => place.at(file),
      newSandbox: () => place.newSandbox(),
      confine: (writes) => place.confine(writes),
      end: () => shadow.leave(),
    });
  };
  const look: ProposalRuns["look"] = async (signal, tell) => {
    await checked(chatId);
    return lookIn(chatId, signal, tell);
  };
  // The model can leave the proposals, but not choose them against the user.
  const isOnly = () => choice().on === "only-proposals";
  const isWanted = (asked?: RunPlace) =>
    isOnly() || (![asked, choice().on].includes("workspace") && proposals.paths().length > 0);
  const backend = async (signal: AbortSignal): Promise<ShadowBackendName | null> => {
    if (shadows === null || !isWanted()) return null;
    return (await shadows.problem(signal)) === null ? (await shadows.backend()).backend : null;
  };
  return {
    look,
    async lookApart(signal) {
      await checked(chatId);
      const isApart = (await shadows?.backend())?.backend === "overlay";
      const isUsed = isApart && (await shadows?.of(chatId).isUsed());
      return lookIn(isUsed ? `${chatId}/apart` : chatId, signal);
    },
    backend,
    async way({ on, needsNetwork }, signal) {
      const unsandboxed = {
        backend: on === "workspace" && !isOnly() ? null : await backend(signal),
        isSandboxed: false,
      };
      const isElsewhere = needsNetwork || (!isOnly() && [on, choice().on].includes("workspace"));
      if (shadows === null || choice().sandbox === "off" || isElsewhere) return unsandboxed;
      // In a sandbox commands run on the proposals also where there are none yet.
      return (await shadows.sandboxProblem()) === null
        ? { backend: "overlay", isSandboxed: true }
        : unsandboxed;
    },
    get isOnlyOnProposals() {
      return isOnly();
    },
    isChosenEachTime: (asked) => asked === undefined && choice().on === "ask" && isWanted(),
    problem: async (asked, signal) => (shadows && isWanted(asked) ? shadows.problem(signal) : null),
    async begin(context) {
      if (shadows === null) return err({ code: "unsupported-system", detail: "" });
      const shadow = shadows.of(chatId);
      await checked(chatId);
      // What a command in the background changed meanwhile is proposed, too.
      const { backend } = await shadows.backend();
      const held: HeldChanges = { changes: new Map(), modes: new Map() };
      const settled = (callOf: (path: string) => string | null = () => context.callId) =>
        settle({ shadow, backend, proposals, offers, held }, context, callOf);
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
/** What tools make anew by themselves, and nobody wants to have. */
const CACHE = /[\\/](?:__pycache__|\.[^\\/]*cache|\.gradle)$/;

interface SettledPlace {
  readonly shadow: Shadow;
  readonly backend: ShadowBackendName;
  readonly proposals: ChatProposals;
  readonly offers: KeepOffers;
  readonly held: HeldChanges;
}

/** What was found and is not proposed yet, by its path. */
interface HeldChanges {
  readonly changes: Map<string, ShadowChange>;
  readonly modes: Map<string, ShadowMode>;
}

async function settle(
  { shadow, backend, proposals, offers, held }: SettledPlace,
  context: ProposingContext,
  callOf: (path: string) => string | null,
): Promise<ShadowResult> {
  // What has changed by now is proposed, even if nobody still waits for the command.
  const found = await shadow.collect(new AbortController().signal);
  const { unshown, ignored, repository } = found;
  for (const change of found.changes) {
    const { before } = held.changes.get(change.path) ?? change;
    held.changes.set(change.path, { ...change, before });
  }
  for (const mode of found.modes) held.modes.set(mode.path, mode);
  const paths = [...new Set([...held.changes.keys(), ...held.modes.keys()])];
  const useful = found.ignoredFolders.filter(
    ({ path }) => !CACHE.test(path) && !(backend === "copy" && PLACED.test(path)),
  );
  if (useful.length > 0) offers.made(useful, shadow);
  const isTooMany = found.truncated || paths.length > MOST_PROPOSED;
  const proposed: ProposedPath[] = [];
  const refused: ShadowResult["refused"][number][] = [];
  const calls = isTooMany ? [] : [...new Set(paths.map(callOf))];
  for (const callId of calls) {
    if (callId === null) continue;
    const isOwn = ({ path }: { readonly path: string }) => callOf(path) === callId;
    const own = {
      changes: [...held.changes.values()].filter(isOwn),
      modes: [...held.modes.values()].filter(isOwn),
    };
    for (const { path } of own.changes) held.changes.delete(path);
    for (const { path } of own.modes) held.modes.delete(path);
    const result = await proposals.propose(own, { ...context, callId });
    proposed.push(...result.proposed);
    refused.push(...result.refused);
  }
  if (isTooMany) for (const each of [held.changes, held.modes]) each.clear();
  return {
    backend,
    proposed,
    refused,
    unshown,
    ignored,
    repository,
    unproposed: isTooMany ? paths.length : 0,
    ...(found.problem && { problem: found.problem }),
  };
}

/** `git` on what a chat proposes, where it only reads and commands run there. */
export function gitOnProposals(git: Git, runs: ProposalRuns): Git {
  return {
    ...git,
    forOneCall: () => gitOnProposals(git.forOneCall(), runs),
    async run(run, signal) {
      if (run.changes || (await runs.backend(signal)) === null) return git.run(run, signal);
      const place = await runs.lookApart(signal);
      if (!place.ok) {
        const detail = shadowReason(place.error);
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
export const nothingChanged = (backend: ShadowBackendName): ShadowResult => ({
  backend,
  proposed: [],
  refused: [],
  unshown: [],
  ignored: [],
  repository: false,
  unproposed: 0,
});
