import { Emitter } from "../../base/emitter.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { Approval, ApprovalDecision, ApprovalRequest, PermissionScope } from "../../ports/approval.ts";
import { describeGrant, type PermissionGrants } from "../../tools/permissions/permissionGrants.ts";
import { decidePermission, type PermissionPolicy } from "../../tools/permissions/permissionPolicy.ts";

/** What decides before Graft asks the user. */
export interface ApprovalRules {
  trusted(): boolean;
  /** From the current settings. */
  policy(): PermissionPolicy;
  readonly grants: PermissionGrants;
  /** Accepts the changes that are pending; settles when the user's files have them. */
  acceptAll(): Promise<void>;
}

interface Waiting {
  readonly request: ApprovalRequest;
  settle(decision: ApprovalDecision): void;
}

/** Decides by workspace trust, settings and earlier permissions, and asks in the panel about the rest. */
export class PanelApproval implements Approval {
  private readonly rules: ApprovalRules;
  private readonly waiting = new Map<string, Waiting>();
  private readonly asked = new Emitter<ApprovalRequest>();
  /** Fires when the user must answer in the panel. */
  readonly onAsked = this.asked.on.bind(this.asked);

  constructor(rules: ApprovalRules) {
    this.rules = rules;
  }

  async request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    if (!this.rules.trusted()) return { allowed: false, by: "trust", reason: UNTRUSTED };
    if (signal.aborted) return { allowed: false, by: "cancel", reason: STOPPED };
    const { permission, rule } = decidePermission(request, this.rules.policy());
    const named = rule === null ? {} : { rule };
    if (permission === "allow") return { allowed: true, by: "settings", reason: null, ...named };
    if (permission === "deny") {
      const reason = `The user's settings do not allow this (${rule}). Do not try another way; say what would be needed.`;
      return { allowed: false, by: "settings", reason, ...named };
    }
    return this.allowedBefore(request) ?? this.ask(request, signal);
  }

  /**
   * The user's answer, which also answers the other open requests that it covers; ignored for a closed one. With `acceptAll`, the call
   * waits until pending changes are accepted. Settles once the answer is stored.
   */
  async answer(callId: string, allowed: boolean, chosen: PermissionScope = "call", acceptAll = false): Promise<void> {
    const asked = this.waiting.get(callId);
    if (!asked) return;
    if (!allowed) return asked.settle({ allowed, by: "user", reason: DENIED });
    if (acceptAll) await this.rules.acceptAll();
    const scope = asked.request.server !== undefined && chosen === "call" ? "session" : chosen;
    const remembered = scope === "call" ? Promise.resolve() : this.rules.grants.add(asked.request, scope);
    asked.settle({ allowed, by: "user", reason: null, scope });
    for (const { request, settle } of this.waiting.values()) {
      const covered = this.allowedBefore(request);
      if (covered) settle(covered);
    }
    await remembered;
  }

  private allowedBefore(request: ApprovalRequest): ApprovalDecision | null {
    const found = this.rules.grants.find(request);
    return found && { allowed: true, by: "user", reason: null, rule: describeGrant(found.grant), scope: found.scope };
  }

  private async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    const decision = new Promise<ApprovalDecision>((settle) => this.waiting.set(request.callId, { request, settle }));
    this.asked.fire(request);
    const decided = await untilAborted(decision, signal);
    this.waiting.delete(request.callId);
    return decided.ok ? decided.value : { allowed: false, by: "cancel", reason: STOPPED };
  }
}

const STOPPED = "The user stopped the turn before deciding.";
const DENIED = "The user denied this. Do not try again unless the user asks for it.";
const UNTRUSTED =
  "This workspace is not trusted, so nothing can be changed or run. The user can trust it with Workspaces: Manage Workspace Trust.";
