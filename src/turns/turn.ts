import type { ProviderData } from "../model/providerData.ts";
import type { Attachment } from "./attachment.ts";
import type { CandidateEnd } from "./candidates/candidateEvents.ts";
import type { EditBlock, ToldEdit } from "./editBlock.ts";
import type { ChatMode } from "./plan/chatMode.ts";
import type { TurnError } from "./turnError.ts";
import type {
  BlockName,
  CommandState,
  ContextUse,
  EditorView,
  FileView,
  QueuedMessage,
  SearchHits,
  ToolOrigin,
  TurnEndReason,
  TurnEvent,
  TurnEventBody,
} from "./turnEvent.ts";

/** What the user asked. */
export interface UserTurn {
  readonly role: "user";
  readonly id: string;
  readonly parentTurnId: string | null;
  readonly startedAt: number;
  readonly text: string;
  /** The path that Start Edit Mode on File was run on, or null. */
  readonly editFile: string | null;
  /** The file in the active editor when the user asked. */
  readonly activeFile: string | null;
  /** What else the editor showed then. */
  readonly editor?: EditorView | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
  /** Set where the user said it aloud. */
  readonly spoken?: true | undefined;
  /** The call that asked it of an agent; the turn then is on no branch. */
  readonly within?: StartingCall | undefined;
}

/** A call that started an agent. */
export interface StartingCall {
  readonly turnId: string;
  readonly callId: string;
}

/** One tool call of an agent turn; times in milliseconds, null until known. */
export interface ToolCallState {
  readonly callId: string;
  readonly name: string;
  /** Null for a tool of Graft, and of another maker's agent. */
  readonly origin: ToolOrigin | null;
  argsText: string;
  /** The parsed arguments, or their text if it is not JSON; undefined while they stream. */
  input: unknown;
  status: "pending" | "running" | "success" | "error" | "cancelled";
  output: string | null;
  /** The lines of files that `output` shows. */
  views: readonly FileView[];
  /** What became of a command; null for other tools and before the result. */
  command: CommandState | null;
  /** Set for a command that ran on the proposals; how many files it changed there. */
  onProposals: {
    readonly changed: number;
    readonly created?: number | undefined;
    readonly deleted?: number | undefined;
    readonly renamed?: number | undefined;
    readonly modes?: number | undefined;
    readonly unproposed?: readonly string[] | undefined;
    readonly backend?: "overlay" | "copy" | undefined;
    readonly sandbox?: { readonly wantedNetwork: boolean } | undefined;
  } | null;
  /** The proposed blocks that a running command has seen; absent for none. */
  serves?: readonly BlockName[];
  /** The files of which it has rejected text; absent for none. */
  outdated?: readonly string[];
  /** True once it proposed a change, which waits for the user's review, or did. */
  hasProposed: boolean;
  /** What a search found; null for other tools and before the result. */
  hits: SearchHits | null;
  /** The last lines of its output while it runs, "" otherwise. */
  progress: string;
  /** How much of the workspace was copied before it could run, while that is done. */
  copied: { readonly files: number; readonly bytes: number } | null;
  error: { readonly category: string; readonly message: string } | null;
  startedAt: number | null;
  durationMs: number | null;
  retries: number;
  /** The turn of the agent that it started, or null. */
  agentTurnId: string | null;
  /** The ids of the calls that ran at the same time. */
  beside: readonly string[];
  /** The running tool's question to the user, or null. */
  question: Readonly<
    Pick<TurnEventBody & { type: "question" }, "kind" | "question" | "options" | "about">
  > | null;
  /** The approval that the user was asked for, or null. */
  approval: (Readonly<CallApproval> & { decision: "pending" | "allowed" | "denied" }) | null;
}

type CallApproval = Omit<TurnEventBody & { type: "approval-request" }, "type" | "callId" | "tool">;

/** What Graft tells the user within a turn, as data. */
export type TurnNotice =
  | Readonly<TurnEventBody & { type: "notice" }>
  | ({ readonly type: "notice"; readonly level: "warning"; readonly code: "retry" } & Retry);

/** A failed request is about to be made again. */
type Retry = Readonly<
  Pick<TurnEventBody & { type: "retry" }, "attempt" | "maxAttempts" | "waitMs" | "error">
>;

/**
 * Events that a turn keeps as they are. A `files-restored` or an `edit-report` may come after its
 * end.
 */
export type KeptType =
  | "edit-report"
  | "decisions"
  | "user-message"
  | "files-restored"
  | "compaction"
  | "answer-image"
  | "todos"
  | "aside"
  | "rules";

