import type { ShadowBackendName, ShadowProblem } from "./commands/shadow.ts";

/** A command line as it will run. */
export interface CommandLine {
  readonly text: string;
  /** Relative to the workspace. "." is the workspace itself. */
  readonly folder: string;
  /** Whether `folder` is the root of a workspace folder in a multi-root workspace. */
  readonly isRoot?: boolean;
}

/** A call to a tool of an MCP server. */
export interface ServerCall {
  readonly server: string;
  /** A hash of the server's definition. A permission covers only this definition. */
  readonly definition: string;
  /** The tool's name on the server. */
  readonly tool: string;
  /** Whether the server comes from the user's own settings. */
  readonly own: boolean;
}

/** A commit as it will be made. */
export interface CommitContent {
  readonly message: string;
  /** The named paths, or else the staged ones. Empty if they could not be read. */
  readonly paths: readonly string[];
}

/**
 * How long a permission lasts: this call, this turn, this window session, or permanently in this
 * workspace.
 */
export type PermissionScope = "call" | "turn" | "session" | "workspace";

/** A tool's request for permission, in words that the user can judge. */
export interface ApprovalRequest {
  readonly turnId: string;
  readonly callId: string;
  readonly tool: string;
  /**
   * `read` only if Graft asks anyway, as for a tool of another's server that claims to be
   * read-only.
   */
  readonly effect: "read" | "write" | "execute";
  /** Whether the user reviews the result before anything is written. */
  readonly reviewed: boolean;
  /** One line, such as `Propose edits to src/app.ts`. */
  readonly summary: string;
  /** The command line that would run. A permission covers exactly this one. */
  readonly command?: CommandLine;
  /** The host of the web that would be asked. A permission covers exactly this one. */
  readonly host?: string;
  /** The MCP server whose read-only tools one permission covers. */
  readonly server?: string;
  readonly mcp?: ServerCall;
  /**
   * The arguments of an MCP tool call, as indented JSON, the content of a new file, or an address
   * that would be fetched.
   */
  readonly arguments?: string;
  /** The repository's hooks and settings that may run programs. */
  readonly programs?: readonly string[];
  /** Set where a command only reads, and only what may be read without a question. */
  readonly onlyReads?: true;
  /**
   * Set where the command runs on what that chat proposes. In a copy, absolute paths lead to the
   * user's own files.
   */
  readonly onProposals?: {
    readonly chat: string;
    readonly backend: ShadowBackendName;
    /** Set where it has no network, and other files are read-only: it needs no question. */
    readonly isSandboxed?: true;
    /** Set where an agent runs it that can write only there and in folders of its own. */
    readonly isConfined?: true;
    /** Set where the user wants to choose each time between these and their own files. */
    readonly isChosen?: true;
  };
  /** Set where the command asks for the network, which it would not have in a sandbox. */
  readonly wantsNetwork?: true;
  /** Why it would not run on what is proposed, though the user wants that. */
  readonly notOnProposals?: ShadowProblem;
  /** Always asks: no lasting permission and no rule can allow this. */
  readonly eachTime?: true;
  /** Files whose proposed changes the tool would not see. The user can accept them first. */
  readonly pendingFiles?: readonly string[];
  /** Files whose unsaved edits the tool would not see. The user can save them first. */
  readonly unsavedFiles?: readonly string[];
}

/** Where the user wants a command to run; with `always` also the others of its chat. */
export interface ChosenPlace {
  readonly on: "proposals" | "workspace";
  readonly always?: true;
}

/** The decision on a request. */
export interface ApprovalDecision {
  readonly allowed: boolean;
  /**
   * Who decided: the user (now or earlier), the settings, command-line flags, Workspace Trust, the
   * request, which several models answer, or the end of the turn.
   */
  readonly by: "user" | "settings" | "flags" | "trust" | "candidates" | "cancel";
  /**
   * The rule, flag or earlier permission that decided, as shown to the user. Absent if the user was
   * asked, and for a default.
   */
  readonly rule?: string;
  /** How long the user's permission lasts. */
  readonly scope?: PermissionScope;
  /**
   * Set on a denial if Graft must ask again, because some files could not be written to disk first.
   */
  readonly again?: true;
  /** With `again`, where the user wants the command to run. */
  readonly chosen?: ChosenPlace;
}

/** Asks the user, or decides by the settings. */
export interface Approval {
  /** Settles with a denial when `signal` aborts. */
  request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
}
