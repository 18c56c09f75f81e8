import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { err, type Result } from "../../base/result.ts";
import type { ApprovalRequest } from "../../ports/approval.ts";
import type { AgentOffers } from "../../ports/commands/agentOffers.ts";
import type {
  AgentCall,
  AgentFolder,
  AgentImage,
  AgentListener,
  AgentPlace,
  AgentProblem,
  AgentProgram,
  AgentPrompt,
  AgentSession,
  AgentStop,
  AgentWay,
  AgentYes,
  ChooseSignIn,
  StartAgent,
  ToolServer,
  WithoutShadow,
} from "../../ports/commands/chatAgent.ts";
import type { ShadowPlace, ShadowProblem } from "../../ports/commands/shadow.ts";
import { guestName } from "../../ports/guest.ts";
import type { SavedFiles } from "../../ports/savedFiles.ts";
import type { Workspace } from "../../ports/workspace.ts";
import type { ShadowResult } from "../tool.ts";
import type { ChatProposals, ProposingContext } from "./chatProposals.ts";
import type { ProposalRuns, ShadowStay } from "./proposalRuns.ts";

/** What an agent is run with. */
export interface AgentSurroundings {
  readonly start: StartAgent;
  readonly runs: ProposalRuns;
  readonly workspace: Workspace;
  readonly files: SavedFiles;
  readonly proposals: Pick<ChatProposals, "chatId" | "paths">;
  /** Whether agents are confined where that can be; asked when one begins. */
  confines(): boolean;
  /** See `WithoutShadow`. */
  readonly server: ToolServer | null;
}

/** Who hears an agent, and decides with what is known of the place where a call would act. */
export interface AgentHearer extends Pick<AgentListener, "update" | "chooseSignIn"> {
  /** `place` is null where there is no shadow. */
  permit(
    call: AgentCall,
    lasts: AgentYes,
    place: NonNullable<ApprovalRequest["onProposals"]> | null,
  ): Promise<boolean>;
  /** Whether an agent may run that writes first, where no shadow can be had. */
  permitWriting(problem: ShadowProblem): Promise<boolean>;
  /** The agent begins without a shadow. */
  worksWithoutShadow(way: Exclude<AgentWay, "shadow">): void;
}

/** A request to an agent. */
export interface AgentRequest {
  readonly program: AgentProgram;
  /** What it has not heard yet. */
  readonly text: string;
  readonly images: readonly AgentImage[];
  /** What an agent is told once, before its first prompt that is no command. */
  readonly introduction: string;
  /** The conversation so far, for an agent that does not know it; "" for none. */
  readonly history: string;
  /** By which it may find that conversation again, or null. */
  readonly resumeId: string | null;
  /** The turn before this one; the session goes on only where it has answered that. */
  readonly after: string | null;
}

/** What the agent of that name offers. */
export interface NamedOffers extends AgentOffers {
  readonly agent: string;
}

/** How an agent's turn went. */
export interface AgentOutcome {
  readonly stop: AgentStop;
  readonly resumeId: string | null;
}

/** Why it did not: where no shadow can be had, it would write the user's files. */
export type AgentFailure =
  | AgentProblem
  | { readonly code: "no-shadow"; readonly problem: ShadowProblem };

/** Whose changes these are, and who hears of them. */
export interface AgentChanges {
  /**
   * The call that changed what is at an absolute path. `ended` are those that are just over, null at
   * the end of the turn. Null where that may be a later one.
   */
  callOf(path: string, ended: readonly string[] | null): string | null;
  /** Null where there is no shadow. */
  filesChanged(result: ShadowResult | null): void;
}

interface RunningSession {
  readonly program: AgentProgram;
  readonly session: AgentSession;
  /** Holds the shadow while the process lives; null where there is none. */
  readonly stay: ShadowStay | null;
  /** The turn that it answered last. */
  readonly lastTurn: string;
  readonly isIntroduced: boolean;
}

/** The agent that answers in a chat. Its process lives in the chat's shadow until `dispose`. */
export class ChatAgent {
  private readonly surroundings: AgentSurroundings;
  private readonly disposed: () => void;
  private readonly offers = new Emitter<NamedOffers>();
  /** The user's choices, by the ids of options. */
  private readonly chosen = new Map<string, string>();
  /** The agents that the user lets write first. */
  private readonly writing = new Set<string>();
  private running: RunningSession | null = null;

