/** A command line as it will run. */
export interface CommandLine {
  readonly text: string;
  /** Relative to the workspace; "." for the workspace itself. */
  readonly folder: string;
  /** True where that is a workspace folder itself, of several. */
  readonly isRoot?: boolean;
}

/** A call of an MCP server's tool. */
export interface ServerCall {
  /** The server's name. */
  readonly server: string;
  /** A hash of the server's definition: a permission holds for this one. */
  readonly definition: string;
  /** The server's own name for the tool. */
  readonly tool: string;
  /** True for a server of the user's own settings. */
  readonly own: boolean;
}

/** A commit as it will be made. */
export interface CommitContent {
  readonly message: string;
  /** The named paths, else the staged ones; empty where they could not be read. */
  readonly paths: readonly string[];
}

/** For how long the user allows something: this call, this turn, as long as the window is open, or in this workspace for good. */
export type PermissionScope = "call" | "turn" | "session" | "workspace";

/** What a tool wants to do, in words a user can decide on. */
export interface ApprovalRequest {
  readonly turnId: string;
  readonly callId: string;
  readonly tool: string;
  /** `read` only for what is asked about all the same: a tool of another's server that says it only reads. */
  readonly effect: "read" | "write" | "execute";
  /** True when the user reviews what the tool does before anything is written. */
  readonly reviewed: boolean;
  /** One line: `Propose edits to src/app.ts`. */
  readonly summary: string;
  /** What would run, for a tool that runs command lines: a permission covers exactly this one. */
  readonly command?: CommandLine;
  /** The MCP server whose reading tools are all covered by one permission. */
  readonly server?: string;
  /** What it calls on an MCP server. */
  readonly mcp?: ServerCall;
  /** The arguments of an MCP server's tool, as indented JSON. */
  readonly arguments?: string;
  /** The hooks and settings of a repository by which it may run programs. */
  readonly programs?: readonly string[];
  /** Files that decide what it runs, and that changed since it was allowed: the user is asked again. */
  readonly changedFiles?: readonly string[];
  /** Set for what is asked about each time: no permission for longer, and no rule, allows it. */
  readonly eachTime?: true;
  /** Files whose proposed changes it would not see: the user can accept them first. */
  readonly pendingFiles?: readonly string[];
  /** Files whose unsaved edits it would not see: the user can save them first. */
  readonly unsavedFiles?: readonly string[];
}

/** The decision. */
export interface ApprovalDecision {
  readonly allowed: boolean;
  /** Who decided: the user, now or earlier, the settings, the flags of the command line, Workspace Trust, or the end of the turn. */
  readonly by: "user" | "settings" | "flags" | "trust" | "cancel";
  /** The rule, the flag or the earlier permission that decided, as it is shown to the user; absent where he was asked, and for a default. */
  readonly rule?: string;
  /** For how long the user allowed it. */
  readonly scope?: PermissionScope;
  /** Set on a denial where the user must be asked again: files were to be brought to the disk first, and not all of them were. */
  readonly again?: true;
}

/** Asks the user, or answers by the settings. */
export interface Approval {
  /** Settles with a denial when `signal` aborts. */
  request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
  /** The files that changed since an earlier permission or a rule of the settings that would allow the request. */
  changedFiles?(request: ApprovalRequest): Promise<readonly string[]>;
}