/** An agent turn's content, in order. `step` is the 0-based model answer that a part belongs to. */
export type TurnPart =
  | { readonly type: "text"; readonly step: number; text: string }
  | { readonly type: "reasoning"; readonly step: number; text: string }
  | { readonly type: "tool-call"; readonly step: number; readonly callId: string }
  | (Readonly<TurnEventBody & { type: KeptType }> & { readonly step: number })
  /**
   * The user did not hear all of the spoken answer of this turn; `last` are the last words they
   * heard.
   */
  | {
      readonly type: "unheard";
      readonly step: number;
      readonly last: string;
      readonly reason: "interrupted" | "failed";
    }
  | (TurnNotice & { readonly step: number });

/** A model that answers a request beside others, in a chat of its own. */
export interface TurnCandidate {
  readonly chatId: string;
  readonly model: string;
  /** Null until its answer is over, and where a crash cut it off. */
  end: CandidateEnd | null;
}

/** The answer to a user turn. Edit offsets refer to a step's joined text parts. */
export interface AgentTurn {
  readonly role: "agent";
  readonly id: string;
  readonly parentTurnId: string | null;
  readonly startedAt: number;
  readonly model: string;
  readonly mode: ChatMode;
  /** The call that started it, where it answers for another turn; it is on no branch. */
  readonly within?: StartingCall | undefined;
  readonly parts: TurnPart[];
  readonly toolCalls: Map<string, ToolCallState>;
  /** By block id, in the order of the text. */
  readonly edits: Map<string, EditBlock>;
  /** The models that answer in place of one; empty where one does. */
  candidates: readonly TurnCandidate[];
  /** What the model was told last in this turn of its edits, by block. */
  readonly told: Map<string, ToldEdit>;
  /** By step. */
  readonly providerData: Map<number, ProviderData>;
  /** Set while the calls of a message run. */
  processing: { readonly startedAt: number; readonly callIds: readonly string[] } | null;
  /** When a failed request will be retried, in milliseconds since 1970, or null. */
  retryAt: number | null;
  /** True while a summary is being made. */
  compacting: boolean;
  step: number;
  inputTokens: number;
  outputTokens: number;
  /** Those of the input tokens that came from a cache. */
  cachedInputTokens: number;
  /** Those of the output tokens that the model only thought. */
  reasoningTokens: number;
  /** In US dollars, as far as known; null where nothing is. */
  cost: number | null;
  /** True where Graft estimated some of the tokens, or of the cost. */
  estimatesTokens: boolean;
  estimatesCost: boolean;
  /** What its last request took of the context window; null before the first one. */
  contextUse: ContextUse | null;
  endedAt: number | null;
  endReason: TurnEndReason | null;
  error: TurnError | null;
}

/** A request or an answer. */
export type Turn = UserTurn | AgentTurn;

/** All turns of a chat. Children of one turn are siblings: retries, or edited requests. */
export interface TurnTree {
  readonly turns: Map<string, Turn>;
  /** The children of each turn, in order; the roots under null. */
  readonly children: Map<string | null, string[]>;
  /** The child of each turn that was shown last. */
  readonly chosen: Map<string | null, string>;
  /** The end of the branch shown; null in an empty chat. */
  headTurnId: string | null;
  /** The messages that wait to be sent, in order. */
  queued: readonly QueuedMessage[];
  /** What the agent of another maker offers that answered last, or null. */
  offers: Readonly<TurnEventBody & { type: "agent-offers" }> | null;
  /** The mode that the user chose for the chat, or null. */
  mode: ChatMode | null;
  /** The user's name for the chat, or null. */
  title: string | null;
  /** The ids of all messages on record, queued or sent. */
  readonly messages: Set<string>;
  /** The sequence number of the last event applied; 0 for none. */
  lastSeq: number;
}

type RestoredEvent = TurnEvent & { readonly type: "files-restored" };

/**
 * The accepted edits of the files that were restored, from the event's turn on; of those that it
 * names, only these.
 */