  constructor(surroundings: AgentSurroundings, disposed: () => void) {
    this.surroundings = surroundings;
    this.disposed = disposed;
  }

  /**
   * Asks the agent. What it changes is proposed after each of its calls and in the end, as blocks of
   * the call that `callOf` names; `changed` is called then.
   */
  async ask(
    request: AgentRequest,
    listener: AgentHearer,
    changes: AgentChanges,
    context: ProposingContext,
  ): Promise<Result<AgentOutcome, AgentFailure>> {
    const { runs, files, workspace } = this.surroundings;
    const { signal, turnId } = context;
    if (!workspace.trusted) return err({ code: "not-trusted", detail: "" });
    await files.saveAccepted(signal);
    const run = await runs.begin({ ...context, agent: guestName(request.program.name) });
    if (!run.ok) return this.askWithoutShadow(request, run.error, listener, changes, context);
    const settle = async (ended: readonly string[] | null) =>
      changes.filesChanged(await run.value.settle((path) => changes.callOf(path, ended)));
    let over: readonly string[] = [];
    try {
      const begun = await this.session(request, listener, context, null);
      if (!begun.ok) return begun;
      const { session, isNew } = begun.value;
      const place = {
        ...{ backend: run.value.backend, chat: this.surroundings.proposals.chatId },
        ...(session.isConfined && { isConfined: true as const }),
      };
      const answer = await session.prompt(
        this.promptOf(request, isNew),
        {
          permit: (call, lasts) => listener.permit(call, lasts, place),
          chooseSignIn: (ways) => listener.chooseSignIn(ways),
          async update(update) {
            await listener.update(update);
            if (update.type === "call-end") over = [...over, update.callId];
          },
          // Who stops the agent does not wait for a look after each of its calls: the last one has all.
          async heard() {
            const ended = over;
            over = [];
            if (ended.length > 0 && !signal.aborted) await settle(ended);
          },
        },
        signal,
      );
      await settle(null);
      return await this.ended(answer, session, turnId);
    } finally {
      await run.value.end();
    }
  }

  /** An agent that begins hears its introduction and the conversation so far. */
  private promptOf(request: AgentRequest, isNew: boolean): AgentPrompt {
    const { introduction, history, text, images } = request;
    const { running } = this;
    const isLater = isAgentCommand(request) || running?.isIntroduced === true;
    if (running && !isLater) this.running = { ...running, isIntroduced: true };
    const parts = [isLater ? "" : introduction, isNew ? history : "", text].filter(Boolean);
    return { text: (isAgentCommand(request) ? parts.reverse() : parts).join("\n\n"), images };
  }

  /** Its changes are proposals by Graft's tools, or in the files. */
  private async askWithoutShadow(
    request: AgentRequest,
    problem: ShadowProblem,
    listener: AgentHearer,
    changes: AgentChanges,
    context: ProposingContext,
  ): Promise<Result<AgentOutcome, AgentFailure>> {
    const { name } = request.program;
    const permit = async () => {
      if (!this.writing.has(name) && !(await listener.permitWriting(problem))) return false;
      this.writing.add(name);
      return true;
    };
    const direct = { server: this.surroundings.server, permit };
    const begun = await this.session(request, listener, context, direct);
    if (!begun.ok)
      return begun.error.code === "not-allowed" ? err({ code: "no-shadow", problem }) : begun;
    const { session, isNew } = begun.value;
    if (session.way !== "shadow") listener.worksWithoutShadow(session.way);
    const answer = await session.prompt(
      this.promptOf(request, isNew),
      {
        permit: (call, lasts) => listener.permit(call, lasts, null),
        chooseSignIn: (ways) => listener.chooseSignIn(ways),
        async update(update) {
          await listener.update(update);
          if (update.type === "call-end") changes.filesChanged(null);
        },
        heard: async () => undefined,
      },
      context.signal,
    );
    changes.filesChanged(null);
    return this.ended(answer, session, context.turnId);
  }

  private async ended(
    answer: Result<AgentStop, AgentProblem>,
    session: AgentSession,
    turnId: string,
  ): Promise<Result<AgentOutcome, AgentProblem>> {
    if (this.running) this.running = { ...this.running, lastTurn: turnId };
    if (session.isOver) await this.end();
    return answer.ok
      ? { ok: true, value: { stop: answer.value, resumeId: session.resumeId } }
      : answer;
  }

