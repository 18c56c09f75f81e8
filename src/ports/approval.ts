/** What a tool wants to do, in words a user can decide on. */
export interface ApprovalRequest {
  readonly turnId: string;
  readonly callId: string;
  readonly tool: string;
  readonly effect: "write" | "execute";
  /** True when the user reviews what the tool does before anything is written. */
  readonly reviewed: boolean;
  /** One line: `Propose edits to src/app.ts`. */
  readonly summary: string;
}

/** The decision; `reason` is a sentence for the model when it was denied. */
export interface ApprovalDecision {
  readonly allowed: boolean;
  /** Who decided: the user, the settings, Workspace Trust, or the end of the turn. */
  readonly by: "user" | "settings" | "trust" | "cancel";
  readonly reason: string | null;
}

/** Asks the user, or answers by the settings. */
export interface Approval {
  /** Settles with a denial when `signal` aborts. */
  request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
}
