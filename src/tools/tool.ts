import type { Localize } from "../base/localize.ts";
import { ok, type Result } from "../base/result.ts";
import type { ApprovalRequest, ChosenPlace, CommitContent } from "../ports/approval.ts";
import type { ShadowBackendName, ShadowProblem } from "../ports/commands/shadow.ts";
import type { DiskGap } from "../ports/savedFiles.ts";
import type { FileError } from "../ports/workspace.ts";
import type { EmitTurnEvent, StreamRegistry } from "../turns/streamRegistry.ts";
import type { CommandState, FileView, SearchHits, ToolOrigin } from "../turns/turnEvent.ts";

/** Why a tool failed, in a form the model can act on. */
export interface ToolError {
  readonly category:
    | "validation"
    | "not-found"
    | "permission"
    | "timeout"
    | "cancelled"
    | "execution"
    | "network";
  /** What exactly happened, for code that has to know; absent where none does. */
  readonly code?: string;
  /** Why a file cannot be used, where that is the error. */
  readonly file?: FileError;
  /** One or two sentences: what happened and why. */
  readonly message: string;
  /** What to do instead, or null. */
  readonly recovery: string | null;
}

/** How a command fared that had no network, and could write to no other files. */
export interface SandboxResult {
  /** Absolute paths of files that were empty, since they may hold keys; none where it succeeded. */
  readonly emptied: readonly string[];
  /** Whether it tried to reach another machine. */
  readonly wantedNetwork: boolean;
}

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

/** What became of a command's changes. */
export interface ProposedChanges {
  /** The files whose changes now wait for the user; one whose mode changed, too, is there twice. */
  readonly proposed: readonly ProposedPath[];
  /** What could not be proposed, and why; absolute paths of files elsewhere. */
  readonly refused: readonly { readonly path: string; readonly error: FileError }[];
}

/** What a command changed where it ran on the proposals; nothing of it is in the user's files. */
export interface ShadowResult extends ProposedChanges {
  readonly backend: ShadowBackendName;
  /** Set for a command in a copy: the absolute path of the folder in which it ran. */
  readonly at?: string;
  /** Set where it ran in a sandbox. */
  readonly sandbox?: SandboxResult;
  /** Absolute paths of changed links, and of files that are no text: so only where commands run. */
  readonly unshown: readonly string[];
  /** Paths of ignored files and folders that it changed, where commands run only. */
  readonly ignored: readonly string[];
  /** True where it changed a repository, as a commit does: nothing of that lasts. */
  readonly repository: boolean;
  /** How many changes are too many to propose; 0 otherwise. */
  readonly unproposed: number;
  /** Why nobody can tell what it changed. */
  readonly problem?: ShadowProblem;
}

/**
 * A tool's answer: text for the model with the lines of files that it shows, the state of its
 * command and the number of its hits, or an error.
 */
export type ToolResult = (
  | {
      readonly ok: true;
      readonly output: string;
      readonly views?: readonly FileView[];
      readonly command?: CommandState;
      readonly hits?: SearchHits;
      /** PNG and JPEG images, as base64, which follow the result. */
      readonly images?: readonly string[];
    }
  | { readonly ok: false; readonly error: ToolError }
) & {
  /** What the tool did not see, since it is not on the disk. */
  readonly gap?: DiskGap;
  /** Set where a command ran on the proposals. */
  readonly shadow?: ShadowResult;
};

/** How a call went. */
export interface ToolMetadata {
  /**
   * From the tool's start to its result, including retries and their waits; 0 for a call that never
   * started.
   */
  readonly executionTimeMs: number;
  readonly retriesUsed: number;
}

/** A result as the router returns it. */
export type ToolOutcome = ToolResult & { readonly metadata: ToolMetadata };

/** Runs agents for a turn. */
export interface InnerAgents {
  /** Has the agent of this name, or one with the turn's own tools, do a task; settles with its report. */
  run(name: string | null, task: string, context: ToolContext): Promise<ToolResult>;
}

