import type {
  Approval,
  ApprovalDecision,
  ApprovalRequest,
  PermissionScope,
} from "../../ports/approval.ts";
import { describeGrant, type PermissionGrants } from "../../tools/permissions/permissionGrants.ts";
import {
  decidePermission,
  type PermissionPolicy,
} from "../../tools/permissions/permissionPolicy.ts";
import { type AskingChat, askedIn, OpenRequests } from "./openRequests.ts";

/** The rules that Graft applies before asking the user. */
export interface ApprovalRules {
  trusted(): boolean;
  /** From the current settings. */
  policy(): PermissionPolicy;
  readonly grants: PermissionGrants;
  /**
   * Accepts all pending changes. Returns whether all of them are now in the user's files. Otherwise
   * tells the user why not.
   */
  acceptAll(): Promise<boolean>;
  /** Saves files by their workspace paths. False if VS Code could not save all of them. */
  saveFiles(paths: readonly string[]): Promise<boolean>;
}

/** The answers that choose where a command runs. */
const PLACES = {
  "own-files": { on: "workspace" },
  "always-own-files": { on: "workspace", always: true },
  "always-proposals": { on: "proposals", always: true },
} as const;

/**
 * The scope of an answer: how long it lasts, whether more arguments are covered, and what to accept
 * or save first.
 */
interface AnswerOptions {
  readonly scope?: PermissionScope | undefined;
  readonly more?: true | undefined;
  readonly first?: "accept-all" | "save-files" | keyof typeof PLACES | undefined;
}

/** Decides by Workspace Trust, settings and earlier permissions. Asks in the panel otherwise. */
export class PanelApproval implements Approval {
  private readonly rules: ApprovalRules;
  readonly open = new OpenRequests<ApprovalRequest, ApprovalDecision>();

  constructor(rules: ApprovalRules) {
    this.rules = rules;
  }

  async request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    if (!this.rules.trusted()) return { allowed: false, by: "trust" };
    if (signal.aborted) return { allowed: false, by: "cancel" };
    const policy = this.rules.policy();
    const verdict = decidePermission(request, policy);
    const named = verdict.rule === null ? {} : { rule: verdict.rule };
    if (verdict.permission === "deny") return { allowed: false, by: "settings", ...named };
    const before =
      verdict.permission === "allow"
        ? { allowed: true, by: "settings" as const, ...named }
        : this.allowedBefore(request);
    return before ?? (await this.open.ask(request, signal)) ?? { allowed: false, by: "cancel" };
  }

  /**
   * Handles the user's answer to a request of a chat, which also answers other open requests that it
   * covers, of any chat. Ignored if the request is closed. With `first`, accepts pending changes or saves unsaved files before the
   * call runs. If that fails for any of them, Graft asks again, and so it does about the user's own
   * files. Settles once the answer is stored.
   */
  async answer(
    chat: AskingChat,
    callId: string,
    allowed: boolean,
    { scope: chosen = "call", more, first }: AnswerOptions = {},
  ): Promise<void> {
    const request = askedIn(this.open, chat).find((each) => each.callId === callId);
    if (!request) return;
    if (!allowed) return this.open.answer(request, { allowed, by: "user" });
    if (first === "accept-all" && !(await this.rules.acceptAll()))
      return this.open.answer(request, askAgain);
    if (first === "save-files" && !(await this.rules.saveFiles(request.unsavedFiles ?? [])))
      return this.open.answer(request, askAgain);
    if (first !== undefined && first !== "accept-all" && first !== "save-files")
      return this.open.answer(request, { ...askAgain, chosen: PLACES[first] });
    const scope = request.server !== undefined && chosen === "call" ? "session" : chosen;
    if (scope !== "call") await this.rules.grants.add(request, scope, more);
    this.open.answer(request, { allowed, by: "user", scope });
    for (const other of this.open.all) {
      const covered = this.allowedBefore(other);
      if (covered) this.open.answer(other, covered);
    }
  }

  private allowedBefore(request: ApprovalRequest): ApprovalDecision | null {
    const found = this.rules.grants.find(request);
    return (
      found && { allowed: true, by: "user", rule: describeGrant(found.grant), scope: found.scope }
    );
  }
}

const askAgain: ApprovalDecision = { allowed: false, by: "user", again: true };