  /** Calls `listener` with what the agent offers, and when that changes. */
  onOffers(listener: (offers: NamedOffers) => void): Disposable {
    return this.offers.on(listener);
  }

  /** Chooses a value of an option, also for later sessions; false where the agent refused it. */
  async choose(option: string, value: string): Promise<boolean> {
    const isTaken = (await this.running?.session.choose(option, value)) ?? true;
    if (isTaken) this.chosen.set(option, value);
    return isTaken;
  }

  /** True while its process lives. */
  get isRunning(): boolean {
    return this.running !== null && !this.running.session.isOver;
  }

  /** Ends the agent with all that it started, for good. */
  async dispose(): Promise<void> {
    await this.end();
    this.disposed();
  }

  private async end(): Promise<void> {
    const { running } = this;
    this.running = null;
    await running?.session.dispose();
    await running?.stay?.end();
  }

  private async session(
    { program, after, resumeId }: AgentRequest,
    listener: AgentHearer,
    { signal, turnId }: ProposingContext,
    direct: WithoutShadow | null,
  ): Promise<Result<{ readonly session: AgentSession; readonly isNew: boolean }, AgentFailure>> {
    const { running } = this;
    const isSamePlace = (running?.stay === null) === (direct !== null);
    if (running && isSamePlace && isSameSession(running, program, after))
      return { ok: true, value: { session: running.session, isNew: false } };
    await this.end();
    const { runs, start, workspace, confines } = this.surroundings;
    const looked = direct ? null : await runs.look(signal);
    if (looked && !looked.ok) return err({ code: "no-shadow", problem: looked.error });
    const stay = looked?.value ?? null;
    const [first, ...others] = await agentFolders(workspace, stay);
    const shown = stay ? agentPlace(stay, confines()) : direct;
    if (!first || !shown) {
      await stay?.end();
      return err({ code: "not-started", detail: "" });
    }
    const place = { folders: [first, ...others] as const, place: shown, resumeId };
    let last: AgentOffers | null = null;
    const offered = (offers: AgentOffers) => {
      last = offers;
      this.offers.fire({ agent: program.name, ...offers });
    };
    const chooseSignIn: ChooseSignIn = (ways) => listener.chooseSignIn(ways);
    const started = await start(program, { ...place, offered, chooseSignIn }, signal);
    if (!started.ok) {
      await stay?.end();
      return started;
    }
    const session = started.value;
    for (const option of optionsOf(last)) {
      const wanted = this.chosen.get(option.id);
      // Another version of the agent may no longer know it.
      const isOffered = option.values.some(({ id }) => id === wanted);
      if (wanted !== undefined && isOffered && wanted !== option.current)
        await session.choose(option.id, wanted);
    }
    const isNew = resumeId === null || session.resumeId !== resumeId;
    this.running = { program, session, stay, lastTurn: turnId, isIntroduced: !isNew };
    return { ok: true, value: { session, isNew } };
  }
}

function agentPlace(stay: ShadowStay, isConfined: boolean): AgentPlace {
  return {
    enter: (program) => stay.enter(program),
    confine: isConfined ? (writes) => stay.confine(writes) : null,
  };
}

/** A command of an agent is only one at the beginning, and what follows are its arguments. */
function isAgentCommand({ text }: AgentRequest): boolean {
  return text.startsWith("/");
}

function optionsOf(offers: AgentOffers | null): AgentOffers["options"] {
  return offers?.options ?? [];
}

function isSameSession(
  { program, session, lastTurn }: RunningSession,
  wanted: AgentProgram,
  after: string | null,
): boolean {
  return (
    !session.isOver && lastTurn === after && JSON.stringify(program) === JSON.stringify(wanted)
  );
}

/** The workspace's folders as an agent finds them. */
async function agentFolders(
  workspace: Workspace,
  place: ShadowPlace | null,
): Promise<readonly AgentFolder[]> {
  const names = workspace.folders.length > 1 ? workspace.folders : ["."];
  const found = await Promise.all(names.map((name) => workspace.resolve(name)));
  return found.flatMap((folder) => {
    if (!folder.ok) return [];
    const at = place?.at(folder.value) ?? null;
    return place && at === null ? [] : [{ folder: folder.value, at }];
  });
}