/** What a running call may use. */
export interface ToolContext {
  readonly turnId: string;
  readonly callId: string;
  /** Aborts when the user stops the turn or the tool times out. */
  readonly signal: AbortSignal;
  readonly emit: EmitTurnEvent;
  /**
   * For tools that receive the answer's stream after they returned; shared by all calls of a turn.
   * Cancelled calls must not register.
   */
  readonly streams: StreamRegistry;
  /** Absent where the turn may start no agent. */
  readonly agents?: InnerAgents;
  /** True where the call was let through to propose what it does, see {@link CallOutlook}. */
  readonly proposed?: boolean;
  /** True where the user was asked about this very call, see {@link CallOutlook}. */
  readonly asked?: boolean;
}

/**
 * Why a call is asked about each time: it changes a protected file, reads one that may hold keys, or
 * makes the editor fetch an address.
 */
export type Caution = "protected" | "secret" | "fetches";

/** What a look at the files says about a call, before anyone is asked. */
export interface CallOutlook {
  /** Why the call is asked about each time; a `secret` also where the call only proposes. */
  readonly caution?: Caution | null;
  /** True where the call only proposes what its tool otherwise does at once. */
  readonly proposed?: boolean;
}

/** What the user sees beside the question, read when it is asked. */
export interface QuestionDetails
  extends Pick<
    ApprovalRequest,
    | "programs"
    | "arguments"
    | "pendingFiles"
    | "unsavedFiles"
    | "onlyReads"
    | "wantsNetwork"
    | "onProposals"
    | "notOnProposals"
  > {
  /** In place of the call's own. */
  readonly summary?: string;
  readonly commit?: CommitContent;
}

/** The question about a call, as far as the call itself knows. */
export interface CallQuestion
  extends Pick<ApprovalRequest, "summary" | "command" | "host" | "server" | "mcp" | "arguments"> {
  /** What the call does, where that is less than what its tool may do. */
  readonly effect?: Effect;
  look?(): Promise<CallOutlook>;
  /** Asked again where the question is repeated, with the place that the user chose for it. */
  details?(signal: AbortSignal, chosen?: ChosenPlace): Promise<QuestionDetails>;
}

/** A call with valid arguments, ready to run. */
export interface PreparedCall extends CallQuestion {
  readonly effect: Effect;
  /** The call as the model means it, where the files tell; asked before anything else. */
  meant?(signal: AbortSignal): Promise<Result<PreparedCall, ToolError>>;
  /** Runs the call. May throw; the router turns that into a result. */
  run(context: ToolContext): Promise<ToolResult>;
}

/** What a tool does: changes nothing, changes files, or anything else. */
export type Effect = "read" | "write" | "execute";

/** What every tool declares about itself. */
export interface ToolTraits {
  readonly description: string;
  readonly category: "file" | "search" | "ui" | "nav" | "git" | "terminal" | "mcp";
  /**
   * The time limit of a call in milliseconds, with retries but not the wait for approval; infinite
   * for a tool that waits for the user.
   */
  readonly timeoutMs?: number;
}

/** What only a tool that changes nothing may declare. */
export interface ReadingTraits {
  /** How often the router retries after a passing failure. */
  readonly maxRetries?: number;
}

/** What only a tool that acts may declare. */
export interface ActingTraits {
  /** What the model is told to do after a timeout; by default, to try less at once. */
  readonly timeoutRecovery?: string;
  /**
   * True when the tool only proposes: the user reviews its changes before they are written, so it
   * needs no approval.
   */
  readonly reviewed?: boolean;
  /** True when the tool needs no approval because it affects only what the model itself started. */
  readonly unasked?: boolean;
}

/** A tool of any origin. Its argument types are erased, so that different tools fit one list. */
export interface Tool extends ToolTraits, ReadingTraits, ActingTraits {
  readonly name: string;
  /** Set where it is not Graft's own. */
  readonly origin?: ToolOrigin;
  /** The most that a call does. */
  readonly effect: Effect;
  /** The JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Checks the arguments; the error names each wrong field. `t` words what the user reads, in
   * English by default.
   */
  prepare(input: unknown, t?: Localize): Result<PreparedCall, ToolError>;
}

/** `tool` with its prepared calls `changed`. */
export function withCalls(tool: Tool, changed: (call: PreparedCall) => PreparedCall): Tool {
  return {
    ...tool,
    prepare(...args) {
      const prepared = tool.prepare(...args);
      return prepared.ok ? ok(changed(prepared.value)) : prepared;
    },
  };
}