export function restoredEdits(
  tree: Pick<TurnTree, "turns">,
  { turnId, files, blocks }: Pick<RestoredEvent, "turnId" | "files" | "blocks">,
): readonly { readonly turn: AgentTurn; readonly edit: EditBlock }[] {
  const paths = new Set(files.map(({ path }) => path));
  const isMeant = (of: string, { blockId }: EditBlock) =>
    blocks?.some((block) => block.turnId === of && block.blockId === blockId) ?? true;
  const ids = [...tree.turns.keys()];
  const at = blocks ? 0 : ids.indexOf(turnId);
  const turns = at < 0 ? [] : ids.slice(at).flatMap((id) => tree.turns.get(id) ?? []);
  return turns.flatMap((turn) =>
    turn.role === "user"
      ? []
      : [...turn.edits.values()]
          .filter((edit) => {
            const { path, op, target, status } = edit;
            const isThere = paths.has(path) || (op === "rename" && paths.has(target));
            const isApplied = status === "applied" || status === "partly-applied";
            return isThere && isApplied && isMeant(turn.id, edit);
          })
          .map((edit) => ({ turn, edit })),
  );
}

/** An accepted edit once its file was restored, or that was undone. */
export function restoredEdit(edit: EditBlock, event: RestoredEvent): EditBlock {
  const { undone: _, isUndoUnsaved: __, ...before } = edit;
  const file = event.files.find(({ path }) => path === edit.path || path === edit.target);
  return {
    ...before,
    ...(!event.undone && { undone: true }),
    ...(file?.isUnsaved && { isUndoUnsaved: true }),
  };
}

/** The text of the running step is reasoning, and the calls in it were none. In place. */
export function textToReasoning(turn: AgentTurn, callIds: readonly string[]): void {
  for (const callId of callIds) turn.toolCalls.delete(callId);
  const parts = turn.parts.flatMap((part): TurnPart[] => {
    if (part.type === "tool-call" && callIds.includes(part.callId)) return [];
    return part.type === "text" && part.step === turn.step
      ? [{ ...part, type: "reasoning" }]
      : [part];
  });
  turn.parts.splice(0, turn.parts.length, ...parts);
}

/** Adds to the text of the running step, or to its thinking. In place. */
export function appendText(turn: AgentTurn, type: "text" | "reasoning", text: string): void {
  const last = turn.parts.at(-1);
  if (last && last.type === type && last.step === turn.step) last.text += text;
  else turn.parts.push({ type, step: turn.step, text });
}

/** The answer of one model of several is over. In place. */
export function endCandidate(
  { candidates }: AgentTurn,
  { seq, turnId, at, type, ...end }: TurnEvent & { type: "candidate-end" },
): void {
  const candidate = candidates.find(({ chatId }) => chatId === end.chatId);
  if (candidate) candidate.end ??= end;
}

/** True for a call that has its result. */
export function hasEnded(call: ToolCallState): boolean {
  return call.status !== "pending" && call.status !== "running";
}

/** A command has just begun on the proposals: each that runs there sees what is pending now. */
export function serveProposals(tree: Pick<TurnTree, "turns">): void {
  const turns = agentTurns(tree);
  const running = turns.flatMap(runningOnProposals);
  if (running.length === 0) return;
  const pending = turns.flatMap(({ id: turnId, edits }) =>
    [...edits.values()].flatMap(({ blockId, status }) =>
      status === "pending" || status === "conflict" ? [{ turnId, blockId }] : [],
    ),
  );
  for (const call of running) call.serves = [...(call.serves ?? []), ...pending];
}

/** The commands of a turn that run on the proposals now. */
export function runningOnProposals({ toolCalls }: AgentTurn): readonly ToolCallState[] {
  return [...toolCalls.values()].filter(
    ({ command, onProposals }) => command?.code === "running" && onProposals !== null,
  );
}

/** All answers, also those of agents that a turn started. */
export function agentTurns({ turns }: Pick<TurnTree, "turns">): readonly AgentTurn[] {
  return [...turns.values()].flatMap((turn) => (turn.role === "agent" ? [turn] : []));
}

/** What happens to a command after its call's result, and perhaps after its turn. */
type CommandEvent = TurnEvent & {
  type: "command-ended" | "command-outdated" | "command-restarted";
};

const OF_COMMANDS: ReadonlySet<TurnEvent["type"]> = new Set<CommandEvent["type"]>([
  "command-ended",
  "command-outdated",
  "command-restarted",
]);

/** True for what happens to a command that its call left running. */
export function isOfCommand(event: TurnEvent): event is CommandEvent {
  return OF_COMMANDS.has(event.type);
}

/** In place. */
export function applyToCommand(call: ToolCallState | undefined, event: CommandEvent): void {
  if (!call) return;
  if (event.type === "command-ended") call.command = event.command;
  else if (event.type === "command-outdated") call.outdated = event.paths;
  else {
    call.command = { code: "running" };
    call.onProposals = event.onProposals ?? null;
    call.serves = [];
    call.outdated = [];
  }
}
