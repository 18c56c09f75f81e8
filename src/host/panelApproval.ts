import { Emitter } from "../base/emitter.ts";
import type { Approval, ApprovalDecision, ApprovalRequest } from "../ports/approval.ts";

/** What decides about writing. */
export interface ApprovalRules {
  trusted(): boolean;
  /** The setting graft.permissions.write. */
  writePermission(): "allow" | "ask" | "deny";
}

/** Decides by trust and settings, and asks in the panel where the settings say so. */
export class PanelApproval implements Approval {
  private readonly rules: ApprovalRules;
  private readonly waiting = new Map<string, (allowed: boolean) => void>();
  private readonly asked = new Emitter<ApprovalRequest>();
  /** Fires when the user must answer in the panel. */
  readonly onAsked = this.asked.on.bind(this.asked);

  constructor(rules: ApprovalRules) {
    this.rules = rules;
  }

  async request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    if (!this.rules.trusted()) return { allowed: false, by: "trust", reason: UNTRUSTED };
    if (signal.aborted) return { allowed: false, by: "cancel", reason: STOPPED };
    const permission = this.permissionFor(request);
    if (permission === "allow") return { allowed: true, by: "settings", reason: null };
    if (permission === "deny")
      return {
        allowed: false,
        by: "settings",
        reason: "The user's setting graft.permissions.write denies edits. Answer in the chat instead.",
      };
    return this.ask(request, signal);
  }

  /** The user's answer from the panel; an answer to a question that is not open any more is ignored. */
  answer(callId: string, allowed: boolean): void {
    this.waiting.get(callId)?.(allowed);
  }

  /** The setting allows what the user reviews afterwards; what is done at once, he is asked about. */
  private permissionFor({ effect, reviewed }: ApprovalRequest): "allow" | "ask" | "deny" {
    if (effect === "execute") return "ask";
    const permission = this.rules.writePermission();
    return permission === "allow" && !reviewed ? "ask" : permission;
  }

  private ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    return new Promise((resolve) => {
      const settle = (decision: ApprovalDecision) => {
        this.waiting.delete(request.callId);
        signal.removeEventListener("abort", stopped);
        resolve(decision);
      };
      const stopped = () => settle({ allowed: false, by: "cancel", reason: STOPPED });
      signal.addEventListener("abort", stopped);
      this.waiting.set(request.callId, (allowed) =>
        settle(
          allowed
            ? { allowed, by: "user", reason: null }
            : { allowed, by: "user", reason: "The user denied it. Do not try again unless the user asks for it." },
        ),
      );
      this.asked.fire(request);
    });
  }
}

const STOPPED = "The user stopped the turn before deciding.";
const UNTRUSTED =
  "This workspace is not trusted, so nothing may be changed in it. The command Workspaces: Manage Workspace Trust lets the user trust it.";
