import type { ProviderData } from "../model/providerData.ts";
import type { TurnError } from "./turnError.ts";
import type { EditBlock, EditorView, FileView, QueuedMessage, RestoredFile, TurnEndReason, TurnEventBody } from "./turnEvent.ts";

/** What the user asked. */
export interface UserTurn {
  readonly role: "user";
  readonly id: string;
  readonly parentTurnId: string | null;
  readonly startedAt: number;
  readonly text: string;
  /** The file's path when the turn came from Start Edit Mode on File. */
  readonly editFile: string | null;
  /** The file in the active editor when the user asked. */
  readonly activeFile: string | null;
  /** What else the editor showed then. */
  readonly editor?: EditorView;
}

/** One tool call of an agent turn; times in milliseconds, null until known. */
export interface ToolCallState {
  readonly callId: string;
  readonly name: string;
  argsText: string;
  /** The parsed arguments, or the text where it is not JSON; undefined while they stream. */
  input: unknown;
  status: "pending" | "running" | "success" | "error" | "cancelled";
  output: string | null;
  /** The lines of files that `output` shows. */
  views: readonly FileView[];
  /** The last lines of its output while it runs, "" otherwise. */
  progress: string;
  error: { readonly category: string; readonly message: string } | null;
  startedAt: number | null;
  durationMs: number | null;
  retries: number;
  /** What the tool asks the user while it runs, else null. */
  question: {
    readonly kind: "choice" | "multi-choice" | "text" | "confirm";
    readonly question: string;
    readonly options: readonly string[];
    /** Set for a question of Graft's own, which has no words yet. */
    readonly about?: { readonly code: "repeated-calls"; readonly tool: string; readonly times: number } | undefined;
  } | null;
  /** Set while the user is asked. */
  approval: {
    readonly summary: string;
    readonly effect: "read" | "write" | "execute";
    /** The command line that would run, and in which folder of the workspace. */
    readonly command?: { readonly text: string; readonly folder: string } | undefined;
    /** The MCP server whose reading tools are all asked about at once. */
    readonly server?: string | undefined;
    /** Set for what is asked about each time. */
    readonly eachTime?: true | undefined;
    decision: "pending" | "allowed" | "denied";
  } | null;
}

/** What Graft tells the user within a turn, as data. */
export type TurnNotice =
  | Readonly<TurnEventBody & { type: "notice" }>
  | ({ readonly type: "notice"; readonly level: "warning"; readonly code: "retry" } & Retry);

/** A failed request is about to be made again. */
type Retry = Readonly<Pick<TurnEventBody & { type: "retry" }, "attempt" | "maxAttempts" | "waitMs" | "error">>;

/** An agent turn's content in the order it came. `step` is the 0-based model answer a part belongs to. */
export type TurnPart =
  | { readonly type: "text"; readonly step: number; text: string }
  | { readonly type: "reasoning"; readonly step: number; text: string }
  | { readonly type: "tool-call"; readonly step: number; readonly callId: string }
  | { readonly type: "edit-report"; readonly step: number; readonly text: string }
  /** What the user wrote while the turn ran. */
  | { readonly type: "user-message"; readonly step: number; readonly text: string }
  /** `undone` where the restore was taken back. */
  | {
      readonly type: "files-restored";
      readonly step: number;
      readonly request: string;
      readonly files: readonly RestoredFile[];
      readonly undone: boolean;
    }
  /** From here on the model is told the summary in the place of all earlier turns. */
  | { readonly type: "compaction"; readonly step: number; readonly summary: string }
  /** Rules of the workspace, as they were read from a file. */
  | { readonly type: "rules"; readonly step: number; readonly path: string; readonly text: string }
  | (TurnNotice & { readonly step: number });

/** What the agent did in answer to a user turn. A step's text is the concatenation of its text parts; edit offsets refer to it. */
export interface AgentTurn {
  readonly role: "agent";
  readonly id: string;
  readonly parentTurnId: string | null;
  readonly startedAt: number;
  readonly model: string;
  readonly parts: TurnPart[];
  readonly toolCalls: Map<string, ToolCallState>;
  /** By block id, in the order of the text. */
  readonly edits: Map<string, EditBlock>;
  /** By step. */
  readonly providerData: Map<number, ProviderData>;
  /** Set while the calls of a message run. */
  processing: { readonly startedAt: number; readonly callIds: readonly string[] } | null;
  /** Set while a failed request waits to be made again, in milliseconds since 1970. */
  retryAt: number | null;
  /** True while the earlier turns are summed up. */
  compacting: boolean;
  step: number;
  inputTokens: number;
  outputTokens: number;
  endedAt: number | null;
  endReason: TurnEndReason | null;
  error: TurnError | null;
}

/** A request of the user, or the answer to one. */
export type Turn = UserTurn | AgentTurn;

/** All turns of a chat. Several children of one turn are siblings: a retry, or an edited request. */
export interface TurnTree {
  readonly turns: Map<string, Turn>;
  /** Children of each turn in order; the key null holds the roots. */
  readonly children: Map<string | null, string[]>;
  /** The child of each turn whose branch was shown last. */
  readonly chosen: Map<string | null, string>;
  /** The turn at the end of the branch being shown; null in an empty chat. */
  headTurnId: string | null;
  /** What the user wrote while a turn ran, and what is not sent yet, in order. */
  queued: readonly QueuedMessage[];
  /** The addresses of models that turned out to take no tools. */
  readonly textOnly: Set<string>;
  /** What the user named the chat; null where he has not. */
  title: string | null;
  /** The sequence number of the last event applied; 0 for none. */
  lastSeq: number;
}
