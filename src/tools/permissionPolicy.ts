import type { ApprovalRequest } from "../ports/approval.ts";
import { type PermissionRule, ruleText, ruleVerdict } from "./permissionRule.ts";

/** What the settings say about permissions. */
export interface PermissionPolicy {
  /** The setting graft.permissions.write, about everything that changes files. */
  readonly write: "allow" | "ask" | "deny";
  /** The user's rules; the first that fits decides. */
  readonly rules: readonly PermissionRule[];
  /** The workspace's rules, a list for each of its files. They can only make things stricter. */
  readonly restrictions: readonly (readonly PermissionRule[])[];
}

/** What the settings decide; `rule` names what did, null for a default. */
export interface Verdict {
  readonly permission: "allow" | "ask" | "deny";
  readonly rule: string | null;
}

/**
 * Decides by the settings. What the user reviews before it is written follows `write`; what is done at once is asked about, unless
 * the user's rules say otherwise. The strictest of the user's and the workspace's rules counts.
 */
export function decidePermission(request: ApprovalRequest, { write, rules, restrictions }: PermissionPolicy): Verdict {
  if (request.effect === "write" && write === "deny") return { permission: "deny", rule: "graft.permissions.write: deny" };
  const said = firstVerdict(rules, request) ?? defaultVerdict(request, write);
  const own = request.eachTime && said.permission === "allow" ? { permission: "ask" as const, rule: null } : said;
  const verdicts = [own, ...restrictions.flatMap((list) => firstVerdict(list, request) ?? [])];
  return (
    verdicts.find(({ permission }) => permission === "deny") ??
    (own.permission === "ask" ? own : verdicts.find(({ permission }) => permission === "ask")) ??
    own
  );
}

const PERMISSIONS = { always: "allow", ask: "ask", never: "deny" } as const;

function firstVerdict(rules: readonly PermissionRule[], request: ApprovalRequest): Verdict | null {
  for (const rule of rules) {
    const allow = ruleVerdict(rule, request);
    if (allow) return { permission: PERMISSIONS[allow], rule: ruleText(rule) };
  }
  return null;
}

function defaultVerdict({ effect, reviewed }: ApprovalRequest, write: "allow" | "ask" | "deny"): Verdict {
  return { permission: effect === "write" && reviewed && write === "allow" ? "allow" : "ask", rule: null };
}
